import Foundation
import GRDB
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// Sells a subscription, or changes an existing subscription.
    ///
    /// The result is the new period's transaction. The result is the running period's transaction if the change takes effect at the
    /// renewal, or if
    /// the customer already has exactly this subscription and `returnsHeld` allows the existing transaction as a result.
    func subscribe(
        _ purchase: SubscriptionPurchase, _ terms: SubscriptionTerms, _ own: SubscriptionRecord?, _ payment: PaymentRecord, _ buyer: Buyer,
        at now: Timestamp, returnsHeld: Bool = false, _ db: Database
    ) throws -> TransactionRecord {
        guard var row = own else {
            return try begin(purchase, terms, payment, buyer, at: now, db)
        }
        row.change { $0.appAccountToken = payment.appAccountToken ?? $0.appAccountToken }
        let before = row.subscription
        let sale = SubscriptionSale(payment: payment, device: buyer.device, appVersion: buyer.appVersion)
        let after = try pass(.purchase(purchase), to: row, sale, at: now, db)
        // An unchanged subscription means that the customer already has exactly this subscription.
        guard returnsHeld || after.subscription != before else { throw PurchaseRefusal.alreadySubscribed }
        if purchase.plan.productID != before.productID || before.hasEnded {
            try shareAnew(after, at: now, db)
        }
        return try TransactionRecord.period(after.subscription.period.number, of: row.id, db)
    }

    private func begin(
        _ purchase: SubscriptionPurchase, _ terms: SubscriptionTerms, _ payment: PaymentRecord, _ buyer: Buyer, at now: Timestamp,
        _ db: Database
    ) throws -> TransactionRecord {
        let rules = try rules(for: buyer.account.environment, db)
        let moment = rules.moment(now)
        var row = try TransactionRecord(.purchase, purchase.plan.productID, .autoRenewable, for: buyer, price: 0, at: moment, db)
        row.groupID = terms.group
        row.appAccountToken = payment.appAccountToken
        row.username = payment.username
        row.payment = payment.id
        var (subscription, actions) = Subscription.begin(
            originalTransactionID: row.id, purchase: purchase, at: now, rules: rules
        )
        subscription.appAccountToken = payment.appAccountToken
        subscription.appTransactionID = buyer.customer
        row.state(subscription.period)
        row.webOrderLineItemID = try StoreCounter.orderLine.next(db)
        try insert(&row, at: now, db)
        try record(.purchase, about: row, at: now, db)
        var owner = SubscriptionRecord(
            account: buyer.account.id, bundleID: buyer.app.bundleID, groupID: terms.group, subscription: subscription)
        try owner.insert(db)
        // The first period's transaction is already written; the remaining actions follow.
        actions.removeAll { if case .charge = $0 { true } else { false } }
        try perform(actions, of: &owner, nil, at: now, db)
        try share(owner, at: now, db)
        return row
    }

    /// Passes an event to a subscription and its Family Sharing copies, and performs the resulting actions.
    ///
    /// Due events that precede the event are processed first. The result is the subscription in its new state.
    @discardableResult
    func pass(
        _ event: SubscriptionEvent, to row: SubscriptionRecord, _ sale: SubscriptionSale? = nil, at now: Timestamp, _ db: Database
    ) throws -> SubscriptionRecord {
        var row = row
        var actions = row.handle(event, at: now)
        var overdue = 0
        while case .overdue(let due)? = actions.first {
            // One database transaction must not process more events; a store that is not behind has at most one.
            guard overdue < eventsPerTurn else { throw StoreError.behind(since: due) }
            row = try fallDue(row, at: due, db)
            actions = row.handle(event, at: now)
            overdue += 1
        }
        // The copies' events are determined before the copies change, because the events depend on the copies' current periods.
        let copies = try SubscriptionRecord.copies(of: row.id, db).map { ($0, self.event(event, of: row, for: $0)) }
        try perform(actions, of: &row, sale, at: now, db)
        for (copy, event) in copies {
            if let event { try pass(event, to: copy, at: now, db) }
        }
        return row
    }

    /// Converts a purchaser's event for a family member's copy, whose periods have different numbers.
    ///
    /// The result is nil for an event about a period before the beginning of the copy.
    private func event(
        _ event: SubscriptionEvent, of row: SubscriptionRecord, for copy: SubscriptionRecord
    ) -> SubscriptionEvent? {
        func own(_ number: Int) -> Int? {
            let (earlier, isFar) = row.subscription.period.number.subtractingReportingOverflow(copy.subscription.period.number)
            let (own, isFarther) = number.subtractingReportingOverflow(earlier)
            return !isFar && !isFarther && own > 0 ? own : nil
        }
        switch event {
        case .refunded(let number, let prorated): return own(number).map { .refunded(period: $0, prorated: prorated) }
        case .refundReversed(let number): return own(number).map { .refundReversed(period: $0) }
        case .due, .billingIssueResolved, .autoRenew, .purchase, .priceChanged, .priceConsent, .sharingEnded, .extended, .renewalForced,
            .expiryForced:
            return event
        }
    }

    /// Processes the due events of a subscription and its Family Sharing copies.
    @discardableResult
    func fallDue(_ row: SubscriptionRecord, at due: Timestamp, _ db: Database) throws -> SubscriptionRecord {
        let account = try AccountRecord.require(row.account, db)
        let app = try apps.require(row.bundleID)
        let isForSale = app.catalog.product(row.subscription.nextPlan.productID) != nil
        let event = SubscriptionEvent.due(cardWorks: account.cardWorks && !app.catalog.settings.failsRenewals, forSale: isForSale)
        var row = row
        let actions = row.handle(event, at: due)
        try perform(actions, of: &row, nil, at: due, db)
        for copy in try SubscriptionRecord.copies(of: row.id, db) {
            var copy = copy
            let actions = copy.handle(event, at: due)
            try perform(actions, of: &copy, nil, at: due, db)
        }
        return row
    }

    /// Performs the actions of the subscription model and saves the subscription.
    func perform(
        _ actions: [SubscriptionAction], of row: inout SubscriptionRecord, _ sale: SubscriptionSale?, at now: Timestamp, _ db: Database
    ) throws {
        for action in actions {
            switch action {
            case .charge(let period):
                try charge(period, of: row, sale, at: now, db)
            case .markUpgraded(let number, let refund):
                var old = try TransactionRecord.period(number, of: row.id, db)
                old.upgradedAt = now.wholeSeconds
                try change(&old, db)
                if let refund { try giveBack(refund, of: old, at: now, db) }
            case .revoke(let number, let revocation):
                var taken = try TransactionRecord.period(number, of: row.id, db)
                taken.revoke(revocation, reason: taken.revocationReason ?? 0, at: now)
                try change(&taken, db)
                try giveBack(revocation, of: taken, at: now, db)
                try record(revocation.kind == .familyRevoke ? .revocation : .refund, about: taken, at: now, db)
            case .reinstate(let number):
                var given = try TransactionRecord.period(number, of: row.id, db)
                given.reinstate()
                try change(&given, db)
                try ChargeRecord.reversal(given, at: now, db)
                try record(.refundReversal, about: given, at: now, db)
            case .moveEnd(let number, let end):
                var moved = try TransactionRecord.period(number, of: row.id, db)
                moved.expiresDate = end
                try change(&moved, db)
            case .notify(let notice, let number):
                let about = try TransactionRecord.period(number, of: row.id, db)
                try record(.subscription, about: about, at: now, detail: notice.type.rawValue, db)
                try notify(StoreNotice(notice), about: about, row, at: now, db)
            case .overdue:
                break
            }
        }
        try row.update(db)
    }

    private func giveBack(_ revocation: SubscriptionRevocation, of row: TransactionRecord, at now: Timestamp, _ db: Database) throws {
        let amount = revocation.amount(of: Money(milliunits: row.price, currency: row.currency))
        try ChargeRecord.refund(row, amount.milliunits, at: now, db)
    }

    /// Creates the transaction of a period, for the device of the purchase.
    private func charge(
        _ period: SubscriptionPeriod, of row: SubscriptionRecord, _ sale: SubscriptionSale?, at now: Timestamp, _ db: Database
    ) throws {
        guard var new = try TransactionRecord.newestPeriod(of: row.id, db) else { throw StoreError.transactionUnknown }
        new.id = TransactionID(try StoreCounter.transaction.next(db))
        new.kind = row.sharedFrom != nil ? .shared : period.reason == .renewal ? .renewal : .purchase
        new.webOrderLineItemID = try StoreCounter.orderLine.next(db)
        new.orderID = try TransactionRecord.orderID(db)
        new.payment = sale?.payment.id
        new.device = sale?.device ?? new.device
        new.appVersion = sale?.appVersion ?? new.appVersion
        new.appAccountToken = row.subscription.appAccountToken
        // A new purchase without an application username keeps the previous username, and likewise the previous app account token.
        if let payment = sale?.payment, payment.username != nil || payment.appAccountToken != nil { new.username = payment.username }
        new.finishedAt = nil
        new.upgradedAt = nil
        new.reinstate()
        new.state(period)
        if let source = row.sharedFrom {
            new.sharedFrom = try TransactionRecord.newestPeriod(of: source, db)?.id ?? source
        }
        try insert(&new, at: now, db)
        try record(new.kind == .renewal ? .renewal : .purchase, about: new, at: now, db)
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
