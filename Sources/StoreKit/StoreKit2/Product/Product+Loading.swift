import OpenStoreKit
import PurchaseModel
import PurchaseProtocol

extension Product {
    /// Asks the store to describe products; those that it does not know are left out.
    ///
    /// They come in the order of the identifiers, each once; none in a task that was cancelled.
    ///
    /// - Throws: ``StoreKitError``.
    public static func products<Identifiers>(for identifiers: Identifiers) async throws -> [Product]
    where Identifiers: Collection, Identifiers.Element == String {
        guard !Task.isCancelled else { return [] }
        guard let device = Device.active else { throw StoreKitError.noDevice }
        try device.simulatedFailures.check(.loadProducts)
        return try await device.products(Array(identifiers))
    }
}

extension Device {
    /// Asks the store to describe products.
    func products(_ identifiers: [String]) async throws(StoreKitError) -> [Product] {
        var seen: Set<String> = []
        let wanted = identifiers.filter { seen.insert($0).inserted }.map { ProductID($0) }
        do throws(RequestFailure) {
            let known = Dictionary(try await self.products(wanted).products.map { ($0.id, $0) }) { first, _ in first }
            return wanted.compactMap { known[$0] }.map { Product($0, storefront: storefront, origin: Origin(self)) }
        } catch { throw StoreKitError(error) }
    }
}
