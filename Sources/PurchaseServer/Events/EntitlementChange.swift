import PurchaseModel
import ServerProtocol

/// A change of one entitlement between two answers.
struct EntitlementChange: Hashable, Sendable {
    /// The entitlement before the change; nil for an entitlement that the customer never had.
    let before: FeedState.Entitlement?
    /// The entitlement after the change; nil for an entitlement that no holding gives any longer.
    let after: FeedState.Entitlement?

    /// Returns the changes between two answers, sorted by the name of the entitlement.
    ///
    /// - Parameters:
    ///   - before: The earlier answer.
    ///   - after: The later answer.
    static func changes(from before: [FeedState.Entitlement], to after: [FeedState.Entitlement]) -> [EntitlementChange] {
        let (old, new) = (byName(before), byName(after))
        return Set(old.keys).union(new.keys).sorted().compactMap { name in
            old[name] == new[name] ? nil : EntitlementChange(before: old[name], after: new[name])
        }
    }

    private static func byName(_ answer: [FeedState.Entitlement]) -> [EntitlementName: FeedState.Entitlement] {
        Dictionary(answer.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The type of the event.
    var type: FeedEventType {
        switch (before?.isActive ?? false, after?.isActive ?? false) {
        case (false, true): .entitlementActivated
        case (true, false): .entitlementEnded
        case (true, true), (false, false): .entitlementChanged
        }
    }

    /// The purchase that determines the entitlement after the change, or determined the entitlement before.
    var purchase: TransactionID? { after?.originalTransactionID ?? before?.originalTransactionID }

    /// The reason why the entitlement ended; nil for an entitlement that did not end.
    var reason: String? {
        guard type == .entitlementEnded else { return nil }
        guard let after else { return "moved" }
        return switch after.state {
        case .none: "moved"
        case .billingRetry, .gracePeriod: "billing-issue"
        case .revoked: "revoked"
        case .expired, .active, .owned: "expired"
        }
    }

    /// The date at which time ended the entitlement; nil for an end with another cause.
    func ended(by now: Timestamp) -> Timestamp? {
        guard type == .entitlementEnded, let before, let after, let until = before.until, until <= now,
            before.originalTransactionID == after.originalTransactionID, after.until == until
        else { return nil }
        return until
    }

    /// Applies an event to an answer, as a reader of the feed does.
    ///
    /// - Parameters:
    ///   - event: The event; an event of another kind changes nothing.
    ///   - answer: The answer, by the name of the entitlement.
    static func apply(_ event: FeedEvent, to answer: inout [EntitlementName: FeedState.Entitlement]) {
        guard event.type.stateKind == .entitlement else { return }
        if case .entitlement(let after)? = event.after {
            answer[after.name] = after
        } else if case .entitlement(let before)? = event.before {
            answer[before.name] = nil
        }
    }
}
