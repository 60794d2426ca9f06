import GRDB
import PurchaseModel
import StoreProtocol

/// The service that creates and changes accounts.
struct AccountService: Sendable {
    let context: StoreContext
    let events: EventService
    let subscriptions: SubscriptionService
    let familySharing: FamilySharingService

    /// Creates an account; a repeated request with the same data changes nothing.
    ///
    /// - Throws: ``AccountError/taken`` if an account with the name exists and its password or Ask to Buy setting differs.
    func createAccount(_ request: CreateAccountRequest) async throws {
        try Self.check(account: request.account, password: request.password)
        try await context.transaction { db, now in
            let account = AccountRecord(
                id: request.account, password: request.password, askToBuyEnabled: request.askToBuyEnabled, hasValidPaymentMethod: true)
            try account.insert(db, onConflict: .ignore)
            if db.changesCount == 1 {
                try events.insertEvent(EventRecord(date: now, kind: .account, account: account.id, detail: "created"), db)
            }
            let known = try AccountRecord.require(request.account, db)
            guard known.password.utf8.elementsEqual(request.password.utf8), known.askToBuyEnabled == request.askToBuyEnabled else {
                throw AccountError.taken
            }
        }
    }

    /// Changes an account; parameters that are nil in the request keep their values.
    ///
    /// An account that joins a family shares its earlier purchases with the family. An account that leaves a family, or disables
    /// purchase sharing, revokes the other members' Family Sharing entitlements.
    func setAccount(_ account: AccountID, _ request: AccountRequest) async throws -> AccountDescription {
        try Self.check(account: account, password: request.password ?? "unchanged")
        if let storefront = request.storefront, !storefront.isEmpty, Storefront(countryCode: storefront) == nil {
            throw StoreError.invalidValue(field: "storefront")
        }
        guard request.family?.utf8.count ?? 0 <= 200 else { throw StoreError.invalidValue(field: "family") }
        return try await context.transaction { db, now in
            let before = try AccountRecord.require(account, db)
            var row = before
            row.password = request.password ?? row.password
            row.askToBuyEnabled = request.askToBuyEnabled ?? row.askToBuyEnabled
            row.interruptedPurchasesEnabled = request.interruptedPurchasesEnabled ?? row.interruptedPurchasesEnabled
            row.sharesPurchases = request.sharesPurchases ?? row.sharesPurchases
            row.environment = request.environment ?? row.environment
            if let storefront = request.storefront { row.storefront = storefront.isEmpty ? nil : storefront }
            if let family = request.family { row.family = family.isEmpty ? nil : family }
            try row.update(db)
            try events.insertEvent(EventRecord(date: now, kind: .account, account: account, detail: "changed"), db)
            try familySharing.updateFamilySharing(from: before, to: row, at: now, db)
            if let isValid = request.hasValidPaymentMethod, isValid != row.hasValidPaymentMethod {
                try setPaymentMethod(of: account, isValid: isValid, at: now, db)
            }
            return try AccountRecord.require(account, db).description
        }
    }

    /// Returns all accounts of the store, in the order of their creation.
    func accounts() async throws -> AccountsReply {
        AccountsReply(
            accounts: try await context.read { db in
                try AccountRecord.fetchAll(db.cachedStatement(sql: "SELECT * FROM accounts ORDER BY rowid")).map(\.description)
            })
    }

    /// Returns the charges and refunds of an account in all apps, oldest first.
    func charges(of account: AccountID) async throws -> ChargesReply {
        let rows = try await context.read { db in
            _ = try AccountRecord.require(account, db)
            let sql = "SELECT * FROM charges WHERE account = ? ORDER BY id"
            return try ChargeRecord.fetchAll(db.cachedStatement(sql: sql), arguments: [account.rawValue]).map(\.charge)
        }
        return ChargesReply(charges: rows)
    }

    /// Removes an account with its purchases and its sign-ins.
    ///
    /// - Throws: ``AccountError/unknown`` or ``AccountError/shared``.
    func removeAccount(_ account: AccountID) async throws {
        try await context.transaction { db, now in
            try AccountRemoval.remove(account, db)
            try events.insertEvent(EventRecord(date: now, kind: .account, account: account, detail: "removed"), db)
        }
    }

    /// Sets whether an account's payment method is valid; a valid payment method immediately pays the renewals that it declined before.
    func setPaymentMethod(of account: AccountID, isValid: Bool) async throws {
        try await context.transaction { db, now in try setPaymentMethod(of: account, isValid: isValid, at: now, db) }
    }

    private func setPaymentMethod(of account: AccountID, isValid: Bool, at now: Timestamp, _ db: Database) throws {
        let sql = "UPDATE accounts SET hasValidPaymentMethod = ? WHERE id = ?"
        try db.cachedStatement(sql: sql).execute(arguments: [isValid, account.rawValue])
        guard db.changesCount == 1 else { throw AccountError.unknown }
        let detail = isValid ? "payment method valid" : "payment method declines"
        try events.insertEvent(EventRecord(date: now, kind: .account, account: account, detail: detail), db)
        guard isValid else { return }
        for row in try SubscriptionRecord.all(of: account, db) where row.purchaserTransactionID == nil {
            try subscriptions.apply(.billingIssueResolved, to: row, at: now, db)
        }
    }

    private static func check(account: AccountID, password: String) throws(StoreError) {
        guard (1...200).contains(account.rawValue.utf8.count) else { throw .invalidValue(field: "account") }
        guard (1...1_000).contains(password.utf8.count) else { throw .invalidValue(field: "password") }
    }
}

extension AccountRecord {
    /// The account as the control API returns it.
    var description: AccountDescription {
        AccountDescription(
            account: id, askToBuyEnabled: askToBuyEnabled, hasValidPaymentMethod: hasValidPaymentMethod,
            interruptedPurchasesEnabled: interruptedPurchasesEnabled, sharesPurchases: sharesPurchases, environment: environment,
            storefront: storefront, family: family
        )
    }
}
