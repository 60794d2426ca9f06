import ArgumentParser
import Foundation
import PrivateFiles
import PurchaseModel
import PurchaseProtocol

/// Where root certificate and API key of a store are written.
struct KeyFilesOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Write root.pem and api-key.p8 there; the answer has their paths.", valueName: "folder"), transform: givenPath)
    var files: String?

    /// A description with paths where files were asked for, else as it is.
    ///
    /// - Throws: A usage error when they can't be written.
    func publish(_ description: StoreDescription) throws -> StoreDescription {
        guard let files else { return description }
        let folder = URL(filePath: files).standardizedFileURL.path
        do { try PrivateFiles.makeFolder(folder) } catch {
            throw ValidationError("\(error): it can't be made or is no folder. Choose another with --files.")
        }
        return try StoreKeyFiles(folder).publish(description)
    }
}
