import GRDB
import PurchaseModel
import StoreProtocol

/// The service that shares purchases with the family of their purchaser.
struct FamilySharingService: Sendable {
    let context: StoreContext
    let transactions: TransactionService
    let subscriptions: SubscriptionService
    let notices: NoticeService

    /// Gives the purchaser's family members access to a transaction through Family Sharing, if the purchaser shares purchases.
    func share(_ row: TransactionRecord, at now: Timestamp, _ db: Database) throws {
        let purchaser = try AccountRecord.require(row.account, db)
        guard purchaser.sharesPurchases else { return }
        for familyMember in try purchaser.familyMembers(db) {
            try grant(row, to: familyMember, at: now, db)
        }
    }

    /// Gives the purchaser's family members access to a subscription through Family Sharing.
    ///
    /// The method does nothing if the product is not family-shareable, the subscription has ended, or the purchaser does not share
    /// purchases.
    func share(_ row: SubscriptionRecord, at now: Timestamp, _ db: Database) throws {
        let purchaser = try AccountRecord.require(row.account, db)
        guard purchaser.sharesPurchases, row.purchaserTransactionID == nil, !row.subscription.hasEnded,
            isShareable(row.subscription.productID, row.bundleID), row.subscription.seats == nil
        else { return }
        let known = Set(try SubscriptionRecord.sharedSubscriptions(of: row.id, db).filter { !$0.subscription.hasEnded }.map(\.account))
        for familyMember in try purchaser.familyMembers(db) where !known.contains(familyMember.id) {
            try grant(row, to: familyMember, .familyShared, at: now, db)
        }
    }

    /// Updates Family Sharing after a subscription changed to another product.
    ///
    /// Family members lose access if the new product is not family-shareable, and get access if it is.
    func updateSharing(_ row: SubscriptionRecord, at now: Timestamp, _ db: Database) throws {
        if row.subscription.seats == nil, isShareable(row.subscription.productID, row.bundleID) { return try share(row, at: now, db) }
        for entitlement in try SubscriptionRecord.sharedSubscriptions(of: row.id, db)
        where entitlement.subscription.ownership == .familyShared {
            try subscriptions.apply(.sharingEnded, to: entitlement, at: now, db)
        }
    }

    /// Adds and revokes Family Sharing entitlements after an account changed its family or its sharing of purchases.
    func updateFamilySharing(from before: AccountRecord, to after: AccountRecord, at now: Timestamp, _ db: Database) throws {
        if before.family != after.family {
            try revokeEntitlements(of: after.id, at: now, db)
            for familyMember in try before.familyMembers(db) {
                try revokeEntitlements(of: familyMember.id, from: after.id, at: now, db)
            }
            for familyMember in try after.familyMembers(db) {
                try shareAllPurchases(of: familyMember, at: now, db)
            }
            try shareAllPurchases(of: after, at: now, db)
        } else if before.sharesPurchases, !after.sharesPurchases {
            for familyMember in try after.familyMembers(db) {
                try revokeEntitlements(of: familyMember.id, from: after.id, at: now, db)
            }
        } else if !before.sharesPurchases, after.sharesPurchases {
            try shareAllPurchases(of: after, at: now, db)
        }
    }

    /// Revokes the Family Sharing transactions of family members after the purchaser's transaction was revoked.
    func revokeShared(from row: TransactionRecord, at now: Timestamp, _ db: Database) throws {
        let sql = "SELECT * FROM transactions WHERE purchaserTransactionID = ? AND revokedAt IS NULL"
        for shared in try TransactionRecord.fetchAll(db.cachedStatement(sql: sql), arguments: [row.id.rawValue]) {
            try revoke(shared, reason: row.revocationReason ?? 0, at: now, db)
        }
    }

    private func isShareable(_ product: ProductID, _ bundleID: BundleID) -> Bool {
        context.apps[bundleID]?.catalog.product(product)?.isFamilyShareable ?? false
    }

    private func shareAllPurchases(of purchaser: AccountRecord, at now: Timestamp, _ db: Database) throws {
        guard purchaser.sharesPurchases, purchaser.family != nil else { return }
        let sql = """
            SELECT * FROM transactions WHERE account = ? AND kind = 'purchase' AND id = originalID AND type = ? AND revokedAt IS NULL
            """
        let arguments: StatementArguments = [purchaser.id.rawValue, ProductType.nonConsumable.rawValue]
        for row in try TransactionRecord.fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
        where isShareable(row.productID, row.bundleID) {
            try share(row, at: now, db)
        }
        for row in try SubscriptionRecord.all(of: purchaser.id, db) {
            try share(row, at: now, db)
        }
    }

    private func grant(_ row: TransactionRecord, to familyMember: AccountRecord, at now: Timestamp, _ db: Database) throws {
        let sql = "SELECT TRUE FROM transactions WHERE purchaserTransactionID = ? AND account = ? AND revokedAt IS NULL"
        guard try Bool.fetchOne(db.cachedStatement(sql: sql), arguments: [row.id.rawValue, familyMember.id.rawValue]) == nil else { return }
        let buyer = try recipient(familyMember, of: row, at: now, db)
        var shared = try TransactionRecord(.familyShared, row.productID, row.type, for: buyer, price: 0, at: now.wholeSeconds, db)
        shared.purchaserTransactionID = row.id
        shared.currency = row.currency
        try transactions.insert(&shared, at: now, db)
        try notices.post(StoreNotice(.purchase, detail: "shared by \(row.account)", .oneTimeCharge, about: shared), at: now, db)
    }

    /// Gives an account access to another account's subscription, as a family member or as a member of a group.
    func grant(
        _ row: SubscriptionRecord, to familyMember: AccountRecord, _ ownership: Ownership, at now: Timestamp, _ db: Database
    ) throws {
        guard let source = try TransactionRecord.newestPeriod(of: row.id, db) else { throw StoreError.transactionUnknown }
        let buyer = try recipient(familyMember, of: source, at: now, db)
        // A member who joins before the start of a renewal that was charged ahead gets the running period and the renewal.
        let current = try TransactionRecord.currentPeriod(of: row.id, at: now, db) ?? source
        let isAhead = current.id != source.id
        var first = try TransactionRecord(
            ownership == .assigned ? .assigned : .familyShared, current.productID, current.type, for: buyer, price: 0,
            at: current.purchaseDate, db)
        // A member who joins in the middle of a period also gets the purchaser's whole period.
        var (entitlement, actions) = row.subscription.sharedEntitlement(
            originalTransactionID: first.id, ownership, appTransactionID: buyer.appTransactionID, periodNumber: isAhead ? 2 : 1)
        first.groupID = row.groupID
        first.purchaserTransactionID = current.id
        first.currency = current.currency
        first.copyPeriod(of: current, number: 1)
        if isAhead {
            var charge: [SubscriptionAction] = [
                .charge(entitlement.period), .setExpirationDate(period: 2, to: entitlement.paidUntil),
            ]
            // The member's transaction for a refunded renewal is revoked, as it is for members who joined before the refund.
            if row.subscription.isRevokedAtStart {
                charge.append(.revoke(period: 2, ownership == .assigned ? .assignment : .family))
            }
            actions = charge + actions
        }
        first.webOrderLineItemID = try StoreCounter.orderLine.next(db)
        try transactions.insert(&first, at: now, db)
        let origin = ownership == .assigned ? "assigned by" : "shared by"
        try notices.post(StoreNotice(.purchase, detail: "\(origin) \(row.account)", about: first), at: now, db)
        var sharedRow = SubscriptionRecord(
            account: familyMember.id, bundleID: row.bundleID, groupID: row.groupID, subscription: entitlement,
            purchaserTransactionID: row.id)
        try sharedRow.insert(db)
        try subscriptions.perform(actions, of: &sharedRow, nil, at: now, db)
    }

    private func recipient(_ familyMember: AccountRecord, of row: TransactionRecord, at now: Timestamp, _ db: Database) throws -> Buyer {
        let lastDevice = try SessionRecord.newestDevice(of: familyMember.id, in: row.bundleID, db)
        return try Buyer(
            familyMember.id, row.bundleID, lastDevice ?? row.device, row.appVersion, in: context.apps, at: now, db)
    }

    /// Revokes an account's Family Sharing entitlements to the purchases of `purchaser`, or of all family members if `purchaser` is nil.
    private func revokeEntitlements(of account: AccountID, from purchaser: AccountID? = nil, at now: Timestamp, _ db: Database) throws {
        let sql = """
            SELECT t.* FROM transactions t JOIN transactions s ON s.id = t.purchaserTransactionID
            WHERE t.account = ? AND t.revokedAt IS NULL AND t.period IS NULL AND (? IS NULL OR s.account = ?)
            """
        let arguments: StatementArguments = [account.rawValue, purchaser?.rawValue, purchaser?.rawValue]
        for row in try TransactionRecord.fetchAll(db.cachedStatement(sql: sql), arguments: arguments) {
            try revoke(row, reason: 0, at: now, db)
        }
        let sharedSubscriptions = """
            SELECT c.* FROM subscriptions c JOIN subscriptions s ON s.id = c.purchaserTransactionID
            WHERE c.account = ? AND (? IS NULL OR s.account = ?)
            """
        for entitlement in try SubscriptionRecord.fetchAll(db.cachedStatement(sql: sharedSubscriptions), arguments: arguments)
        where entitlement.subscription.ownership == .familyShared {
            try subscriptions.apply(.sharingEnded, to: entitlement, at: now, db)
        }
    }

    private func revoke(_ shared: TransactionRecord, reason: Int, at now: Timestamp, _ db: Database) throws {
        var shared = shared
        shared.revoke(.family, reason: reason, at: now)
        try transactions.change(&shared, db)
        try notices.post(StoreNotice(.revocation, .revoked, about: shared), at: now, db)
    }
}
