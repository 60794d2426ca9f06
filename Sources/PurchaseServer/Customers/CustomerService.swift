import Foundation
import PurchaseModel
import PurchaseStorage
import ServerProtocol

/// Creates, signs in, merges and deletes the customers of an app, and issues their tokens.
struct CustomerService: Sendable {
    /// The maximum number of valid tokens of a customer: about one for each installation of the app.
    static let tokenLimit = 100
    /// The maximum number of aliases of a customer.
    static let aliasLimit = 50
    /// The maximum number of merges in a reply about a customer.
    static let mergeLimit = 50
    /// The first characters of a customer token.
    private static let tokenPrefix = "ct_"

    let app: BundleID
    let storage: any PurchaseStorage
    let clock: any WallClock

    /// Creates an anonymous customer for an installation of the app, and issues a token.
    ///
    /// - Parameter id: The UUID that the app already uses as `appAccountToken`; nil for a new UUID. Only a backend may state a UUID.
    /// - Throws: ``CustomerRefusal/exists`` if the UUID has a customer, purchases, credits or grants: only a backend can issue a token for
    ///   this UUID.
    func createAnonymous(_ id: CustomerID?) async throws -> CustomerCredentials {
        let token = BearerSecret(prefix: Self.tokenPrefix)
        return try await storage.write(app) { [clock] records in
            let customer = id ?? CustomerID(UUID())
            guard customer.isWellFormed else { throw CustomerRefusal.malformed }
            let isNew = try records.customer(customer) == nil && records.products(of: customer).isEmpty
            // Refuse a UUID to which a backend has granted credits or entitlements, or for which it claimed a seat.
            guard isNew, try records.currencies(of: customer).isEmpty, try records.grants(of: customer).isEmpty,
                try records.seats(of: customer).isEmpty
            else {
                throw CustomerRefusal.exists
            }
            try records.put(CustomerRecord(id: customer, createdAt: clock.now))
            try records.insertToken(token.digest, of: customer, createdAt: clock.now, limit: Self.tokenLimit)
            return CustomerCredentials(customer: customer, token: token.text)
        }
    }

    /// Issues a token for a customer whom a backend identifies, and creates the customer if necessary.
    func issueToken(for reference: CustomerReference) async throws -> CustomerCredentials {
        let token = BearerSecret(prefix: Self.tokenPrefix)
        return try await storage.write(app) { [clock] records in
            let customer = try records.customerOrNew(reference, at: clock.now)
            try records.activate(customer, at: clock.now)
            try records.insertToken(token.digest, of: customer, createdAt: clock.now, limit: Self.tokenLimit)
            return CustomerCredentials(customer: customer, token: token.text)
        }
    }

    /// Returns the identifier, the aliases and the merges of a customer.
    func describe(_ reference: CustomerReference) async throws -> CustomerReply {
        try await storage.read(app) { records in
            guard let customer = try records.customer(reference) else { throw CustomerRefusal.unknown }
            return try records.reply(about: customer)
        }
    }

    /// Assigns an alias to a customer, such as the account number of a user who has just signed in.
    ///
    /// If another customer has the alias, and this customer is anonymous, the server merges the anonymous customer into the other customer:
    /// purchases, balances, granted entitlements, tokens and the consent move, until the merge is undone.
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
                return try records.reply(about: customer)
            }
            guard owner != customer else { return try records.reply(about: owner) }
            guard aliases.isEmpty else { throw CustomerRefusal.aliasTaken }
            try records.merge(customer, into: owner, at: clock.now)
            return try records.reply(about: owner, mergedCustomer: customer)
        }
    }

    /// Removes an alias of a customer, such as an alias that was assigned by mistake.
    ///
    /// Purchases, balances and tokens of the customer stay. Without aliases, the customer is anonymous, and can be merged into another
    /// customer.
    ///
    /// - Throws: ``CustomerRefusal/aliasUnknown`` if the customer does not have the alias.
    func removeAlias(_ alias: String, of reference: CustomerReference) async throws -> CustomerReply {
        try await storage.write(app) { records in
            guard let customer = try records.customer(reference) else { throw CustomerRefusal.unknown }
            guard try records.customer(alias: alias) == customer else { throw CustomerRefusal.aliasUnknown }
            try records.setAlias(alias, of: nil)
            return try records.reply(about: customer)
        }
    }

    /// Undoes the merge of an anonymous customer into another customer, such as a merge of two people who share a device.
    ///
    /// A repeated request has no further effect.
    ///
    /// - Parameters:
    ///   - merged: The anonymous customer.
    ///   - reference: The customer into whom the anonymous customer was merged.
    /// - Throws: ``CustomerRefusal/mergeUnknown``, or ``CustomerRefusal/mergeFinal`` if credits were posted after the merge.
    func undoMerge(of merged: CustomerID, into reference: CustomerReference) async throws -> CustomerReply {
        try await storage.write(app) { [clock] records in
            guard let customer = try records.customer(reference) else { throw CustomerRefusal.unknown }
            try records.undoMerge(of: merged, into: customer, at: clock.now)
            return try records.reply(about: customer)
        }
    }

    /// Deletes the personal data of a customer: aliases, tokens, grants, the consent, invitations, and the records of merges.
    ///
    /// The customer's seats are released. The purchases stay with the random identifier, so that the ledger stays complete and a refund
    /// still counts. A device that proves one of the purchases can claim the purchase for another customer.
    func delete(_ reference: CustomerReference) async throws {
        try await storage.write(app) { [clock] records in
            guard let customer = try records.customer(reference) else { throw CustomerRefusal.unknown }
            for alias in try records.aliases(of: customer) { try records.setAlias(alias, of: nil) }
            try records.moveTokens(of: customer, to: nil)
            try records.moveGrants(of: customer, to: nil)
            try records.deleteTeamData(of: customer, at: clock.now)
            try records.setConsumptionConsent(nil, of: customer)
            for id in try records.customersMerged(into: customer) + [customer] { try records.deleteMerges(of: id) }
            var record = try records.customer(customer) ?? CustomerRecord(id: customer, createdAt: clock.now)
            record.deletedAt = clock.now
            try records.put(record)
        }
    }
}

extension StorageTransaction {
    fileprivate func reply(about customer: CustomerID, mergedCustomer: CustomerID? = nil) throws -> CustomerReply {
        let merges = try merges(into: customer, limit: CustomerService.mergeLimit)
        return CustomerReply(
            customer: customer, aliases: try aliases(of: customer), mergedCustomer: mergedCustomer,
            merges: merges.isEmpty
                ? nil : merges.map { CustomerReply.Merge(customer: $0.merged, date: $0.date, undoneAt: $0.undoneAt) })
    }

    /// Creates a record for a customer whom a backend's request identifies, or reactivates a deleted customer.
    ///
    /// A customer who returns is no longer marked as deleted, so that no other customer can claim the purchases.
    fileprivate func activate(_ customer: CustomerID, at now: Timestamp) throws {
        var record = try self.customer(customer) ?? CustomerRecord(id: customer, createdAt: now)
        record.deletedAt = nil
        try put(record)
    }
}
