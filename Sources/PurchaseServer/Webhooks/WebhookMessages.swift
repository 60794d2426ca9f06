import Foundation
import FoundationExtras
import PurchaseModel
import PurchaseStorage
import ServerProtocol
import Wire

/// A message with its body and the secrets that sign it.
struct WebhookMessage: Sendable {
    /// The body of a message, or the reason why there is none.
    enum Body: Hashable, Sendable {
        case bytes([UInt8])
        /// No later attempt has a body, for a reason.
        case missing(String)
        /// The endpoint has a format of another version of the server.
        case unknownFormat
    }

    let delivery: WebhookDelivery
    let url: String
    let body: Body
    /// The secrets; nil if the endpoint has none.
    let secrets: WebhookSecrets?
}

/// Reads the messages of an app from the database.
struct WebhookMessages: Sendable {
    /// The maximum number of messages about one customer that are sent within one claim.
    private static let laneLimit = 20

    let app: BundleID
    let secrets: SecretService
    let catalog: any CatalogSource

    /// Returns the first messages of a lane, in their order.
    func read(_ lane: WebhookLane, in records: any StorageTransaction) throws -> [WebhookMessage] {
        guard let endpoint = try records.webhookEndpoint(lane.endpoint) else { return [] }
        let name = WebhookService.secretName(of: endpoint.id)
        let secrets = try records.secret(name).map { sealed in
            try WireJSON.decode(WebhookSecrets.self, from: try self.secrets.cipher.open(sealed, named: name, of: app))
        }
        return try records.webhookDeliveries(to: endpoint.id, in: lane.lane, limit: Self.laneLimit).map { delivery in
            WebhookMessage(delivery: delivery, url: endpoint.url, body: try body(of: delivery, endpoint, in: records), secrets: secrets)
        }
    }

    private func body(
        of delivery: WebhookDelivery, _ endpoint: WebhookEndpoint, in records: any StorageTransaction
    ) throws -> WebhookMessage.Body {
        switch WebhookFormat(rawValue: endpoint.format) {
        case .event: try entry(of: delivery, in: records).map { .bytes($0.json.bytes) } ?? Self.removedEvent
        case .revenueCat: try revenueCat(of: delivery, in: records)
        case .notification:
            try records.notification(delivery.message)?.signedNotification
                .map { .bytes(JSONValue.object([JSONValue.Member("signedPayload", .string($0.compact))]).bytes) }
                ?? .missing("Retention has removed the notification.")
        case nil: .unknownFormat
        }
    }

    private static let removedEvent = WebhookMessage.Body.missing("Retention has removed the event from the feed.")

    private func entry(of delivery: WebhookDelivery, in records: any StorageTransaction) throws -> FeedEntry? {
        guard let event = try records.feedEvents(after: delivery.position - 1, limit: 1).first, event.event.id == delivery.message else {
            return nil
        }
        return FeedEntry(event, aliases: try event.event.customer.map { try records.aliases(of: $0) } ?? [])
    }

    private func revenueCat(of delivery: WebhookDelivery, in records: any StorageTransaction) throws -> WebhookMessage.Body {
        guard let entry = try entry(of: delivery, in: records) else { return Self.removedEvent }
        guard let event = try? entry.event() else { return .missing("The event can't be read.") }
        let reference = event.originals.transactions.first
        let purchase = reference?.originalTransactionID
        let signed = try reference.flatMap { try records.transaction($0.transactionID, of: $0.originalTransactionID) }
        var earlier: SignedEvent?
        if case .purchase(let before)? = event.before, event.type == .subscriptionRenewed {
            earlier = try records.transaction(before.transactionID, of: before.originalTransactionID)
        }
        let renewal = try purchase.flatMap { try records.decidingEvents(of: $0) }?.renewal?.renewal
        let product = signed?.transaction.productId
        let message = RevenueCatMessage(
            event: event, signed: signed, earlier: earlier, renewal: renewal,
            entitlements: product.map { catalog.catalog.entitlements(of: $0) } ?? [])
        return message.json.map { .bytes($0.bytes) } ?? .missing("RevenueCat's webhooks have no such event.")
    }
}
