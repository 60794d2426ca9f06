import Foundation

extension Catalogue {
    /// Reads a `.storekit` file that somebody sent.
    ///
    /// - Throws: ``StoreError/catalogueUnusable(_:)``.
    init(reading storekit: Data) throws(StoreError) {
        do {
            self = try Catalogue(storekit: storekit)
        } catch {
            throw .catalogueUnusable(error)
        }
    }
}
