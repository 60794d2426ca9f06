import FoundationExtras
import PurchaseModel
import PurchaseStorage
import ServerProtocol

extension WebhookEndpoint {
    /// Returns the delivery of an event; nil if the endpoint does not receive the event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - now: The date of the delivery.
    ///   - isNamed: Whether an operator has named the event, and the types of the endpoint select nothing.
    func delivery(of event: PositionedFeedEvent, at now: Timestamp, isNamed: Bool = false) -> WebhookDelivery? {
        let record = event.event
        let type: String? =
            switch WebhookFormat(rawValue: format) {
            // The endpoint of a later version receives the events after an update of the server.
            case .event, nil: record.type
            case .revenueCat: (try? FeedEntry(event, aliases: []).event()).flatMap { RevenueCatMessage.type(of: $0) }
            case .notification: nil
            }
        guard let type, isNamed || receives(type) else { return nil }
        return WebhookDelivery(
            endpoint: id, lane: record.customer?.rawValue ?? record.id, position: event.position, message: record.id, type: type,
            enqueuedAt: now)
    }

    /// Returns the delivery of a notification; nil if the endpoint does not receive the notification.
    ///
    /// The delivery is in a lane of its own, because the App Store's notifications have no order.
    func delivery(of notification: ReceivedNotification, at now: Timestamp, isNamed: Bool = false) -> WebhookDelivery? {
        let type = String(notification.kind.prefix { $0 != " " })
        guard format == WebhookFormat.notification.rawValue, notification.signedNotification != nil, isNamed || receives(type) else {
            return nil
        }
        return WebhookDelivery(
            endpoint: id, lane: notification.uuid, position: 0, message: notification.uuid, type: type, enqueuedAt: now)
    }

    private func receives(_ type: String) -> Bool { types.isEmpty || types.contains(type) }

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
