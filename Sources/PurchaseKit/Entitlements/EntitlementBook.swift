public import Foundation
import MessageSignatures
public import PurchaseModel
import PurchaseProof

/// Whether the customer of the app has an entitlement.
public enum EntitlementStatus: Hashable, Sendable {
    /// Neither the App Store nor the server has answered yet on this device. Show neither a lock nor a buy button.
    case unknown
    /// The customer does not have the entitlement.
    case none
    /// The customer has the entitlement, until a date if the entitlement ends.
    case owned(until: Date?)

    /// Whether the customer has the entitlement.
    public var isOwned: Bool {
        if case .owned = self { true } else { false }
    }
}

/// An entitlement of the customer, computed from signed transactions or stated by the server's lease.
public struct EntitlementState: Hashable, Sendable, Identifiable {
    /// The name of the entitlement.
    public let name: EntitlementName
    /// The state of the purchase from which the entitlement follows.
    public let state: Access.State
    /// Whether the customer may use the entitlement.
    public let isActive: Bool
    /// The end of the paid period or of the billing grace period; nil for an entitlement without an end.
    public let until: Date?
    /// The product of the purchase; nil for an entitlement that only the server's lease states, such as a grant.
    public let productID: ProductID?
    /// The original transaction of the purchase; nil for an entitlement that only the server's lease states.
    public let originalTransactionID: TransactionID?
    /// The product to which the subscription renews; nil for a purchase that does not renew.
    public let renewsTo: ProductID?
    /// Whether the customer has the purchase through Family Sharing.
    public let isFamilyShared: Bool

    /// The name, because a state contains each name once.
    public var id: EntitlementName { name }
}

/// Computes the customer's entitlements from the signed transactions on the device, with the same projection as the server.
struct EntitlementBook: Sendable {
    let fulfillments: [ProductID: Fulfillment]
    /// The durations of non-renewing subscriptions, which the App Store does not state.
    let durations: [ProductID: BillingPeriod]
    let customer: CustomerID?

    /// The time in seconds after a refund was signed during which a lease may lack the refund, because the server may not have received the
    /// refund yet.
    private static let refundDelay: Int64 = 86_400

    /// Returns every entitlement that the customer has or had, and the next date at which an entitlement changes without an event.
    ///
    /// A valid lease adds entitlements that no signed transaction on the device proves. A transaction that was signed after the lease takes
    /// precedence, so that a refund ends the entitlement before the lease expires. A refund also takes precedence over a lease that was
    /// issued within 24 hours after the refund was signed, because the server may not have received the refund when it issued the lease.
    func entitlements(
        in contents: VaultContents, lease: LeasePayload?, at now: Timestamp
    ) -> (states: [EntitlementName: EntitlementState], nextChange: Timestamp?) {
        var states: [EntitlementName: Candidate] = [:]
        var nextChange: Timestamp?
        for timeline in contents.timelines {
            let entitlement = timeline.entitlement(at: now)
            if let change = timeline.preceding?.until, change > now { nextChange = min(nextChange ?? change, change) }
            guard contents.belongs(entitlement.transactionID, to: customer) else { continue }
            let product = entitlement.productID
            let access = entitlement.access(at: now, nonRenewingDuration: durations[product])
            if let until = access.until, until > now { nextChange = min(nextChange ?? until, until) }
            let fulfillment = fulfillments[product] ?? .standard(for: product)
            for name in fulfillment.entitlements(of: product) {
                let candidate = Candidate(EntitlementState(name, entitlement, access), signedDate: entitlement.signedDate)
                if states[name].map({ $0 < candidate }) ?? true { states[name] = candidate }
            }
        }
        for leased in lease?.entitlements ?? [] {
            guard let lease, let until = Self.end(of: leased, in: lease, after: now) else { continue }
            let name = EntitlementName(leased.name)
            if let proven = states[name] {
                let decidesUntil = proven.signedDate.adding(seconds: proven.state.state == .revoked ? Self.refundDelay : 0)
                if proven.state.isActive || decidesUntil > lease.issuedAt { continue }
            }
            nextChange = min(nextChange ?? until, until)
            states[name] = Candidate(EntitlementState(name, leasedUntil: until), signedDate: lease.issuedAt)
        }
        return (states.mapValues(\.state), nextChange)
    }

    /// Returns the end of a leased entitlement, at the latest the end of the lease; nil if the entitlement has ended.
    private static func end(of entitlement: LeasedEntitlement, in lease: LeasePayload, after now: Timestamp) -> Timestamp? {
        let end = min(entitlement.until ?? lease.expires, lease.expires)
        return now < end ? end : nil
    }

    /// Returns the end of a lease in the last quarter of its duration, if an entitlement depends on the lease; otherwise nil.
    func endOfOfflineUse(
        by lease: LeasePayload, _ entitlements: [EntitlementName: EntitlementState], at now: Timestamp
    ) -> Timestamp? {
        guard lease.expires.milliseconds(since: now) <= lease.duration / 4 else { return nil }
        let isNeeded = entitlements.values.contains {
            $0.isActive && $0.originalTransactionID == nil && $0.until == lease.expires.date
        }
        return isNeeded ? lease.expires : nil
    }

    /// Returns the active purchases of products that a person can restore: all except consumables.
    ///
    /// - Parameter movable: The original transactions of the purchases that can be restored although they belong to another customer.
    func restorable(in contents: VaultContents, at now: Timestamp, movable: Set<TransactionID> = []) -> [Entitlement] {
        contents.timelines.map { $0.entitlement(at: now) }.filter { entitlement in
            (contents.belongs(entitlement.transactionID, to: customer) || movable.contains(entitlement.originalTransactionID))
                && !contents.unconfirmed.contains(entitlement.originalTransactionID)
                && entitlement.access(at: now, nonRenewingDuration: durations[entitlement.productID]).isGranted
        }.sorted { ($0.purchaseDate, $0.transactionID) < ($1.purchaseDate, $1.transactionID) }
    }

    /// An entitlement of a purchase or of the lease; the maximum of the candidates with the same name determines the entitlement.
    private struct Candidate: Comparable {
        let state: EntitlementState
        let signedDate: Timestamp

        init(_ state: EntitlementState, signedDate: Timestamp) {
            self.state = state
            self.signedDate = signedDate
        }

        /// Orders candidates by activity, then by the ends of active entitlements, and then by the dates of the signatures.
        static func < (lhs: Candidate, rhs: Candidate) -> Bool {
            if lhs.state.isActive != rhs.state.isActive { return rhs.state.isActive }
            let (end, otherEnd) = (lhs.state.until ?? .distantFuture, rhs.state.until ?? .distantFuture)
            if lhs.state.isActive, end != otherEnd { return end < otherEnd }
            return lhs.signedDate < rhs.signedDate
        }
    }
}

extension EntitlementState {
    fileprivate init(_ name: EntitlementName, leasedUntil end: Timestamp) {
        self.init(
            name: name, state: .active, isActive: true, until: end.date, productID: nil, originalTransactionID: nil, renewsTo: nil,
            isFamilyShared: false)
    }

    fileprivate init(_ name: EntitlementName, _ entitlement: Entitlement, _ access: Access) {
        self.init(
            name: name, state: access.state, isActive: access.isGranted, until: access.until?.date, productID: entitlement.productID,
            originalTransactionID: entitlement.originalTransactionID, renewsTo: entitlement.renewsTo,
            isFamilyShared: entitlement.ownership == .familyShared)
    }
}
