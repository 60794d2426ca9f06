import GRDB
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// Shares a purchase with the purchaser's family members.
    func share(_ row: TransactionRecord, at now: Timestamp, _ db: Database) throws {
        let owner = try AccountRecord.require(row.account, db)
        guard owner.sharesPurchases else { return }
        for relative in try owner.relatives(db) {
            try give(row, to: relative, at: now, db)
        }
    }

    /// Shares a subscription with the purchaser's family members, if the product is family-shareable.
    func share(_ row: SubscriptionRecord, at now: Timestamp, _ db: Database) throws {
        let owner = try AccountRecord.require(row.account, db)
        guard owner.sharesPurchases, row.sharedFrom == nil, !row.subscription.hasEnded,
            isShareable(row.subscription.productID, row.bundleID)
        else { return }
        let known = Set(try SubscriptionRecord.copies(of: row.id, db).filter { !$0.subscription.hasEnded }.map(\.account))
        for relative in try owner.relatives(db) where !known.contains(relative.id) {
            try give(row, to: relative, at: now, db)
        }
    }

    /// Updates Family Sharing after a change of plan: family members lose a product that is not family-shareable and gain one that is.
    func shareAnew(_ row: SubscriptionRecord, at now: Timestamp, _ db: Database) throws {
        if isShareable(row.subscription.productID, row.bundleID) { return try share(row, at: now, db) }
        for copy in try SubscriptionRecord.copies(of: row.id, db) {
            try pass(.sharingEnded, to: copy, at: now, db)
        }
    }

    /// Adds and removes the Family Sharing entitlements that result from a change of an account, for the account and for its family
    /// members.
    func familyChanged(from before: AccountRecord, to after: AccountRecord, at now: Timestamp, _ db: Database) throws {
        if before.family != after.family {
            try loseShared(of: after.id, at: now, db)
            for relative in try before.relatives(db) {
                try loseShared(of: relative.id, from: after.id, at: now, db)
            }
            for relative in try after.relatives(db) {
                try shareEverything(of: relative, at: now, db)
            }
            try shareEverything(of: after, at: now, db)
        } else if before.sharesPurchases, !after.sharesPurchases {
            for relative in try after.relatives(db) {
                try loseShared(of: relative.id, from: after.id, at: now, db)
            }
        } else if !before.sharesPurchases, after.sharesPurchases {
            try shareEverything(of: after, at: now, db)
        }
    }

    /// Revokes the family members' transactions that share a revoked transaction of the purchaser.
    func revokeShared(from row: TransactionRecord, at now: Timestamp, _ db: Database) throws {
        let sql = "SELECT * FROM transactions WHERE sharedFrom = ? AND revokedAt IS NULL"
        for shared in try TransactionRecord.fetchAll(db.cachedStatement(sql: sql), arguments: [row.id.rawValue]) {
            try revoke(shared, reason: row.revocationReason ?? 0, at: now, db)
        }
    }

    private func isShareable(_ product: ProductID, _ bundleID: BundleID) -> Bool {
        apps[bundleID]?.catalog.product(product)?.isFamilyShareable ?? false
    }

    private func shareEverything(of owner: AccountRecord, at now: Timestamp, _ db: Database) throws {
        guard owner.sharesPurchases, owner.family != nil else { return }
        let sql = """
            SELECT * FROM transactions WHERE account = ? AND kind = 'purchase' AND id = originalID AND type = ? AND revokedAt IS NULL
            """
        let arguments: StatementArguments = [owner.id.rawValue, ProductType.nonConsumable.rawValue]
        for row in try TransactionRecord.fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
        where isShareable(row.productID, row.bundleID) {
            try share(row, at: now, db)
        }
        for row in try SubscriptionRecord.all(of: owner.id, db) {
            try share(row, at: now, db)
        }
    }

    private func give(_ row: TransactionRecord, to relative: AccountRecord, at now: Timestamp, _ db: Database) throws {
        let sql = "SELECT TRUE FROM transactions WHERE sharedFrom = ? AND account = ? AND revokedAt IS NULL"
        guard try Bool.fetchOne(db.cachedStatement(sql: sql), arguments: [row.id.rawValue, relative.id.rawValue]) == nil else { return }
        let buyer = try receiver(relative, of: row, at: now, db)
        var shared = try TransactionRecord(.shared, row.productID, row.type, for: buyer, price: 0, at: now.wholeSeconds, db)
        shared.sharedFrom = row.id
        shared.currency = row.currency
        try insert(&shared, at: now, db)
        try record(.purchase, about: shared, at: now, detail: "shared by \(row.account)", db)
        try notify(.oneTimeCharge, about: shared, at: now, db)
    }

    private func give(_ row: SubscriptionRecord, to relative: AccountRecord, at now: Timestamp, _ db: Database) throws {
        guard let source = try TransactionRecord.newestPeriod(of: row.id, db) else { throw StoreError.transactionUnknown }
        let buyer = try receiver(relative, of: source, at: now, db)
        var first = try TransactionRecord(.shared, source.productID, source.type, for: buyer, price: 0, at: source.purchaseDate, db)
        // The family member's period is the purchaser's period, even if the family member joins in the middle of the period.
        let (copy, actions) = row.subscription.copy(originalTransactionID: first.id, appTransactionID: buyer.customer)
        first.groupID = row.groupID
        first.sharedFrom = source.id
        first.state(copy.period)
        first.expiresDate = source.expiresDate
        first.webOrderLineItemID = try StoreCounter.orderLine.next(db)
        try insert(&first, at: now, db)
        try record(.purchase, about: first, at: now, detail: "shared by \(row.account)", db)
        var copyRow = SubscriptionRecord(
            account: relative.id, bundleID: row.bundleID, groupID: row.groupID, subscription: copy, sharedFrom: row.id)
        try copyRow.insert(db)
        try perform(actions, of: &copyRow, nil, at: now, db)
    }

    private func receiver(_ relative: AccountRecord, of row: TransactionRecord, at now: Timestamp, _ db: Database) throws -> Buyer {
        let used = try SessionRecord.newestDevice(of: relative.id, in: row.bundleID, db)
        return try buyer(relative.id, row.bundleID, used ?? row.device, row.appVersion, at: now, db)
    }

    /// Revokes the Family Sharing entitlements that an account has from one family member, or from all family members if `owner` is nil.
    private func loseShared(of account: AccountID, from owner: AccountID? = nil, at now: Timestamp, _ db: Database) throws {
        let sql = """
            SELECT t.* FROM transactions t JOIN transactions s ON s.id = t.sharedFrom
            WHERE t.account = ? AND t.revokedAt IS NULL AND t.period IS NULL AND (? IS NULL OR s.account = ?)
            """
        let arguments: StatementArguments = [account.rawValue, owner?.rawValue, owner?.rawValue]
        for row in try TransactionRecord.fetchAll(db.cachedStatement(sql: sql), arguments: arguments) {
            try revoke(row, reason: 0, at: now, db)
        }
        let copies = """
            SELECT c.* FROM subscriptions c JOIN subscriptions s ON s.id = c.sharedFrom
            WHERE c.account = ? AND (? IS NULL OR s.account = ?)
            """
        for copy in try SubscriptionRecord.fetchAll(db.cachedStatement(sql: copies), arguments: arguments) {
            try pass(.sharingEnded, to: copy, at: now, db)
        }
    }

    private func revoke(_ shared: TransactionRecord, reason: Int, at now: Timestamp, _ db: Database) throws {
        var shared = shared
        shared.revoke(.family, reason: reason, at: now)
        try change(&shared, db)
        try record(.revocation, about: shared, at: now, db)
        try notify(.revoked, about: shared, at: now, db)
    }
}
