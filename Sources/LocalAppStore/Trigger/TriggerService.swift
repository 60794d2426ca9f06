import Foundation
import GRDB
import PurchaseModel
import StoreProtocol

/// The service that simulates the events that lead to a notification.
struct TriggerService: Sendable {
    let context: StoreContext
    let checkout: CheckoutService
    let subscriptions: SubscriptionService
    let familySharing: FamilySharingService
    let refunds: RefundService
    let notices: NoticeService

    /// Simulates the purchase and the other events that lead to a notification, with dates in the past, and returns the notification.
    ///
    /// The earlier events of the simulation also cause notifications, as they would in real time.
    ///
    /// - Throws: ``NotificationError/kindUnknown`` if the App Store does not send the type and subtype, or
    ///   ``NotificationError/triggerNotApplicable(_:)`` if the product or the account does not lead to the notification.
    func trigger(_ request: TriggerRequest) async throws -> TriggerReply {
        let subtype = request.subtype.map { NotificationSubtype(rawValue: $0) }
        guard let type = NotificationType(rawValue: request.type), subtype != .some(nil),
            let scenario = TriggerScenario(type, subtype ?? nil)
        else { throw NotificationError.kindUnknown }
        let kind = NotificationKind(type, subtype ?? nil)
        return try await context.transaction { db, now in
            let app = try context.apps.require(request.bundleID ?? context.apps.defaultBundleID)
            let notification = try run(scenario, kind, request, in: app, at: now, db)
            let sql = "SELECT id FROM transactions WHERE originalID = ? ORDER BY rowid DESC LIMIT 1"
            let newest = try notification.originalID.flatMap { try String.fetchOne(db, sql: sql, arguments: [$0.rawValue]) }
            return TriggerReply(
                notificationUUID: notification.uuid, account: notification.account, transactionID: newest.map { TransactionID($0) })
        }
    }

    private func run(
        _ scenario: TriggerScenario, _ kind: NotificationKind, _ request: TriggerRequest, in app: StoreApp, at now: Timestamp,
        _ db: Database
    ) throws -> NotificationRecord {
        let account = try request.account.map { try AccountRecord.fetchOne(db, key: $0.rawValue) } ?? nil
        let environment = account?.environment ?? .sandbox
        switch scenario {
        case .subscription(let scenario):
            let buyer = try triggerBuyer(request, app, at: now, db)
            return try run(
                scenario, kind, TriggerProducts(app, buyer.storefront, request.productID, scenario: scenario), buyer, at: now, db)
        case .purchase:
            return try latestNotification(kind, about: try sellOneTimeProduct(request, app, at: now, db), db)
        case .refundRequest:
            let row = try sellOneTimeProduct(request, app, at: now.adding(seconds: -60), db)
            _ = try refunds.requestRefund(RefundRequest(transactionID: row.id, reason: .unintendedPurchase), at: now, db)
            return try latestNotification(kind, about: row, db)
        case .refundDeclined:
            let row = try sellOneTimeProduct(request, app, at: now.adding(seconds: -120), db)
            let refundRequest = try refunds.requestRefund(
                RefundRequest(transactionID: row.id, reason: .other), at: now.adding(seconds: -60), db)
            try refunds.decide(refundRequest, .declined, percentage: nil, at: now, db)
            return try latestNotification(kind, about: row, db)
        case .familySharingEnds:
            return try latestNotification(kind, about: try endSharing(request, app, at: now, db), db)
        case .summary:
            var summary = NotificationSummary(bundleId: app.bundleID, environment: environment.rawValue)
            summary.requestIdentifier = UUID().uuidString.lowercased()
            summary.productId = request.productID ?? app.catalog.products.first { $0.type == .autoRenewable }?.id
            (summary.succeededCount, summary.failedCount) = (5, 1)
            return try notices.notify(summary: summary, in: app.bundleID, environment, at: now, db)
        case .externalPurchase:
            let token = externalPurchaseToken(app, environment, at: now)
            return try notices.notify(kind, in: app.bundleID, environment, at: now, db) { .externalPurchaseToken(token) }
        case .consentRescinded:
            return try rescindConsent(kind, try triggerBuyer(request, app, at: now, db), at: now, db)
        case .test:
            return try notices.notifyTest(in: app.bundleID, environment, at: now, db)
        }
    }

    private func externalPurchaseToken(_ app: StoreApp, _ environment: AppEnvironment, at now: Timestamp) -> ExternalPurchaseToken {
        let id = UUID().uuidString.lowercased()
        var token = ExternalPurchaseToken(
            externalPurchaseId: environment == .production ? id : "SANDBOX_\(id)", bundleId: app.bundleID)
        token.tokenCreationDate = now.adding(days: -30)
        token.appAppleId = app.row.appAppleID
        return token
    }

    private func rescindConsent(_ kind: NotificationKind, _ buyer: Buyer, at now: Timestamp, _ db: Database) throws -> NotificationRecord {
        let environment = buyer.account.environment
        var app = AppTransactionPayload(receiptType: environment.rawValue, bundleId: buyer.app.bundleID, receiptCreationDate: now)
        app.appTransactionId = buyer.appTransactionID
        app.applicationVersion = buyer.appVersion
        let appAppleID = buyer.app.row.appAppleID
        app.appAppleId = environment == .production ? appAppleID : nil
        var data = NotificationAppData(bundleId: buyer.app.bundleID, environment: environment.rawValue)
        data.appAppleId = appAppleID
        return try notices.notify(kind, in: buyer.app.bundleID, environment, at: now, db) {
            data.signedAppTransactionInfo = try context.signer.sign(app)
            return .appData(data)
        }
    }

    /// Returns the newest notification with a type and subtype about a purchase.
    ///
    /// - Throws: ``NotificationError/triggerNotApplicable(_:)`` if there is none.
    func latestNotification(_ kind: NotificationKind, about row: TransactionRecord, _ db: Database) throws -> NotificationRecord {
        let sql = "SELECT * FROM notifications WHERE originalID = ? AND type = ? AND subtype IS ? ORDER BY rowid DESC LIMIT 1"
        let arguments: StatementArguments = [row.originalID.rawValue, kind.type.rawValue, kind.subtype?.rawValue]
        guard let found = try NotificationRecord.fetchOne(db, sql: sql, arguments: arguments) else {
            throw NotificationError.triggerNotApplicable(
                "The simulated events do not cause this notification with the store's catalog and settings.")
        }
        return found
    }

    /// Returns the buyer of a simulated purchase; an account that does not exist is created.
    func triggerBuyer(_ request: TriggerRequest, _ app: StoreApp, at now: Timestamp, _ db: Database) throws -> Buyer {
        let id = request.account ?? AccountID("trigger-\(UUID().uuidString.lowercased())@example.com")
        try AccountRecord.open(id, db)
        return try Buyer(id, app.bundleID, DeviceID(UUID()), app.row.version, in: context.apps, at: now, db)
    }

    private func triggerPayment(_ product: ProductID, _ buyer: Buyer, _ db: Database) throws -> PaymentRecord {
        let payment = PaymentRecord(
            id: PaymentID(UUID()), account: buyer.account.id, device: buyer.device, appVersion: buyer.appVersion, productID: product,
            quantity: 1, state: .completed, bundleID: buyer.app.bundleID
        )
        try payment.insert(db)
        return payment
    }

    private func complete(_ payment: PaymentRecord, with row: TransactionRecord, _ db: Database) throws {
        try db.execute(sql: "UPDATE payments SET result = ? WHERE id = ?", arguments: [row.id.rawValue, payment.id.rawValue])
    }

    /// Simulates the purchase of a product that is not a subscription, by the account of the request.
    ///
    /// The product is the requested one, the first consumable with a price, or a made-up consumable.
    ///
    /// - Throws: ``NotificationError/triggerNotApplicable(_:)`` if the requested product is a subscription or free.
    func sellOneTimeProduct(_ request: TriggerRequest, _ app: StoreApp, at date: Timestamp, _ db: Database) throws -> TransactionRecord {
        let buyer = try triggerBuyer(request, app, at: date, db)
        let products = app.catalog.products.compactMap { app.catalog.product($0.id, in: buyer.storefront) }
        if let id = request.productID {
            guard let product = products.first(where: { $0.id == id }) else { throw AppError.productUnknown }
            guard product.subscription == nil, product.price.milliunits > 0 else {
                throw NotificationError.triggerNotApplicable(
                    "This notification requires a product with a price that is not a subscription; name another product.")
            }
            return try sell(product, to: buyer, at: date, db)
        }
        let matching = products.first { $0.type == .consumable && $0.price.milliunits > 0 }
        return try sell(matching ?? Self.placeholder(.consumable, in: buyer.storefront), to: buyer, at: date, db)
    }

    private func sell(_ product: StoreProduct, to buyer: Buyer, at date: Timestamp, _ db: Database) throws -> TransactionRecord {
        let payment = try triggerPayment(product.id, buyer, db)
        let sale = Sale(
            payment: payment, buyer: buyer, kind: .oneTime(product, price: product.price.milliunits, original: nil))
        let row = try checkout.write(sale, at: date, db)
        try complete(payment, with: row, db)
        return row
    }

    private static func placeholder(_ type: ProductType, in storefront: Storefront) -> StoreProduct {
        StoreProduct(
            id: ProductID("tillroll.trigger.\(type.rawValue.lowercased())"), type: type, title: "Made up", summary: "",
            price: Money(milliunits: 990, currency: storefront.currency), priceLocale: storefront.locale, isFamilyShareable: true
        )
    }

    /// Simulates a family member who purchases a product, shares it and then stops sharing.
    ///
    /// - Returns: The revoked Family Sharing transaction of the request's account.
    func endSharing(_ request: TriggerRequest, _ app: StoreApp, at now: Timestamp, _ db: Database) throws -> TransactionRecord {
        let start = now.adding(days: -1)
        var member = try triggerBuyer(request, app, at: start, db).account
        let family = member.family ?? UUID().uuidString.lowercased()
        member.family = family
        try member.update(db)
        let owner = try triggerBuyer(TriggerRequest(type: request.type), app, at: start, db)
        var before = owner.account
        (before.family, before.environment) = (family, member.environment)
        try before.update(db)
        let product = app.catalog.products.first {
            $0.type == .nonConsumable && $0.isFamilyShareable && $0.id == request.productID ?? $0.id
        }
        guard request.productID == nil || product != nil else {
            throw NotificationError.triggerNotApplicable(
                "This notification requires a family-shareable non-consumable; name another product.")
        }
        var buyer = owner
        buyer.account = before
        let purchased = try sell(product ?? Self.placeholder(.nonConsumable, in: buyer.storefront), to: buyer, at: start, db)
        var after = before
        after.sharesPurchases = false
        try after.update(db)
        try familySharing.updateFamilySharing(from: before, to: after, at: now, db)
        let sql = "SELECT * FROM transactions WHERE purchaserTransactionID = ? AND account = ?"
        let revoked = try TransactionRecord.fetchOne(db, sql: sql, arguments: [purchased.id.rawValue, member.id.rawValue])
        guard let revoked else {
            throw NotificationError.triggerNotApplicable("The simulation shared no purchase with the account, so no access was revoked.")
        }
        return revoked
    }

    /// Starts a subscription, applies every step of a scenario to it, and returns the notification that results.
    ///
    /// - Throws: ``NotificationError/triggerNotApplicable(_:)`` if the account already has a subscription of the group, or the steps do not cause
    ///   the notification.
    func run(
        _ scenario: SubscriptionScenario, _ kind: NotificationKind, _ products: TriggerProducts, _ buyer: Buyer, at now: Timestamp,
        _ db: Database
    ) throws -> NotificationRecord {
        guard try SubscriptionRecord.existing(buyer.account.id, buyer.app.bundleID, products.group, db) == nil else {
            throw NotificationError.triggerNotApplicable(
                "The account already has a subscription of this subscription group; name another account, or none.")
        }
        var rules = try context.apps.rules(db)
        rules.billingGracePeriodIsEnabled = scenario.billingGracePeriodIsEnabled ?? rules.billingGracePeriodIsEnabled
        let start = scenario.startDate(endingBy: now, products, rules)
        let plan = products.plan(higher: scenario.startsAtHigherLevel)
        let payment = try triggerPayment(plan.productID, buyer, db)
        let sale = Sale(
            payment: payment, buyer: buyer,
            kind: .subscription(SubscriptionPurchase(plan), group: products.group, existing: nil))
        let first = try checkout.write(sale, at: start, db)
        try complete(payment, with: first, db)
        guard var row = try SubscriptionRecord.fetchOne(db, key: first.id.rawValue) else { throw StoreError.transactionUnknown }
        row.change { $0.rules.billingGracePeriodIsEnabled = rules.billingGracePeriodIsEnabled }
        try row.update(db)

        let lastDue = scenario.steps.lastIndex { if case .due = $0 { true } else { false } }
        for (index, step) in scenario.steps.enumerated() {
            let isAfterLastRenewal = index > lastDue ?? -1
            let time = isAfterLastRenewal ? now : row.subscription.nextRenewalDate ?? now
            if case .due(let hasValidPaymentMethod, _) = step { try setPaymentMethod(of: buyer, isValid: hasValidPaymentMethod, db) }
            if step == .billingIssueResolved { try setPaymentMethod(of: buyer, isValid: true, db) }
            // Steps that precede the end of a period happen at the beginning of the period.
            let isDue = if case .due = step { true } else { false }
            row = try subscriptions.apply(
                scenario.event(step, products, row.subscription), to: row,
                at: isDue || isAfterLastRenewal ? time : row.subscription.period.start, db)
        }
        guard scenario.isPostedDirectly else { return try latestNotification(kind, about: first, db) }
        guard let period = try TransactionRecord.newestPeriod(of: first.id, db) else { throw StoreError.transactionUnknown }
        return try notices.notify(kind, about: period, row, at: now, db)
    }

    private func setPaymentMethod(of buyer: Buyer, isValid: Bool, _ db: Database) throws {
        try db.execute(sql: "UPDATE accounts SET hasValidPaymentMethod = ? WHERE id = ?", arguments: [isValid, buyer.account.id.rawValue])
    }
}
