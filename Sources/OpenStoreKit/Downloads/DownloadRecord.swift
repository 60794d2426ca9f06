package import PurchaseModel

/// A download, which persists across launches.
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

    /// The transaction of the content.
    package let transaction: TransactionID
    /// The product.
    package let productID: ProductID
    /// The content that the store hosts.
    package let content: HostedContent
    /// The account of the transaction.
    let account: AccountID?
    /// The state of the download.
    package var state = State.waiting
    /// Whether the app has started the download and not stopped it since; such a download continues by itself, also in later app
    /// sessions.
    var isStarted = false
    /// The number of received bytes.
    var received: Int64 = 0
    /// The entity tag of the received bytes, so that parts of two different contents are never joined.
    var entityTag: String?
    /// The folder with the content; nil until the download is complete.
    package var contentPath: String?
    /// The reason why the download failed.
    package var failure: PaymentFailure?

    /// The received part of the content, from 0 to 1.
    package var progress: Float {
        if state == .finished { return 1 }
        guard content.length > 0 else { return 0 }
        return min(1, max(0, Float(received) / Float(content.length)))
    }

    /// The received part of the content in hundredths.
    var percent: Int { Int(progress * 100) }

    /// Whether the download has reached a final state, which only the app can change.
    var isFinal: Bool {
        switch state {
        case .finished, .failed, .cancelled: true
        case .waiting, .active, .paused: false
        }
    }
}
