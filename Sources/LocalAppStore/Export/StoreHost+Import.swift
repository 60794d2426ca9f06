import Foundation
import HTTPTypes
import NIOPosix
import PurchaseModel
import Wire
import WireServer

extension StoreHost {
    /// Creates a store from an exported file; a persistent store takes over the file, and an in-memory store copies it.
    ///
    /// - Parameter name: The name of the new store; with nil, the store gets a UUID as its name.
    /// - Throws: An error if the file is not a valid database of a store, or the name is invalid or taken.
    func importStore(fromFileAt path: String, name: String?, isPersistent: Bool) async throws -> (name: String, store: LocalAppStore) {
        let pageSize = isPersistent ? StoreDatabase.filePageSize : StoreDatabase.memoryPageSize
        let now = clock.now
        // The validation reads the whole file and writes it again, which must not occupy a thread of Swift concurrency.
        try await NIOThreadPool.singleton.runIfActive { try StoreFile.accept(path, pageSize: pageSize, at: now) }
        return try await add(name: name) { name in
            var configuration = LocalAppStoreConfiguration(
                bundleID: LocalAppStoreConfiguration.defaultBundleID, catalog: .empty, database: .memory)
            configuration.name = name
            configuration.isReopened = true
            if isPersistent {
                configuration.database = try persistentLocation(for: name)
                if case .file(let storePath) = configuration.database { try FileManager.default.moveItem(atPath: path, toPath: storePath) }
            } else {
                configuration.templatePath = path
            }
            return configuration
        }
    }
}

/// An error of the import of a store or of a transaction history.
enum ImportError: StoreRefusal {
    /// The uploaded file is not a valid database of a store.
    case invalidStoreFile(StoreFileDefect)
    /// The transaction history that an account should import is invalid.
    case invalidHistory(HistoryImportError)

    var status: HTTPResponse.Status { .badRequest }

    var wireError: WireError {
        switch self {
        case .invalidStoreFile(let refusal):
            WireError(code: "store.invalid-file", message: refusal.message)
        case .invalidHistory(let refusal):
            WireError(code: "history.invalid", message: refusal.message)
        }
    }
}
