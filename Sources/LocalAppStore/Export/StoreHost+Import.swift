import Foundation
import PurchaseModel

extension StoreHost {
    /// Creates a store from an exported file; the file becomes the store's own file, or is removed.
    ///
    /// - Throws: ``StoreError`` if the file or the name is invalid.
    func take(fileAt path: String, name: String?, isKept: Bool) async throws -> (name: String, store: LocalAppStore) {
        let pageSize = isKept ? StoreDatabase.filePageSize : StoreDatabase.memoryPageSize
        try StoreFile.accept(path, pageSize: pageSize, at: clock.now)
        return try await add(name: name) { name in
            var configuration = LocalAppStoreConfiguration(
                bundleID: LocalAppStoreConfiguration.defaultBundleID, catalog: .empty, database: .memory)
            configuration.name = name
            configuration.isReopened = true
            if isKept {
                configuration.database = try keep(name)
                if case .file(let place) = configuration.database { try FileManager.default.moveItem(atPath: path, toPath: place) }
            } else {
                configuration.copied = path
            }
            return configuration
        }
    }
}
