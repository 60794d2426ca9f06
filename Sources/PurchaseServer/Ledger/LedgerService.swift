public import PurchaseModel
import PurchaseStorage
import ServerProtocol

/// Reads and changes the balances of an app's customers.
struct LedgerService: Sendable {
    /// The maximum number of credits of one debit or grant.
    static let amountLimit: Int64 = 1_000_000_000
    /// The maximum length of an idempotency key in bytes.
    static let keyLimit = 100
    /// The maximum number of postings of a page of a statement.
    static let pageLimit = 200

    let app: BundleID
    let storage: any PurchaseStorage
    let clock: any WallClock
    var catalog: any CatalogSource = ProductCatalog([])
    /// The results of recent reads, which answer requests while the database is unavailable.
    let recent = RecentReads<CustomerReference, [BalanceReply]>()

    /// Returns a customer's balances, sorted by currency; the balances of the last read while the database is unavailable.
    func balances(of reference: CustomerReference) async throws -> BalancesReply {
        let (balances, staleSince) = try await recent.value(for: reference, at: clock.now) {
            try await storage.read(app) { records in
                guard let customer = try records.customer(reference) else { return [] }
                return try records.balanceReplies(of: customer)
            }
        }
        return BalancesReply(balances: balances, staleSince: staleSince)
    }

    /// Debits credits from a customer's balance, once for each idempotency key; a repeated call returns the first result.
    ///
    /// - Throws: ``LedgerRefusal``; nothing was debited.
    func debit(_ request: DebitRequest, from reference: CustomerReference) async throws -> LedgerReply {
        try await post(.debit, request, for: reference) { balance throws(CreditBalance.Refusal) in try balance.debit(request.amount) }
    }

    /// Adds credits to a customer's balance, once for each idempotency key; a repeated call returns the first result.
    ///
    /// - Throws: ``LedgerRefusal``; nothing was added.
    func grant(_ request: DebitRequest, to reference: CustomerReference) async throws -> LedgerReply {
        // Refuse a misspelled currency, because the customer could not spend the credits.
        if let unknown = catalog.catalog.unknown(request.currency ?? .credits) { throw LedgerRefusal.currencyUnknown(unknown) }
        return try await post(.grant, request, for: reference) { balance throws(CreditBalance.Refusal) in
            try balance.credit(request.amount, from: .grants)
        }
    }

    private func post(
        _ kind: LedgerPosting.Kind, _ request: DebitRequest, for reference: CustomerReference,
        _ change: @escaping @Sendable (inout CreditBalance) throws(CreditBalance.Refusal) -> [LedgerEntry]
    ) async throws -> LedgerReply {
        let (key, currency) = (request.idempotencyKey, request.currency ?? .credits)
        guard (1...Self.keyLimit).contains(key.utf8.count), IdentifierText.isValid(key) else { throw LedgerRefusal.key }
        guard (1...Self.amountLimit).contains(request.amount) else { throw LedgerRefusal.amount }
        guard (1...Self.keyLimit).contains(currency.rawValue.utf8.count) else { throw LedgerRefusal.currency }
        return try await storage.write(app) { [clock] records in
            let customer = try records.customerOrNew(reference, at: clock.now)
            // Also search the customers who were merged into this customer, because an app may repeat a request from before the merge.
            for holder in [customer] + (try records.customersMerged(into: customer)) {
                guard let earlier = try records.posting(kind, key: key, of: holder, in: currency) else { continue }
                guard earlier.amount.magnitude == request.amount.magnitude else { throw LedgerRefusal.keyReused }
                return LedgerReply(currency: currency, balance: earlier.balance, isRepeated: true)
            }
            var balance = try records.balance(of: customer, in: currency)
            let entries: [LedgerEntry]
            do throws(CreditBalance.Refusal) {
                entries = try change(&balance)
            } catch {
                switch error {
                case .amount: throw LedgerRefusal.amount
                case .insufficient: throw LedgerRefusal.insufficient(balance: balance.amount)
                case .frozen: throw LedgerRefusal.frozen
                }
            }
            try records.post(
                LedgerPosting(
                    customer: customer, currency: currency, key: key, kind: kind, entries: entries, balance: balance.amount,
                    date: clock.now),
                balance: balance)
            return LedgerReply(currency: currency, balance: balance.amount, isRepeated: false)
        }
    }

    /// Lifts the freeze of a balance; a call for a balance that is not frozen changes nothing.
    func unfreeze(_ currency: CurrencyID, of reference: CustomerReference) async throws -> BalanceReply {
        try await storage.write(app) { [clock] records in
            let customer = try records.customerOrNew(reference, at: clock.now)
            var balance = try records.balance(of: customer, in: currency)
            if balance.isFrozen {
                let now = clock.now
                balance.unfreeze()
                // Find an unused key: a balance can be frozen twice in one millisecond, or the clock can be set back.
                var (key, number) = ("\(now.milliseconds)", 1)
                while try records.posting(.unfreeze, key: key, of: customer, in: currency) != nil {
                    number += 1
                    key = "\(now.milliseconds)/\(number)"
                }
                try records.post(
                    LedgerPosting(
                        customer: customer, currency: currency, key: key, kind: .unfreeze, entries: [], balance: balance.amount, date: now),
                    balance: balance)
            }
            return BalanceReply(currency: currency, amount: balance.amount, isFrozen: balance.isFrozen)
        }
    }

    /// Returns a page of a customer's postings in one currency, newest first.
    func statement(
        of reference: CustomerReference, in currency: CurrencyID, before number: Int64?, limit: Int
    ) async throws -> StatementReply {
        guard (1...Self.pageLimit).contains(limit) else { throw LedgerRefusal.page }
        return try await storage.read(app) { records in
            guard let customer = try records.customer(reference) else {
                return StatementReply(currency: currency, postings: [], nextBefore: nil)
            }
            let postings = try records.postings(of: customer, in: currency, before: number, limit: limit).map { posting in
                StatementReply.Posting(
                    number: posting.number, kind: posting.kind.rawValue, key: posting.key, amount: posting.amount,
                    balance: posting.balance, date: posting.date, entries: posting.entries)
            }
            let last = postings.last?.number
            return StatementReply(
                currency: currency, postings: postings, nextBefore: postings.count == limit && last != 1 ? last : nil)
        }
    }

    /// Computes the sums of the accounts from all entries; each currency of a correct ledger has the sum zero.
    ///
    /// The cost grows with the ledger.
    func audit() async throws -> LedgerAudit {
        try await storage.read(app) { LedgerAudit(totals: try $0.accountTotals()) }
    }
}

/// The sums of a ledger's accounts, by currency.
public struct LedgerAudit: Hashable, Sendable {
    /// The sum of all entries of each account.
    public let totals: [CurrencyID: [LedgerAccount: Int64]]

    /// The currencies whose sum over all accounts is not zero, sorted; empty for a correct ledger.
    public var unbalanced: [CurrencyID] {
        totals.filter { $0.value.values.reduce(0, &+) != 0 }.keys.sorted()
    }
}

extension StorageTransaction {
    /// Returns the balances of a customer, sorted by currency.
    func balanceReplies(of customer: CustomerID) throws -> [BalanceReply] {
        try balances(of: customer).map { BalanceReply(currency: $0.currency, amount: $0.balance.amount, isFrozen: $0.balance.isFrozen) }
    }
}
