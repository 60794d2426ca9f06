public import PurchaseKit
import Synchronization

/// Records the events of content downloads, in order.
public final class DownloadLog: Sendable {
    private let stored = Mutex<[DownloadEvent]>([])

    /// The recorded events.
    public var events: [DownloadEvent] { stored.withLock { $0 } }

    func append(_ event: DownloadEvent) {
        stored.withLock { $0.append(event) }
    }
}
