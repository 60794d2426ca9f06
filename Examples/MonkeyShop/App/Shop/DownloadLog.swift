import OpenStoreKit
package import PurchaseKit
import PurchaseModel
import Synchronization

/// Records the events of content downloads, in order.
package final class DownloadLog: Sendable {
    private let stored = Mutex<[DownloadEvent]>([])

    /// The events so far.
    package var events: [DownloadEvent] { stored.withLock { $0 } }

    func append(_ event: DownloadEvent) {
        stored.withLock { $0.append(event) }
    }
}

/// Downloads content, and records the events.
struct LoggedContent: ContentDelivery {
    let downloader: ContentDownloader
    let log: DownloadLog
    let device: Device

    func install(
        _ purchase: Purchase, report: @escaping @Sendable (Int64, Int64) -> Void
    ) async throws(DeliveryError) -> InstalledContent {
        guard !device.settings.airplaneMode else { throw .later("The device has no network. The download continues when it is back.") }
        return try await downloader.install(purchase, report: report) { log.append($0) }
    }
}
