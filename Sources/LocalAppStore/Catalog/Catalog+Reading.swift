import Foundation

extension Catalog {
    /// Reads a `.storekit` file from a request.
    ///
    /// - Throws: ``StoreError/invalidCatalog(_:)``.
    init(reading storekit: Data) throws(StoreError) {
        do {
            self = try Catalog(storekit: storekit)
        } catch {
            throw .invalidCatalog(error)
        }
    }
}
