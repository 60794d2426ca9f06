import PurchaseModel
import PurchaseProtocol

extension StoreClient {
    /// The named app, or the store's first one.
    func app(_ named: String?) async throws -> BundleID {
        if let named { return BundleID(named) }
        return try await call(HostEndpoints.this).bundleID
    }
}
