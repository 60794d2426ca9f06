import Foundation
import PurchaseModel
import PurchaseStorage

/// A database transaction that notes the changes to the state of customers, so that the events of the changes are committed with them.
///
/// The transaction passes each call to the transaction of the storage. A change is noted at the few calls that write the state of a
/// customer, and not at the endpoints that cause the change.
final class ObservedTransaction: StorageTransaction {
    let base: any StorageTransaction
    /// The noted changes.
    private(set) var changes = CustomerChanges()
    /// The notifications that the transaction stored.
    private(set) var notifications: [ReceivedNotification] = []
    /// The stored versions of transactions that the body has read.
    private var known: [TransactionKey: SignedEvent?] = [:]

    private struct TransactionKey: Hashable {
        let purchase: TransactionID
        let transaction: TransactionID
    }

    init(_ base: any StorageTransaction) {
        self.base = base
    }

    var app: BundleID { base.app }

    // MARK: Purchases

    func insert(_ event: VerifiedEvent, receivedAt: Timestamp) throws -> Bool {
        let signed = event.event
        let stored = try known(signed.transaction)
        let renewal = try signed.renewal?.priceIncreaseStatus == nil ? nil : base.decidingEvents(of: signed.purchase)?.renewal
        let isNew = try base.insert(event, receivedAt: receivedAt)
        if isNew { changes.note(signed, replacing: stored, renewal: renewal?.renewal) }
        known[TransactionKey(purchase: signed.purchase, transaction: signed.transaction.transactionId)] = nil
        return isNew
    }

    func insertFirst(_ event: VerifiedEvent, receivedAt: Timestamp) throws {
        try base.insertFirst(event, receivedAt: receivedAt)
        changes.note(event.event, replacing: nil, renewal: nil)
    }

    func transaction(_ id: TransactionID, of purchase: TransactionID) throws -> SignedEvent? {
        let event = try base.transaction(id, of: purchase)
        known[TransactionKey(purchase: purchase, transaction: id)] = .some(event)
        return event
    }

    private func known(_ transaction: TransactionPayload) throws -> SignedEvent? {
        let key = TransactionKey(purchase: transaction.originalTransactionId, transaction: transaction.transactionId)
        if let known = known[key] { return known }
        return try base.transaction(key.transaction, of: key.purchase)
    }

    func put(_ purchase: PurchaseRecord) throws {
        try put(purchase, replacing: base.purchase(purchase.originalTransactionID))
    }

    func put(_ purchase: PurchaseRecord, replacing stored: PurchaseRecord?) throws {
        try base.put(purchase, replacing: stored)
        changes.note(purchase, replacing: stored)
    }

    func put(_ lookup: PurchaseLookup) throws {
        try base.put(lookup)
        // An answer of the App Store ends the leeway of an unconfirmed renewal.
        if lookup.askedAt != nil { changes.lookups.insert(lookup.purchase) }
    }

    func removeLookup(of purchase: TransactionID) throws {
        try base.removeLookup(of: purchase)
        changes.lookups.insert(purchase)
    }

    // MARK: Grants

    func put(_ grant: EntitlementGrant) throws {
        let stored = try base.grants(of: grant.customer).first { $0.isSame(as: grant) }
        try base.put(grant)
        if stored != grant { changes.grants.append(RecordChange(before: stored, after: grant)) }
    }

    func delete(_ grant: EntitlementGrant) throws {
        try base.delete(grant)
        changes.grants.append(RecordChange(before: grant, after: nil))
    }

    func moveGrants(of customer: CustomerID, to other: CustomerID?) throws {
        let moved = try base.grants(of: customer)
        let present = try other.map { try base.grants(of: $0) } ?? []
        try base.moveGrants(of: customer, to: other)
        for grant in moved {
            changes.grants.append(RecordChange(before: grant, after: nil))
            guard let other, !present.contains(where: { $0.entitlement == grant.entitlement && $0.grantedAt == grant.grantedAt })
            else { continue }
            changes.grants.append(
                RecordChange(
                    before: nil,
                    after: EntitlementGrant(
                        customer: other, entitlement: grant.entitlement, grantedAt: grant.grantedAt, until: grant.until,
                        reason: grant.reason, revokedAt: grant.revokedAt)))
        }
    }

    // MARK: Seats

    func put(_ claim: SeatClaim) throws {
        let stored = try base.seatClaim(claim.requestIdentifier, of: claim.team)
        try base.put(claim)
        if stored != claim { changes.seats.append(RecordChange(before: stored, after: claim)) }
    }

    func delete(_ claim: SeatClaim) throws {
        try base.delete(claim)
        changes.seats.append(RecordChange(before: claim, after: nil))
    }

    // MARK: Ledger

    @discardableResult
    func post(_ posting: LedgerPosting, balance: CreditBalance) throws -> Int64 {
        let number = try base.post(posting, balance: balance)
        changes.postings.append(posting.numbered(number))
        return number
    }

    // MARK: Customers

    func put(_ customer: CustomerRecord) throws {
        let stored = try base.customer(customer.id)
        try base.put(customer)
        if stored?.mergedInto != customer.mergedInto {
            changes.merges.append(
                CustomerChanges.Merge(customer: customer.id, before: stored?.mergedInto, after: customer.mergedInto))
        }
    }

    // MARK: Notifications

    func insert(_ notification: ReceivedNotification) throws -> Bool {
        let isNew = try base.insert(notification)
        guard isNew else { return false }
        changes.notification = notification.uuid
        notifications.append(notification)
        return true
    }

    func insert(unknown notification: ReceivedNotification) throws {
        try base.insert(unknown: notification)
        changes.unknownNotifications.append(notification)
    }
}

extension SignedEvent {
    /// The original transaction identifier.
    fileprivate var purchase: TransactionID { transaction.originalTransactionId }
}

extension EntitlementGrant {
    /// Returns whether another value is a version of the same grant.
    func isSame(as other: EntitlementGrant) -> Bool {
        customer == other.customer && entitlement == other.entitlement && grantedAt == other.grantedAt
    }
}
