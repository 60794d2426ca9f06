#if os(Linux)
    public import Foundation
    import LocalAppStore
    import PurchaseModel
    public import StoreKitTest

    extension SKTestSession {
        /// Sets the content that the session's store hosts for a product, which apps download with `SKDownload`.
        ///
        /// - Parameters:
        ///   - data: The content, at most 16 MiB; empty data removes the content.
        ///   - version: The version of the content, as integers separated by dots.
        ///   - productIdentifier: The identifier of the product.
        public func host(_ data: Data, version: String = "1.0", forProduct productIdentifier: String) throws {
            try act { try await $0.setContent(data, version: version, of: ProductID(productIdentifier)) }
        }
    }
#endif
