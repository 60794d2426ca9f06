import FoundationExtras
import PurchaseModel
import PurchaseStorage
import ServerProtocol

extension WebhookEndpoint {
    /// Returns the type of an event's message; nil if the endpoint does not receive the event.
    func type(of event: PositionedFeedEvent) -> String? {
        switch WebhookFormat(rawValue: format) {
        // The endpoint receives the events after an update of the server.
        case .event, nil: received(event.event.type)
        case .revenueCat: (try? FeedEntry(event, aliases: []).event()).flatMap { RevenueCatMessage.type(of: $0) }.flatMap(received)
        case .notification: nil
        }
    }

    /// Returns the type of a notification's message; nil if the endpoint does not receive the notification.
    func type(of notification: ReceivedNotification) -> String? {
        guard format == WebhookFormat.notification.rawValue, notification.signedNotification != nil else { return nil }
        return received(notification.kind.prefix { $0 != " " }.description)
    }

    private func received(_ type: String) -> String? { types.isEmpty || types.contains(type) ? type : nil }

    /// The longest time in seconds between two failures that count as one failure of the endpoint; longer than each pause of a retry.
    private static let failureGap: Int64 = 86_400
    /// The time in seconds after which the date of a failure is written again.
    private static let failurePrecision: Int64 = 3_600

    /// Returns the date since which the endpoint fails; nil if its failures are no recent ones, such as those of an unused endpoint.
    func recentFailures(at now: Timestamp) -> Timestamp? {
        failedAt.map { now < $0.adding(seconds: Self.failureGap) } ?? false ? failingSince : nil
    }

    /// Records the step after an attempt, and returns whether the endpoint has changed.
    mutating func note(_ step: WebhookStep, at now: Timestamp) -> Bool {
        let earlier = self
        if step == .acknowledge {
            (failingSince, failedAt) = (nil, nil)
        } else {
            failingSince = recentFailures(at: now) ?? now
            if failedAt.map({ now >= $0.adding(seconds: Self.failurePrecision) }) ?? true { failedAt = now }
        }
        if case .disable(_, let reason) = step, isEnabled { (disabledAt, disabledBecause) = (now, reason) }
        return self != earlier
    }
}

extension WebhookDelivery {
    /// Creates the delivery of an event to an endpoint.
    init(of event: PositionedFeedEvent, _ type: String, to endpoint: String, at now: Timestamp) {
        let record = event.event
        self.init(
            endpoint: endpoint, lane: record.customer?.rawValue ?? record.id, position: event.position, message: record.id,
            type: type, enqueuedAt: now)
    }

    /// Creates the delivery of a notification to an endpoint, in a lane of its own, because the App Store's notifications have no order.
    init(of notification: ReceivedNotification, _ type: String, to endpoint: String, at now: Timestamp) {
        self.init(
            endpoint: endpoint, lane: notification.uuid, position: 0, message: notification.uuid, type: type, enqueuedAt: now)
    }
}
