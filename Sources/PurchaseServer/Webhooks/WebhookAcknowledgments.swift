import FoundationExtras
import PurchaseModel
import PurchaseStorage
import ServerProtocol

/// Waits until the webhook endpoints have acknowledged the messages about a customer.
///
/// An app that is answered after its backend knows the purchase can use its backend at once.
struct WebhookAcknowledgments: Sendable {
    /// The longest wait.
    static let limit = Duration.seconds(10)
    private static let shortestPause = Duration.milliseconds(20)
    private static let longestPause = Duration.milliseconds(500)

    let app: BundleID
    let storage: any PurchaseStorage
    let feed: FeedService
    /// The number of waiting submissions.
    let waiting = FeedStreams()

    /// Returns the state of the messages about a customer, once the endpoints have acknowledged them, or after the longest wait.
    ///
    /// The method reads the database with growing pauses, because another server can send the messages. Beyond ``FeedStreams/limit``
    /// waiting submissions, the method answers at once.
    func wait(for customer: CustomerID) async throws -> WebhookAcknowledgment {
        try await feed.publish()
        let newest = try await read { try $0.feedPositions().newest }
        let open = try? waiting.open()
        defer { withExtendedLifetime(open) {} }
        var (rest, pause) = (open == nil ? .zero : Self.limit, Self.shortestPause)
        while true {
            let state = try await read { try Self.state(of: customer, upTo: newest, in: $0) }
            guard state == .pending, rest > .zero, !Task.isCancelled else { return state }
            do { try await feed.timer.sleep(for: min(pause, rest)) } catch { return state }
            rest -= pause
            pause = min(pause * 2, Self.longestPause)
        }
    }

    /// Reads from the primary database, which has the newest deliveries.
    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
    ) async throws -> Value {
        try await RequestPosition.$current.withValue(nil) { try await storage.read(app, body) }
    }

    /// Returns the state of the messages about a customer, for the events up to a position of the feed.
    private static func state(
        of customer: CustomerID, upTo newest: Int64, in records: any StorageTransaction
    ) throws -> WebhookAcknowledgment {
        let endpoints = try records.webhookEndpoints().filter { $0.isEnabled && $0.format != WebhookFormat.notification.rawValue }
        guard !endpoints.isEmpty else { return .none }
        for endpoint in endpoints {
            guard try records.webhookPosition(of: endpoint.id) ?? .max >= newest else { return .pending }
            let first = try records.webhookDeliveries(to: endpoint.id, in: customer.rawValue, limit: 1).first
            if let first, first.position <= newest { return .pending }
        }
        return .acknowledged
    }
}
