import ArgumentParser
import Foundation
import PrivateFiles
import PurchaseModel
import PurchaseProtocol

/// The option that names the folder for a store's root certificate and API key.
struct KeyFilesOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Write root.pem and api-key.p8 there; the answer has their paths.", valueName: "folder"), transform: givenPath)
    var files: String?

    /// Replaces root certificate and API key in a description by paths, if the options request files.
    ///
    /// - Throws: A usage error if the files can't be written.
    func publish(_ description: StoreDescription) throws -> StoreDescription {
        guard let files else { return description }
        let folder = URL(filePath: files).standardizedFileURL.path
        do { try PrivateFiles.makeFolder(folder) } catch {
            throw ValidationError("\(error): it can't be made or is no folder. Choose another with --files.")
        }
        return try StoreKeyFiles(folder).publish(description)
    }
}
