import ArgumentParser
import Foundation
import PrivateFiles
import PurchaseModel
import PurchaseProtocol

/// A folder with the files that a developer's server needs: the store's root certificate and its key of the App Store Server API.
struct StoreKeyFiles {
    private let folder: String

    /// Creates a value for an existing folder.
    init(_ folder: String) {
        self.folder = folder
    }

    /// Writes the two files, and returns a description that names them.
    ///
    /// - Throws: A usage error if the files can't be written.
    func publish(_ description: StoreDescription) throws -> StoreDescription {
        var named = description
        named.rootCertificate = try write(description.rootCertificate, to: "root.pem", isPublic: true)
        named.apiKey = try write(description.apiKey, to: "api-key.p8")
        return named
    }

    private func write(_ text: String, to name: String, isPublic: Bool = false) throws -> String {
        let path = "\(folder)/\(name)"
        do { try DurableFile.replace(path, with: Data(text.utf8), isPublic: isPublic) } catch {
            throw ValidationError("\(path) can't be written; choose another folder, or move what is in its place.")
        }
        return path
    }
}
