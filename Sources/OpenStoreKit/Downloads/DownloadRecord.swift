package import PurchaseModel

/// A download as the device keeps it over launches.
package struct DownloadRecord: Codable, Hashable, Sendable {
    /// Where a download stands; the raw values are kept on the disk, and are those of `SKDownloadState`.
    package enum State: Int, Codable {
        case waiting = 0
        case active = 1
        case paused = 2
        case finished = 3
        case failed = 4
        case cancelled = 5
    }

    /// The transaction whose content it is.
    package let transaction: TransactionID
    /// The product.
    package let productID: ProductID
    /// What the store hosts.
    package let content: HostedContent
    /// Whose transaction it is.
    let account: AccountID?
    /// Where it stands.
    package var state = State.waiting
    /// Whether the app has started it and not stopped it since: then it goes on by itself, in later launches, too.
    var isWanted = false
    /// How many bytes are there.
    var received: Int64 = 0
    /// The name of exactly these bytes, so that no halves of two contents are glued together.
    var entityTag: String?
    /// The folder with what came; nil unless finished.
    package var place: String?
    /// Why it failed.
    package var failure: PaymentFailure?

    /// How much is there, from 0 to 1.
    package var progress: Float {
        if state == .finished { return 1 }
        guard content.length > 0 else { return 0 }
        return min(1, max(0, Float(received) / Float(content.length)))
    }

    /// How many hundredths of it are there.
    var hundredths: Int { Int(progress * 100) }

    /// Whether nothing more will happen to it by itself.
    var isOver: Bool {
        switch state {
        case .finished, .failed, .cancelled: true
        case .waiting, .active, .paused: false
        }
    }
}
