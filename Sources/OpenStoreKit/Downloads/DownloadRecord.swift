import Foundation
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

/// The state machine of a download, which accepts events and returns effects.
extension DownloadRecord {
    /// An event that changes a download.
    enum Event: Hashable, Sendable {
        /// The app starts the download.
        case start
        /// The app pauses the download.
        case pause
        /// The app resumes the download.
        case resume
        /// The app cancels the download, or finishes its transaction.
        case cancel
        /// The store responds with the bytes from this offset, whose version the entity tag identifies.
        case began(offset: Int64, entityTag: String?)
        /// The number of received bytes has changed to this value.
        case received(Int64)
        /// The connection was lost, or the store can't be reached.
        case lost
        /// The content is complete, in the folder with this path.
        case completed(String)
        /// The content can't be downloaded, for this reason.
        case refused(PaymentFailure)
    }

    /// An effect that the state machine requests.
    enum Effect: Hashable, Sendable {
        /// Fetch the missing bytes from the store.
        case fetch
        /// Stop fetching.
        case stop
        /// Delete the received bytes.
        case discard
    }

    /// Changes the download for an event, and returns the effects to carry out; an event that does not fit the state changes nothing.
    mutating func handle(_ event: Event) -> [Effect] {
        switch (event, state) {
        case (.start, .waiting) where !isStarted, (.start, .paused), (.resume, .paused), (.start, .failed):
            state = .waiting
            isStarted = true
            failure = nil
            return [.fetch]
        case (.pause, .waiting), (.pause, .active):
            state = .paused
            isStarted = false
            return [.stop]
        case (.cancel, .waiting), (.cancel, .active), (.cancel, .paused), (.cancel, .failed):
            state = .cancelled
            isStarted = false
            received = 0
            return [.stop, .discard]
        case (.began(let offset, let entityTag), .waiting) where isStarted:
            state = .active
            received = offset
            self.entityTag = entityTag
            return []
        case (.received(let count), .active):
            received = count
            return []
        case (.lost, .active):
            state = .waiting
            return []
        case (.completed(let contentPath), .active):
            state = .finished
            isStarted = false
            received = content.length
            self.contentPath = contentPath
            return []
        case (.refused(let failure), .waiting) where isStarted, (.refused(let failure), .active):
            state = .failed
            isStarted = false
            received = 0
            self.failure = failure
            return [.discard]
        case (.start, _), (.resume, _), (.pause, _), (.cancel, _), (.began, _), (.received, _), (.lost, _), (.completed, _), (.refused, _):
            return []
        }
    }
}

/// The speed of a download, measured since the last change of the download's state.
struct DownloadSpeed: Sendable {
    private var start: (at: ContinuousClock.Instant, received: Int64)?
    private var last: (at: ContinuousClock.Instant, received: Int64)?

    /// Records the number of bytes that are received at a time.
    mutating func update(_ received: Int64, at now: ContinuousClock.Instant = .now) {
        if start == nil { start = (now, received) }
        last = (now, received)
    }

    /// Returns the estimated remaining time in seconds, or nil if no estimate is available.
    func remaining(of record: DownloadRecord) -> TimeInterval? {
        if record.state == .finished { return 0 }
        guard record.state == .active, let start, let last, last.received > start.received else { return nil }
        let seconds = (last.at - start.at) / .seconds(1)
        return Double(record.content.length - last.received) * seconds / Double(last.received - start.received)
    }
}
