import FoundationExtras
import PurchaseModel
import PurchaseStorage
import ServerProtocol
import Synchronization

/// Creates the deliveries of the App Store's notifications to the endpoints that receive them unchanged.
///
/// A delivery is inserted in the transaction that stores the notification, because notifications have no positions by which an endpoint could
/// find those that it lacks.
final class NotificationFanOut: Sendable {
    /// The number of seconds for which a server remembers that no endpoint receives notifications, so that most notifications cost no query.
    static let memorySeconds: Int64 = 2

    private let clock: any WallClock
    /// The date when the server found no endpoint that receives notifications; nil if it has not looked, or found one.
    private let absentSince = Mutex<Timestamp?>(nil)

    init(clock: any WallClock) {
        self.clock = clock
    }

    /// Forgets that no endpoint receives notifications, after the creation of an endpoint.
    func forget() { absentSince.withLock { $0 = nil } }

    /// Inserts the deliveries of stored notifications, and returns whether there are any.
    func enqueue(_ notifications: [ReceivedNotification], in records: any StorageTransaction) throws -> Bool {
        guard !notifications.isEmpty else { return false }
        let now = clock.now
        // A clock that went back ends the memory.
        let isAbsent = absentSince.withLock { $0.map { ($0..<$0.adding(seconds: Self.memorySeconds)).contains(now) } ?? false }
        guard !isAbsent else { return false }
        let endpoints = try records.webhookEndpoints().filter { $0.format == WebhookFormat.notification.rawValue }
        guard !endpoints.isEmpty else {
            absentSince.withLock { $0 = now }
            return false
        }
        var hasDeliveries = false
        for endpoint in endpoints where endpoint.isEnabled {
            for notification in notifications {
                guard let delivery = endpoint.delivery(of: notification, at: now) else { continue }
                hasDeliveries = try records.insert(delivery) || hasDeliveries
            }
        }
        return hasDeliveries
    }
}
