import Foundation

extension Catalog {
    /// Reads a `.storekit` file that a client sent in a request.
    ///
    /// - Throws: ``AppError/invalidCatalog(_:)`` if the file is invalid.
    init(reading storekit: Data) throws(AppError) {
        do {
            self = try Catalog(storekit: storekit)
        } catch {
            throw .invalidCatalog(error)
        }
    }
}
