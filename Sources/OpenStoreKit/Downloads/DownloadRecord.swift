import PurchaseModel

/// A download as the device keeps it over launches.
struct DownloadRecord: Codable, Hashable, Sendable {
    /// The transaction whose content it is; it has one.
    let transaction: TransactionID
    /// The product.
    let productID: ProductID
    /// What the store hosts.
    let content: HostedContent
    /// Where it stands.
    var state: SKDownloadState
    /// How many bytes are there.
    var received: Int64 = 0
    /// The folder with what came; nil unless finished.
    var place: String?
    /// Why it failed.
    var failure: PaymentFailure?

    /// How much is there, from 0 to 1.
    var progress: Float {
        guard content.length > 0 else { return state == .finished ? 1 : 0 }
        return min(1, max(0, Float(received) / Float(content.length)))
    }
}
