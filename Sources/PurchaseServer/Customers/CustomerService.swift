import Foundation
import PurchaseModel
import PurchaseProtocol

/// Creates, signs in, merges and deletes the customers of an app, and issues their tokens.
struct CustomerService: Sendable {
    /// The maximum number of valid tokens of a customer: about one for each installation of the app.
    static let tokenLimit = 100
    /// The maximum number of aliases of a customer.
    static let aliasLimit = 50
    /// The first characters of a customer token.
    private static let tokenPrefix = "ct_"

    let app: BundleID
    let storage: any PurchaseStorage
    let clock: any WallClock

    /// Creates an anonymous customer for an installation of the app, and issues a token.
    ///
    /// - Parameter id: The UUID that the app already uses as `appAccountToken`, which only a backend may state; nil for a new one.
    /// - Throws: ``CustomerRefusal/exists`` if the UUID has a customer, purchases, credits or grants: only a backend can issue a token for it.
    func createAnonymous(_ id: CustomerID?) async throws -> CustomerCredentials {
        let token = BearerSecret(prefix: Self.tokenPrefix)
        return try await storage.write(app) { [clock] records in
            let customer = id ?? CustomerID(UUID())
            guard customer.isWellFormed else { throw CustomerRefusal.malformed }
            let isNew = try records.customer(customer) == nil && records.products(of: customer).isEmpty
            // A backend can have granted credits or entitlements to the UUID.
            guard isNew, try records.currencies(of: customer).isEmpty, try records.grants(of: customer).isEmpty else {
                throw CustomerRefusal.exists
            }
            try records.put(CustomerRecord(id: customer, createdAt: clock.now))
            try records.insertToken(token.digest, of: customer, createdAt: clock.now, limit: Self.tokenLimit)
            return CustomerCredentials(customer: customer, token: token.text)
        }
    }

    /// Issues a token for a customer whom a backend names, and creates the customer if necessary.
    func issueToken(for reference: CustomerReference) async throws -> CustomerCredentials {
        let token = BearerSecret(prefix: Self.tokenPrefix)
        return try await storage.write(app) { [clock] records in
            let customer = try records.customerOrNew(reference, at: clock.now)
            try records.activate(customer, at: clock.now)
            try records.insertToken(token.digest, of: customer, createdAt: clock.now, limit: Self.tokenLimit)
            return CustomerCredentials(customer: customer, token: token.text)
        }
    }

    /// Returns the identifier and the aliases of a customer.
    func describe(_ reference: CustomerReference) async throws -> CustomerReply {
        try await storage.read(app) { records in
            guard let customer = try records.customer(reference) else { throw CustomerRefusal.unknown }
            return CustomerReply(customer: customer, aliases: try records.aliases(of: customer), mergedCustomer: nil)
        }
    }

    /// Assigns an alias to a customer, such as the account number of a user who has just signed in.
    ///
    /// If another customer has the alias, and this customer is anonymous, the anonymous customer is merged into the other: purchases,
    /// balances, granted entitlements and tokens move.
    ///
    /// - Throws: ``CustomerRefusal/aliasTaken`` if both customers have aliases.
    func addAlias(_ alias: String, to reference: CustomerReference) async throws -> CustomerReply {
        guard CustomerReference.isAlias(alias) else { throw CustomerRefusal.aliasMalformed }
        return try await storage.write(app) { [clock] records in
            let customer = try records.customerOrNew(reference, at: clock.now)
            let aliases = try records.aliases(of: customer)
            guard let owner = try records.customer(alias: alias) else {
                guard aliases.count < Self.aliasLimit else { throw CustomerRefusal.aliasLimit }
                try records.activate(customer, at: clock.now)
                try records.setAlias(alias, of: customer)
                return CustomerReply(customer: customer, aliases: try records.aliases(of: customer), mergedCustomer: nil)
            }
            guard owner != customer else { return CustomerReply(customer: owner, aliases: aliases, mergedCustomer: nil) }
            guard aliases.isEmpty else { throw CustomerRefusal.aliasTaken }
            try CustomerMerge(anonymous: customer, into: owner, date: clock.now).perform(in: records)
            return CustomerReply(customer: owner, aliases: try records.aliases(of: owner), mergedCustomer: customer)
        }
    }

    /// Removes an alias of a customer, such as one that was assigned by mistake.
    ///
    /// Purchases, balances and tokens of the customer stay. Without aliases, the customer is anonymous, and can be merged into another one.
    ///
    /// - Throws: ``CustomerRefusal/aliasUnknown`` if the customer does not have the alias.
    func removeAlias(_ alias: String, of reference: CustomerReference) async throws -> CustomerReply {
        try await storage.write(app) { records in
            guard let customer = try records.customer(reference) else { throw CustomerRefusal.unknown }
            guard try records.customer(alias: alias) == customer else { throw CustomerRefusal.aliasUnknown }
            try records.setAlias(alias, of: nil)
            return CustomerReply(customer: customer, aliases: try records.aliases(of: customer), mergedCustomer: nil)
        }
    }

    /// Deletes the personal data of a customer: aliases, tokens, granted entitlements and the consent.
    ///
    /// The purchases stay with the random identifier, so that the ledger stays complete and a refund still counts. A device that proves one
    /// of them can claim it for another customer.
    func delete(_ reference: CustomerReference) async throws {
        try await storage.write(app) { [clock] records in
            guard let customer = try records.customer(reference) else { throw CustomerRefusal.unknown }
            for alias in try records.aliases(of: customer) { try records.setAlias(alias, of: nil) }
            try records.moveTokens(of: customer, to: nil)
            try records.moveGrants(of: customer, to: nil)
            try records.setConsumptionConsent(nil, of: customer)
            var record = try records.customer(customer) ?? CustomerRecord(id: customer, createdAt: clock.now)
            record.deletedAt = clock.now
            try records.put(record)
        }
    }
}

extension StorageTransaction {
    /// Stores that a backend knows a customer.
    ///
    /// A customer who returns after a deletion is a customer again, so that nobody else can claim the purchases.
    fileprivate func activate(_ customer: CustomerID, at now: Timestamp) throws {
        var record = try self.customer(customer) ?? CustomerRecord(id: customer, createdAt: now)
        record.deletedAt = nil
        try put(record)
    }
}

/// Merges an anonymous customer into another customer.
struct CustomerMerge {
    let anonymous: CustomerID
    let into: CustomerID
    let date: Timestamp

    /// Moves purchases, balances, granted entitlements, tokens and the consent.
    func perform(in records: any StorageTransaction) throws {
        for held in try records.purchases(of: anonymous) {
            guard var purchase = try records.purchase(held.originalTransactionID) else { continue }
            purchase.replaceMerged { $0 == anonymous ? into : $0 }
            try records.put(purchase)
        }
        for currency in try records.currencies(of: anonymous) { try moveBalance(in: currency, records) }
        try records.moveTokens(of: anonymous, to: into)
        try records.moveGrants(of: anonymous, to: into)
        if let consent = try records.consumptionConsent(of: anonymous) {
            if try records.consumptionConsent(of: into) == nil { try records.setConsumptionConsent(consent, of: into) }
            try records.setConsumptionConsent(nil, of: anonymous)
        }
        for earlier in try records.customersMerged(into: anonymous) + [anonymous] {
            var record = try records.customer(earlier) ?? CustomerRecord(id: earlier, createdAt: date)
            record.mergedInto = into
            try records.put(record)
        }
    }

    private func moveBalance(in currency: CurrencyID, _ records: any StorageTransaction) throws {
        var source = try records.balance(of: anonymous, in: currency)
        var target = try records.balance(of: into, in: currency)
        guard source != CreditBalance() else { return }
        let (taken, added) = try CreditBalance.move(from: &source, to: &target)
        let postings = [(anonymous, taken, source), (into, added, target)]
        for (customer, entries, balance) in postings {
            try records.post(
                LedgerPosting(
                    customer: customer, currency: currency, key: anonymous.rawValue, kind: .merge, entries: entries,
                    balance: balance.amount, date: date),
                balance: balance)
        }
    }
}
