import Foundation
import PurchaseModel
import PurchaseStorage

extension StorageTransaction {
    /// Merges an anonymous customer into another customer: purchases, balances, granted entitlements, seats, tokens and the consent
    /// move.
    func merge(_ anonymous: CustomerID, into customer: CustomerID, at date: Timestamp) throws {
        var merge = CustomerMergeRecord(of: anonymous, into: customer, date: date)
        for held in try purchases(of: anonymous) {
            guard var purchase = try purchase(held.originalTransactionID) else { continue }
            purchase.replaceMerged { $0 == anonymous ? customer : $0 }
            try put(purchase)
        }
        for currency in try currencies(of: anonymous) {
            if let balance = try moveBalance(of: anonymous, in: currency, to: customer, at: date) { merge.balances.append(balance) }
        }
        merge.newestPostings = try newestPostings(of: customer)
        merge.tokens = try tokens(of: anonymous)
        try moveTokens(of: anonymous, to: customer)
        merge.grants = try movableGrants(of: anonymous, to: customer)
        try moveGrants(of: anonymous, to: customer)
        let seats = try moveSeats(of: anonymous, to: customer, at: date)
        merge.seats = seats.isEmpty ? nil : seats
        if let consent = try consumptionConsent(of: anonymous) {
            merge.consent = consent
            if try consumptionConsent(of: customer) == nil { try setConsumptionConsent(consent, of: customer) }
            try setConsumptionConsent(nil, of: anonymous)
        }
        merge.earlier = try customersMerged(into: anonymous)
        try setMerged(merge.earlier + [anonymous], into: customer, at: date)
        try put(merge)
    }

    /// Undoes a merge: moves balances, tokens, grants and the consent back if the customer still has them, and assigns the purchases again.
    ///
    /// Tokens, grants and purchases that were added to `customer` after the merge stay with `customer`, except purchases whose
    /// `appAccountToken` is the anonymous customer's identifier.
    func undoMerge(of anonymous: CustomerID, into customer: CustomerID, at date: Timestamp) throws {
        guard var merge = try merge(of: anonymous, into: customer) else { throw CustomerRefusal.mergeUnknown }
        guard merge.undoneAt == nil else {
            // Refuse a repeated undo if the anonymous customer was merged into `customer` again, possibly through a third customer.
            guard try current(anonymous) != customer else { throw CustomerRefusal.mergeUnknown }
            return
        }
        // Refuse the undo after a later posting, because no record states which of the two customers owns the posted credits.
        guard Set(try newestPostings(of: customer)) == Set(merge.newestPostings) else { throw CustomerRefusal.mergeFinal }
        for balance in merge.balances { try moveBack(balance, of: merge, at: date) }
        for token in merge.tokens { try moveToken(token, of: customer, to: anonymous) }
        try moveGrantsBack(merge)
        try moveSeatsBack(merge)
        // Move the consent back, unless the customer withdrew the consent after the merge.
        if let consent = merge.consent, let present = try consumptionConsent(of: customer) {
            if present == consent { try setConsumptionConsent(nil, of: customer) }
            try setConsumptionConsent(consent, of: anonymous)
        }
        try setMerged([anonymous], into: nil, at: date)
        try setMerged(merge.earlier, into: anonymous, at: date)
        for id in Set(try purchases(of: customer).map(\.originalTransactionID)) {
            guard let stored = try purchase(id), var projection = try PurchaseProjection(of: id, in: self) else { continue }
            projection.timeline = stored.timeline
            let decided = try PurchaseRecord(projection, claims: claims(of: id), current: current)
            if decided != stored { try put(decided) }
        }
        merge.undoneAt = date
        // Remove the personal data, which the record of an undone merge does not need.
        (merge.tokens, merge.grants, merge.consent, merge.seats) = ([], [], nil, nil)
        try put(merge)
    }

    private func setMerged(_ customers: [CustomerID], into other: CustomerID?, at date: Timestamp) throws {
        for customer in customers {
            var record = try self.customer(customer) ?? CustomerRecord(id: customer, createdAt: date)
            record.mergedInto = other
            try put(record)
        }
    }

    /// Returns the grants that a merge moves, because the target customer lacks them.
    private func movableGrants(of anonymous: CustomerID, to customer: CustomerID) throws -> [EntitlementGrant] {
        let present = try grants(of: customer)
        return try grants(of: anonymous).filter { grant in
            !present.contains { $0.entitlement == grant.entitlement && $0.grantedAt == grant.grantedAt }
        }
    }

    /// Returns the number of the newest posting in each currency of a customer, without postings of merges that were undone.
    private func newestPostings(of customer: CustomerID) throws -> [CustomerMergeRecord.NewestPosting] {
        try currencies(of: customer).compactMap { currency in
            try newestPosting(of: customer, in: currency).map { CustomerMergeRecord.NewestPosting(currency: currency, number: $0) }
        }
    }

    /// Returns the number of the newest posting in a currency, without postings of merges that were undone and of their reversals.
    private func newestPosting(of customer: CustomerID, in currency: CurrencyID) throws -> Int64? {
        var (undone, before) = (Set<OpaqueText>(), Int64?.none)
        while true {
            let page = try postings(of: customer, in: currency, before: before, limit: 100)
            for posting in page {
                switch posting.kind {
                case .mergeReversal: undone.insert(OpaqueText(posting.key))
                case .merge where undone.remove(OpaqueText(posting.key)) != nil: break
                default: return posting.number
                }
            }
            guard let last = page.last else { return nil }
            before = last.number
        }
    }

    /// Moves the whole balance in a currency to another customer; returns nil for an empty balance.
    private func moveBalance(
        of anonymous: CustomerID, in currency: CurrencyID, to customer: CustomerID, at date: Timestamp
    ) throws -> CustomerMergeRecord.Balance? {
        var source = try balance(of: anonymous, in: currency)
        var target = try balance(of: customer, in: currency)
        guard source != CreditBalance() else { return nil }
        var key = MergeKey(anonymous, number: 1)
        while try posting(.merge, key: key.description, of: anonymous, in: currency) != nil {
            key = MergeKey(anonymous, number: key.number + 1)
        }
        let merged = CustomerMergeRecord.Balance(
            currency: currency, key: key.description, moved: source, wasFrozen: target.isFrozen)
        let (taken, added) = try CreditBalance.move(from: &source, to: &target)
        try post(.merge, merged, of: anonymous, taken, source, at: date)
        try post(.merge, merged, of: customer, added, target, at: date)
        return merged
    }

    private func moveBack(_ merged: CustomerMergeRecord.Balance, of merge: CustomerMergeRecord, at date: Timestamp) throws {
        var source = try balance(of: merge.merged, in: merged.currency)
        var target = try balance(of: merge.customer, in: merged.currency)
        let (returned, taken) = try CreditBalance.moveBack(merged.moved, from: &target, wasFrozen: merged.wasFrozen, to: &source)
        try post(.mergeReversal, merged, of: merge.customer, taken, target, at: date)
        try post(.mergeReversal, merged, of: merge.merged, returned, source, at: date)
    }

    private func post(
        _ kind: LedgerPosting.Kind, _ merged: CustomerMergeRecord.Balance, of customer: CustomerID, _ entries: [LedgerEntry],
        _ balance: CreditBalance, at date: Timestamp
    ) throws {
        try post(
            LedgerPosting(
                customer: customer, currency: merged.currency, key: merged.key, kind: kind, entries: entries, balance: balance.amount,
                date: date),
            balance: balance)
    }

    /// Moves the grants back with their current revocation dates, because a backend may have revoked a grant after the merge.
    private func moveGrantsBack(_ merge: CustomerMergeRecord) throws {
        guard !merge.grants.isEmpty else { return }
        let present = try grants(of: merge.customer)
        for grant in merge.grants {
            let moved = present.first { $0.entitlement == grant.entitlement && $0.grantedAt == grant.grantedAt }
            var own = grant
            if let moved {
                own.revokedAt = moved.revokedAt
                try delete(moved)
            }
            try put(own)
        }
    }
}
