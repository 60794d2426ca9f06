import Foundation
import PurchaseModel

/// The speed of a download, measured since the download began.
struct DownloadSpeed: Sendable {
    private var start: (at: ContinuousClock.Instant, received: Int64)?
    private var last: (at: ContinuousClock.Instant, received: Int64)?

    /// Records the number of received bytes.
    mutating func update(_ received: Int64, at now: ContinuousClock.Instant = .now) {
        if start == nil { start = (now, received) }
        last = (now, received)
    }

    /// The estimated remaining time in seconds; nil when no estimate is available.
    func remaining(of record: DownloadRecord) -> TimeInterval? {
        if record.state == .finished { return 0 }
        guard record.state == .active, let start, let last, last.received > start.received else { return nil }
        let seconds = (last.at - start.at) / .seconds(1)
        return Double(record.content.length - last.received) * seconds / Double(last.received - start.received)
    }
}
