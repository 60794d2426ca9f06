import Foundation
import GRDB
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// Sells a subscription, or changes an existing subscription.
    ///
    /// The result is the new period's transaction. The result is the running period's transaction if the change takes effect at the
    /// renewal, or if the customer already has exactly this subscription and `returnsAlreadyOwned` allows the existing transaction as
    /// a result.
    func subscribe(
        _ purchase: SubscriptionPurchase, _ terms: SubscriptionTerms, _ existing: SubscriptionRecord?, _ payment: PaymentRecord,
        _ buyer: Buyer, at now: Timestamp, returnsAlreadyOwned: Bool = false, _ db: Database
    ) throws -> TransactionRecord {
        guard var row = existing else {
            return try begin(purchase, terms, payment, buyer, at: now, db)
        }
        row.change { $0.appAccountToken = payment.appAccountToken ?? $0.appAccountToken }
        let before = row.subscription
        let purchaseContext = SubscriptionPurchaseContext(payment: payment, device: buyer.device, appVersion: buyer.appVersion)
        let after = try apply(.purchase(purchase), to: row, purchaseContext, at: now, db)
        // An unchanged subscription means that the customer already has exactly this subscription.
        guard returnsAlreadyOwned || after.subscription != before else { throw PurchaseRefusal.alreadySubscribed }
        if purchase.plan.productID != before.productID || before.hasEnded {
            try updateSharing(after, at: now, db)
        }
        return try TransactionRecord.period(after.subscription.period.number, of: row.id, db)
    }

    private func begin(
        _ purchase: SubscriptionPurchase, _ terms: SubscriptionTerms, _ payment: PaymentRecord, _ buyer: Buyer, at now: Timestamp,
        _ db: Database
    ) throws -> TransactionRecord {
        let rules = try rules(for: buyer.account.environment, db)
        let transactionDate = rules.transactionDate(now)
        var row = try TransactionRecord(.purchase, purchase.plan.productID, .autoRenewable, for: buyer, price: 0, at: transactionDate, db)
        row.groupID = terms.group
        row.appAccountToken = payment.appAccountToken
        row.applicationUsername = payment.applicationUsername
        row.payment = payment.id
        var (subscription, actions) = Subscription.begin(
            originalTransactionID: row.id, purchase: purchase, at: now, rules: rules
        )
        subscription.appAccountToken = payment.appAccountToken
        subscription.appTransactionID = buyer.appTransactionID
        row.setPeriod(subscription.period)
        row.webOrderLineItemID = try StoreCounter.orderLine.next(db)
        try insert(&row, at: now, db)
        try insertEvent(.purchase, about: row, at: now, db)
        var owner = SubscriptionRecord(
            account: buyer.account.id, bundleID: buyer.app.bundleID, groupID: terms.group, subscription: subscription)
        try owner.insert(db)
        // The first period's transaction is already written; the remaining actions follow.
        actions.removeAll { if case .charge = $0 { true } else { false } }
        try perform(actions, of: &owner, nil, at: now, db)
        try share(owner, at: now, db)
        return row
    }

    /// Applies an event to a subscription and its Family Sharing entitlements, and performs the resulting actions.
    ///
    /// Due events that precede the event are processed first. The result is the subscription in its new state.
    @discardableResult
    func apply(
        _ event: SubscriptionEvent, to row: SubscriptionRecord, _ purchaseContext: SubscriptionPurchaseContext? = nil, at now: Timestamp,
        _ db: Database
    ) throws -> SubscriptionRecord {
        var row = row
        var actions = row.handle(event, at: now)
        var overdue = 0
        while case .overdue(let due)? = actions.first {
            // One database transaction must not process more events; a store that is not behind has at most one.
            guard overdue < eventsPerRequest else { throw StoreError.behind(since: due) }
            row = try processDueChange(row, at: due, db)
            actions = row.handle(event, at: now)
            overdue += 1
        }
        // The events of the Family Sharing entitlements depend on their periods before the change.
        let sharedSubscriptions = try SubscriptionRecord.sharedSubscriptions(of: row.id, db).map {
            ($0, self.event(event, of: row, for: $0))
        }
        try perform(actions, of: &row, purchaseContext, at: now, db)
        for (entitlement, event) in sharedSubscriptions {
            if let event { try apply(event, to: entitlement, at: now, db) }
        }
        return row
    }

    /// Converts a purchaser's event for a Family Sharing entitlement, whose periods have different numbers.
    ///
    /// The result is nil for an event about a period before the beginning of the entitlement.
    private func event(
        _ event: SubscriptionEvent, of row: SubscriptionRecord, for entitlement: SubscriptionRecord
    ) -> SubscriptionEvent? {
        func shiftedNumber(_ number: Int) -> Int? {
            let (earlier, overflows) = row.subscription.period.number.subtractingReportingOverflow(
                entitlement.subscription.period.number)
            let (shifted, alsoOverflows) = number.subtractingReportingOverflow(earlier)
            return !overflows && !alsoOverflows && shifted > 0 ? shifted : nil
        }
        switch event {
        case .refunded(let number, let prorated): return shiftedNumber(number).map { .refunded(period: $0, prorated: prorated) }
        case .refundReversed(let number): return shiftedNumber(number).map { .refundReversed(period: $0) }
        case .due, .billingIssueResolved, .autoRenew, .purchase, .priceChanged, .priceConsent, .sharingEnded, .extended, .renewalForced,
            .expiryForced:
            return event
        }
    }

    /// Processes the due events of a subscription and its Family Sharing entitlements.
    @discardableResult
    func processDueChange(_ row: SubscriptionRecord, at due: Timestamp, _ db: Database) throws -> SubscriptionRecord {
        let account = try AccountRecord.require(row.account, db)
        let app = try apps.require(row.bundleID)
        let isForSale = app.catalog.product(row.subscription.nextPlan.productID) != nil
        let event = SubscriptionEvent.due(
            hasValidPaymentMethod: account.hasValidPaymentMethod && !app.catalog.settings.failsRenewals, isProductAvailable: isForSale)
        var row = row
        let actions = row.handle(event, at: due)
        try perform(actions, of: &row, nil, at: due, db)
        for entitlement in try SubscriptionRecord.sharedSubscriptions(of: row.id, db) {
            var entitlement = entitlement
            let actions = entitlement.handle(event, at: due)
            try perform(actions, of: &entitlement, nil, at: due, db)
        }
        return row
    }

    /// Performs the actions of the subscription model and saves the subscription.
    func perform(
        _ actions: [SubscriptionAction], of row: inout SubscriptionRecord, _ purchaseContext: SubscriptionPurchaseContext?,
        at now: Timestamp, _ db: Database
    ) throws {
        for action in actions {
            switch action {
            case .charge(let period):
                try charge(period, of: row, purchaseContext, at: now, db)
            case .markUpgraded(let number, let refund):
                var upgraded = try TransactionRecord.period(number, of: row.id, db)
                upgraded.upgradedAt = now.wholeSeconds
                try change(&upgraded, db)
                if let refund { try insertRefundCharge(refund, of: upgraded, at: now, db) }
            case .revoke(let number, let revocation):
                var revoked = try TransactionRecord.period(number, of: row.id, db)
                revoked.revoke(revocation, reason: revoked.revocationReason ?? 0, at: now)
                try change(&revoked, db)
                try insertRefundCharge(revocation, of: revoked, at: now, db)
                try insertEvent(revocation.kind == .familyRevoke ? .revocation : .refund, about: revoked, at: now, db)
            case .reinstate(let number):
                var reinstated = try TransactionRecord.period(number, of: row.id, db)
                reinstated.reinstate()
                try change(&reinstated, db)
                try ChargeRecord.reversal(reinstated, at: now, db)
                try insertEvent(.refundReversal, about: reinstated, at: now, db)
            case .setExpirationDate(let number, let end):
                var extended = try TransactionRecord.period(number, of: row.id, db)
                extended.expiresDate = end
                try change(&extended, db)
            case .notify(let notice, let number):
                let about = try TransactionRecord.period(number, of: row.id, db)
                try insertEvent(.subscription, about: about, at: now, detail: notice.type.rawValue, db)
                try notify(StoreNotice(notice), about: about, row, at: now, db)
            case .overdue:
                break
            }
        }
        try row.update(db)
    }

    private func insertRefundCharge(_ revocation: SubscriptionRevocation, of row: TransactionRecord, at now: Timestamp, _ db: Database)
        throws
    {
        let amount = revocation.amount(of: Money(milliunits: row.price, currency: row.currency))
        try ChargeRecord.refund(row, amount.milliunits, at: now, db)
    }

    /// Creates the transaction of a period, for the device of the purchase.
    private func charge(
        _ period: SubscriptionPeriod, of row: SubscriptionRecord, _ purchaseContext: SubscriptionPurchaseContext?, at now: Timestamp,
        _ db: Database
    ) throws {
        guard var new = try TransactionRecord.newestPeriod(of: row.id, db) else { throw StoreError.transactionUnknown }
        new.id = TransactionID(try StoreCounter.transaction.next(db))
        new.kind = row.purchaserTransactionID != nil ? .familyShared : period.reason == .renewal ? .renewal : .purchase
        new.webOrderLineItemID = try StoreCounter.orderLine.next(db)
        new.orderID = try TransactionRecord.orderID(db)
        new.payment = purchaseContext?.payment.id
        new.device = purchaseContext?.device ?? new.device
        new.appVersion = purchaseContext?.appVersion ?? new.appVersion
        new.appAccountToken = row.subscription.appAccountToken
        // A new purchase without an application username keeps the previous username, and likewise the previous app account token.
        if let payment = purchaseContext?.payment, payment.applicationUsername != nil || payment.appAccountToken != nil {
            new.applicationUsername = payment.applicationUsername
        }
        new.finishedAt = nil
        new.upgradedAt = nil
        new.reinstate()
        new.setPeriod(period)
        if let source = row.purchaserTransactionID {
            new.purchaserTransactionID = try TransactionRecord.newestPeriod(of: source, db)?.id ?? source
        }
        try insert(&new, at: now, db)
        try insertEvent(new.kind == .renewal ? .renewal : .purchase, about: new, at: now, db)
    }

    /// Saves a changed transaction with a new change number, so that transaction histories list it again.
    func change(_ row: inout TransactionRecord, _ db: Database) throws {
        row.change = try StoreCounter.change.nextNumber(db)
        row.revision = row.change
        try row.update(db)
    }

    /// The subscription rules of this store.
    func rules(for environment: AppEnvironment, _ db: Database) throws -> SubscriptionRules {
        try StoreSettings.rules(db) ?? apps.rules
    }
}
