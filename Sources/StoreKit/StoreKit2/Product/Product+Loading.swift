import OpenStoreKit
import PurchaseModel
import StoreProtocol

extension Product {
    /// Fetches products from the store, and leaves out identifiers that the store does not know.
    ///
    /// The result has the order of the identifiers and contains no duplicates. If the task is canceled, the result is empty.
    ///
    /// - Throws: ``StoreKitError`` if the store can't be reached or refuses the request, or if no `Device` is configured.
    public static func products<Identifiers>(for identifiers: Identifiers) async throws -> [Product]
    where Identifiers: Collection, Identifiers.Element == String {
        guard !Task.isCancelled else { return [] }
        guard let device = Device.active else { throw StoreKitError.noDevice }
        try device.simulatedFailures.check(.loadProducts)
        return try await device.products(Array(identifiers))
    }
}

extension Device {
    /// Fetches products from the store, in the order of the identifiers and without duplicates.
    func products(_ identifiers: [String]) async throws(StoreKitError) -> [Product] {
        var seen: Set<ProductID> = []
        let wanted = identifiers.map { ProductID($0) }.filter { seen.insert($0).inserted }
        do throws(RequestFailure) {
            let known = Dictionary(try await self.products(wanted).products.map { ($0.id, $0) }) { first, _ in first }
            return wanted.compactMap { known[$0] }.map { Product($0, storefront: storefront, origin: Origin(self)) }
        } catch { throw StoreKitError(error) }
    }
}
