import Foundation
import FoundationExtras
import Logging
import PurchaseModel
import PurchaseProof
import PurchaseStorage
import ServerProtocol

/// Computes the events of changes, and inserts them in the database transaction of the changes.
///
/// The record ``FeedCustomer`` of a customer contains the answer that the customer's events state. An event states the difference between
/// this answer and the current answer, so the events always add up to the answer, whatever the cause of a change. The record's lock, or a
/// conflict of serializable transactions, orders the events of one customer.
struct FeedEmitter: Sendable {
    /// The maximum number of changes by time of one customer in one transaction.
    private static let stepLimit = 100
    /// The maximum number of members of a team whose events are inserted in the transaction of the team's change.
    private static let memberLimit = 50
    /// The time in seconds by which a clock may go back.
    private static let clockTolerance: Int64 = 3_600

    let app: BundleID
    let entitlements: EntitlementService
    let clock: any WallClock
    let logger: Logger

    /// Inserts the events of changes.
    ///
    /// - Parameters:
    ///   - changes: The changes of the transaction.
    ///   - cause: The cause; nil to derive the cause from the changes.
    ///   - records: The transaction.
    /// - Returns: Whether the method inserted events.
    func emit(_ changes: CustomerChanges, _ cause: FeedEventCause?, in records: any StorageTransaction) throws -> Bool {
        guard !changes.isEmpty else { return false }
        let now = clock.now
        let drafts = changes.drafts(at: now)
        let touched = try touchedCustomers(changes, cause ?? changes.cause, at: now, in: records)
        let own = Dictionary(grouping: drafts.filter { $0.customer != nil }, by: \.customer)
        var events = try drafts.filter { $0.customer == nil }.map {
            try record($0, cause ?? changes.cause, ordinal: now.milliseconds, at: now)
        }
        for customer in touched.union(own.keys.compactMap { $0 }).sorted() {
            let stored = try records.feedCustomer(customer)
            var drafts = own[customer] ?? []
            var current = stored ?? FeedCustomer(customer: customer, ordinal: 0, dueAt: nil, checkedAt: now, entitlements: nil)
            if touched.contains(customer) {
                do {
                    var state = current
                    let (time, difference) = try differences(&state, changes, at: now, in: records)
                    (current, drafts) = (state, time + drafts + difference)
                } catch  where !(error is StorageError) {
                    // The change of one customer must not fail because other records of the customer, or of another one, can't be read.
                    logger.error("no events of entitlements", metadata: ["app": "\(app)", "customer": "\(customer)", "error": "\(error)"])
                    current.dueAt = now
                }
            }
            try events.append(contentsOf: self.records(drafts, cause ?? changes.cause, of: &current, at: now))
            if current.isChanged(from: stored) { try records.put(current) }
        }
        try records.insert(events)
        return !events.isEmpty
    }

    /// Updates the record of a customer after changes, and returns the events of time before the changes, and those of the changes.
    private func differences(
        _ state: inout FeedCustomer, _ changes: CustomerChanges, at now: Timestamp, in records: any StorageTransaction
    ) throws -> (time: [FeedEventDraft], entitlements: [FeedEventDraft]) {
        let date = Self.date(of: &state, at: now)
        let holdings = try entitlements.holdings(of: state.customer, at: date, in: records)
        let earlier = earlierHoldings(holdings, before: changes)
        // A change that time caused before this transaction comes first.
        let time = try replay(&state, earlier, until: date, in: records)
        let before = answer(of: &state) ?? entitlements.answer(earlier, at: date)
        let (ended, changed) = try difference(&state, from: before, holdings, at: date, changes)
        return (time + ended, changed)
    }

    /// Returns the date at which the answer about a customer is computed.
    ///
    /// The events state the answer up to ``FeedCustomer/checkedAt``, so that a clock that goes back changes no answer back. A date far ahead
    /// of the clock is the date of a wrong clock, and is ignored.
    private static func date(of state: inout FeedCustomer, at now: Timestamp) -> Timestamp {
        if state.checkedAt > now.adding(seconds: clockTolerance) { state.checkedAt = now }
        return max(now, state.checkedAt)
    }

    /// Updates the record of a customer, and returns the events between two answers: the grants that time ended, and the changed
    /// entitlements.
    private func difference(
        _ state: inout FeedCustomer, from before: [FeedState.Entitlement], _ holdings: EntitlementService.Holdings, at now: Timestamp,
        _ changes: CustomerChanges
    ) throws -> (grants: [FeedEventDraft], entitlements: [FeedEventDraft]) {
        let after = entitlements.answer(holdings, at: now)
        let moved = changes.grants.compactMap(\.after)
        let grants = holdings.grants.filter { grant in !moved.contains { $0.isSame(as: grant) } }
        let ended = grantsEnded(grants, after: state.checkedAt, until: now)
        let differences = EntitlementChange.changes(from: before, to: after).map { change in
            draft(of: change, customer: state.customer, changes, at: now)
        }
        // A customer who never had an entitlement, such as a customer with credits only, needs no stated answer.
        if before != after || state.entitlements == nil && !after.isEmpty {
            state.entitlements = try encode(StatedAnswer(entitlements: after))
        }
        state.dueAt = entitlements.nextChange(holdings, after: now)
        state.checkedAt = now
        return (ended, differences)
    }

    private func draft(
        of change: EntitlementChange, customer: CustomerID, _ changes: CustomerChanges, at now: Timestamp
    ) -> FeedEventDraft {
        let signed = changes.newest(of: change.purchase)
        let stated = signed.map { signed -> Timestamp in
            let date = change.type == .entitlementActivated ? signed.transaction.purchaseDate : signed.signedDate
            return min(now, signed.transaction.revocationDate ?? date)
        }
        return FeedEventDraft(
            type: change.type, customer: customer, environment: change.after?.environment ?? change.before?.environment,
            happenedAt: change.ended(by: now) ?? stated ?? now, signedAt: signed?.signedDate, reason: change.reason,
            originals: changes.originals(of: change.purchase), before: change.before.map { .entitlement($0) },
            after: change.after.map { .entitlement($0) })
    }

    private func grantsEnded(_ grants: [EntitlementGrant], after: Timestamp, until now: Timestamp) -> [FeedEventDraft] {
        grants.compactMap { grant in
            guard let end = grant.until, end > after, end <= now, grant.revokedAt.map({ $0 > end }) ?? true else { return nil }
            return FeedEventDraft(
                type: .grantEnded, customer: grant.customer, happenedAt: end, reason: "expired",
                originals: FeedEvent.Originals(),
                before: .grant(FeedState.Grant(grant)), after: .grant(FeedState.Grant(grant)))
        }
    }

    /// Returns the customers whose entitlements the changes can change.
    private func touchedCustomers(
        _ changes: CustomerChanges, _ cause: FeedEventCause, at now: Timestamp, in records: any StorageTransaction
    ) throws -> Set<CustomerID> {
        var customers: Set<CustomerID> = []
        for id in changes.order {
            guard let change = changes.purchases[id], change.isWritten else { continue }
            let versions = [change.record.before, change.record.after].compactMap { $0 }
            guard versions.contains(where: entitlements.canEntitle) else { continue }
            for version in versions { customers.formUnion(version.holders) }
            // The members of a team have the access of the purchase, also after a purchase of one seat, which states no seats. A new
            // purchase has no members.
            guard let before = change.record.before, before.entitlement.productType ?? .autoRenewable == .autoRenewable else { continue }
            customers.formUnion(try members(of: id, cause, in: records))
        }
        for change in changes.grants { customers.formUnion([change.before, change.after].compactMap { $0?.customer }) }
        for change in changes.seats { customers.formUnion([change.before, change.after].compactMap { $0?.customer }) }
        for id in changes.lookups where changes.purchases[id]?.isWritten != true {
            guard let purchase = try records.purchase(id), entitlements.leeway.canApply(to: purchase.entitlement, at: now) else { continue }
            customers.formUnion(purchase.holders)
            customers.formUnion(try members(of: id, cause, in: records))
        }
        return customers
    }

    /// Returns the members of a small team; the members of a large team are compared with their events after the transaction.
    private func members(of team: TransactionID, _ cause: FeedEventCause, in records: any StorageTransaction) throws -> [CustomerID] {
        let members = try records.seatHolders(of: team, after: nil, limit: Self.memberLimit + 1)
        guard members.count > Self.memberLimit else { return members }
        try records.put(FeedTeam(team: team, changeID: UUID().uuidString, cause: cause.rawValue))
        return []
    }

    /// Returns the holdings of a customer before changes.
    private func earlierHoldings(_ holdings: EntitlementService.Holdings, before changes: CustomerChanges) -> EntitlementService.Holdings {
        var earlier = holdings
        let customer = holdings.customer
        earlier.purchases.removeAll { changes.purchases[$0.originalTransactionID]?.isWritten == true }
        for change in changes.purchases.values {
            guard change.isWritten, let before = change.record.before, before.holders.contains(customer) else { continue }
            if entitlements.counts(before), entitlements.canEntitle(before) { earlier.purchases.append(before) }
        }
        earlier.grants.removeAll { grant in changes.grants.contains { $0.after.map(grant.isSame(as:)) ?? false } }
        earlier.grants += changes.grants.compactMap(\.before).filter { $0.customer == customer }
        earlier.seats = earlier.seats.compactMap { seat in
            let timeline = changes.purchases[seat.team]?.record.before?.timeline ?? seat.timeline
            guard let change = changes.seats.first(where: { $0.after?.requestIdentifier == seat.requestIdentifier }) else {
                return CustomerSeat(
                    requestIdentifier: seat.requestIdentifier, timeline: timeline, claimedAt: seat.claimedAt, endedAt: seat.endedAt,
                    endReason: seat.endReason)
            }
            guard let claim = change.before, claim.customer == customer else { return nil }
            return CustomerSeat(
                requestIdentifier: claim.requestIdentifier, timeline: timeline, claimedAt: claim.claimedAt, endedAt: claim.endedAt,
                endReason: claim.endReason)
        }
        return earlier
    }

    // MARK: Time

    /// Inserts the events of the changes that time causes up to a date, for a customer whose record is due.
    ///
    /// Each event states the date of its change, also after a pause of the server.
    func advance(_ state: FeedCustomer, until now: Timestamp, in records: any StorageTransaction) throws {
        var state = state
        let date = Self.date(of: &state, at: now)
        let holdings = try entitlements.holdings(of: state.customer, at: date, in: records)
        let drafts = try replay(&state, holdings, until: date, in: records)
        let events = try self.records(drafts, .time, of: &state, at: now)
        try records.put(state)
        try records.insert(events)
    }

    /// Updates the record of a customer to each date at which time changes the answer, and returns the events of the changes.
    private func replay(
        _ state: inout FeedCustomer, _ holdings: EntitlementService.Holdings, until now: Timestamp, in records: any StorageTransaction
    ) throws -> [FeedEventDraft] {
        var (holdings, drafts) = (holdings, [FeedEventDraft]())
        for _ in 0..<Self.stepLimit {
            guard let due = state.dueAt, due <= now else { break }
            let date = max(due, state.checkedAt)
            holdings.unconfirmed = try entitlements.unconfirmed(holdings.purchases, holdings.seats, at: date, records)
            let before = answer(of: &state) ?? entitlements.answer(holdings, at: state.checkedAt)
            let (ended, changed) = try difference(&state, from: before, holdings, at: date, CustomerChanges())
            drafts += ended + changed.map { $0.caused(byTime: holdings) }
        }
        return drafts.map { draft in
            var draft = draft
            draft.cause = .time
            return draft
        }
    }

    /// Compares the answer of a customer with the customer's events, and inserts the events of the difference.
    ///
    /// The record of a customer without an answer receives the current answer without events: the events of a customer of an upgraded
    /// database begin with the first change after the upgrade.
    ///
    /// - Returns: Whether the method inserted events.
    func compare(_ customer: CustomerID, _ cause: FeedEventCause, in records: any StorageTransaction) throws -> Bool {
        let now = clock.now
        let stored = try records.feedCustomer(customer)
        var state = stored ?? FeedCustomer(customer: customer, ordinal: 0, dueAt: nil, checkedAt: now, entitlements: nil)
        let (time, changed) = try differences(&state, CustomerChanges(), at: now, in: records)
        let events = try self.records(time + changed, cause, of: &state, at: now)
        if state.isChanged(from: stored) { try records.put(state) }
        try records.insert(events)
        return !events.isEmpty
    }

    /// Returns whether the record of a customer states the current answer.
    func isCurrent(_ customer: CustomerID, in records: any StorageTransaction) throws -> Bool {
        let stored = try records.feedCustomer(customer)
        guard var state = stored else { return false }
        let (time, changed) = try differences(&state, CustomerChanges(), at: clock.now, in: records)
        return time.isEmpty && changed.isEmpty && !state.isChanged(from: stored)
    }

    // MARK: Records

    /// Returns the records of a customer's events, with the next ordinals of the customer.
    ///
    /// - Parameter cause: The cause of the events whose drafts state no cause.
    private func records(
        _ drafts: [FeedEventDraft], _ cause: FeedEventCause, of customer: inout FeedCustomer, at now: Timestamp
    ) throws -> [FeedEventRecord] {
        try drafts.map { draft in
            customer.ordinal = Self.ordinal(after: customer.ordinal, at: now)
            return try record(draft, draft.cause ?? cause, ordinal: customer.ordinal, at: now)
        }
    }

    private func record(_ draft: FeedEventDraft, _ cause: FeedEventCause, ordinal: Int64, at now: Timestamp) throws -> FeedEventRecord {
        let id = "evt_" + UUID().uuidString.lowercased().replacing("-", with: "")
        let event = FeedEvent(
            id: id, type: draft.type, app: app, environment: draft.environment, customer: draft.customer, happenedAt: draft.happenedAt,
            signedAt: draft.signedAt, recordedAt: now, cause: cause, reason: draft.reason, originals: draft.originals,
            before: draft.before, after: draft.after)
        return FeedEventRecord(
            id: id, type: draft.type.rawValue, customer: draft.customer, ordinal: ordinal, recordedAt: now, event: try encode(event))
    }

    /// Returns the ordinal of the next event of a customer: the date, or the next number if the clock is behind an earlier event.
    private static func ordinal(after last: Int64, at now: Timestamp) -> Int64 {
        let (next, overflow) = last.addingReportingOverflow(1)
        return overflow ? last : max(next, now.milliseconds)
    }

    /// Returns the answer that the events of a customer state; nil if they state no answer, or if the answer can't be read.
    ///
    /// The next write of the record replaces an answer that can't be read.
    private func answer(of state: inout FeedCustomer) -> [FeedState.Entitlement]? {
        guard let json = state.entitlements else { return nil }
        let answer = try? UnambiguousJSON.decode(StatedAnswer.self, from: Array(json.utf8), in: "feed_customer").entitlements
        if answer == nil { state.entitlements = nil }
        return answer
    }

    /// The encoder of stored JSON, whose members need no order.
    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return encoder
    }()

    private func encode(_ value: some Encodable) throws -> String { String(decoding: try Self.encoder.encode(value), as: UTF8.self) }
}

extension FeedCustomer {
    /// Returns whether the record states more than another version of the record; a later check alone is no reason to write the record.
    fileprivate func isChanged(from stored: FeedCustomer?) -> Bool {
        stored.map { ($0.ordinal, $0.dueAt, $0.entitlements) != (ordinal, dueAt, entitlements) } ?? true
    }
}

/// The entitlements in a record of a customer: a JSON object, which `UnambiguousJSON` requires.
private struct StatedAnswer: Codable {
    let entitlements: [FeedState.Entitlement]
}

extension FeedEventDraft {
    /// Returns the draft of a change that time caused, with the transaction of the ended period.
    fileprivate func caused(byTime holdings: EntitlementService.Holdings) -> FeedEventDraft {
        guard case .entitlement(let state)? = after ?? before, let id = state.originalTransactionID,
            let timeline = (holdings.purchases.map(\.timeline) + holdings.seats.map(\.timeline)).first(where: {
                $0.latest.originalTransactionID == id
            })
        else { return self }
        var draft = self
        draft.signedAt = timeline.latest.signedDate
        draft.originals.transactions = [
            FeedEvent.Originals.Transaction(
                originalTransactionID: id, transactionID: timeline.latest.transactionID, source: timeline.latest.source)
        ]
        return draft
    }
}
