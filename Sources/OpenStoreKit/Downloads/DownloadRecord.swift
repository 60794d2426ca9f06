package import PurchaseModel

/// A download of content that the store hosts for a transaction; it persists across launches.
///
/// The device stores its downloads as a ``DownloadListRecord``.
package struct DownloadRecord: Hashable, Sendable {
    /// The state of a download; the raw values equal those of `SKDownloadState`.
    package enum State: Int, CaseIterable, Sendable {
        case waiting = 0
        case active = 1
        case paused = 2
        case finished = 3
        case failed = 4
        case cancelled = 5
    }

    /// The transaction whose content is downloaded.
    package let transaction: TransactionID
    /// The identifier of the product.
    package let productID: ProductID
    /// The store's description of the content.
    package let content: HostedContent
    /// The account of the transaction; nil if the payment has no account.
    let account: AccountID?
    /// The state of the download.
    package var state = State.waiting
    /// Whether the app has started the download and has not stopped it since.
    ///
    /// Such a download continues automatically, also after a relaunch.
    var isStarted = false
    /// The number of received bytes.
    var received: Int64 = 0
    /// The entity tag of the received bytes, so that bytes of two versions of the content are never joined; nil if there is none.
    var entityTag: String?
    /// The path of the folder with the content; nil until the download is complete, and after the content was deleted.
    package var contentPath: String?
    /// The reason why the download failed; nil if it has not failed.
    package var failure: PaymentFailure?

    /// The fraction of the content that is received, from 0 to 1.
    package var progress: Float {
        if state == .finished { return 1 }
        guard content.length > 0 else { return 0 }
        return min(1, max(0, Float(received) / Float(content.length)))
    }

    /// The received part of the content, in percent.
    var percent: Int { Int(progress * 100) }
}
