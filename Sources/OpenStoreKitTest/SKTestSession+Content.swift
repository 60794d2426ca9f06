#if os(Linux)
    public import Foundation
    import LocalAppStore
    import PurchaseModel
    public import StoreKitTest

    extension SKTestSession {
        /// Has the session's store host content for a product (`SKDownload`); no bytes remove it.
        ///
        /// - Parameters:
        ///   - data: What buyers download, 16 MiB at most.
        ///   - version: Dotted integers.
        ///   - productIdentifier: The product.
        public func host(_ data: Data, version: String = "1.0", forProduct productIdentifier: String) throws {
            try act { try await $0.host(data, version: version, of: ProductID(productIdentifier)) }
        }
    }
#endif
