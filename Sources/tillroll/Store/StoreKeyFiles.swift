import ArgumentParser
import Foundation
import PurchaseModel

/// A folder with what a developer's server needs of a store: the root certificate and the key of the App Store Server API.
struct StoreKeyFiles {
    private let folder: String

    /// Names the folder, which has to be there.
    init(_ folder: String) {
        self.folder = folder
    }

    /// Writes the two files, and returns a description that names them.
    ///
    /// - Throws: A usage error when they can't be written.
    func publish(_ description: StoreDescription) throws -> StoreDescription {
        var named = description
        named.rootCertificate = try write(description.rootCertificate, to: "root.pem", mode: 0o644)
        named.apiKey = try write(description.apiKey, to: "api-key.p8", mode: 0o600)
        return named
    }

    private func write(_ text: String, to name: String, mode: Int) throws -> String {
        let path = "\(folder)/\(name)"
        guard FileManager.default.createFile(atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: mode]) else {
            throw ValidationError("\(path) can't be written; choose another folder.")
        }
        return path
    }
}
