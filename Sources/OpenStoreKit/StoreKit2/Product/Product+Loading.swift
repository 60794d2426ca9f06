import PurchaseModel
import WireClient

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
    /// Asks the store to describe products, as many at a time as it takes.
    func products(_ identifiers: [String]) async throws(StoreKitError) -> [Product] {
        var seen: Set<String> = []
        var rest = identifiers.filter { seen.insert($0).inserted }.map { ProductID($0) }[...]
        var found: [Product] = []
        while !rest.isEmpty {
            let page = Array(rest.prefix(ProductsRequest.limit))
            rest = rest.dropFirst(page.count)
            found += try await describe(page)
        }
        return found
    }

    private func describe(_ page: [ProductID]) async throws(StoreKitError) -> [Product] {
        do throws(WireClientError) {
            let reply = try await session.ask(DeviceEndpoints.products, ProductsRequest(productIDs: page))
            let known = Dictionary(reply.products.map { ($0.id, $0) }) { first, _ in first }
            return page.compactMap { known[$0] }.map { Product($0, storefront: storefront, origin: Origin(self)) }
        } catch { throw StoreKitError(error) }
    }
}
