#if os(Linux)
    public import Foundation
    import LocalAppStore
    import PurchaseModel
    public import StoreKitTest

    extension SKTestSession {
        /// Sets the content that the session's store hosts for a product (`SKDownload`); empty data removes the content.
        ///
        /// - Parameters:
        ///   - data: The content, at most 16 MiB.
        ///   - version: The version, as integers separated by dots.
        ///   - productIdentifier: The product.
        public func host(_ data: Data, version: String = "1.0", forProduct productIdentifier: String) throws {
            try act { try await $0.setContent(data, version: version, of: ProductID(productIdentifier)) }
        }
    }
#endif
