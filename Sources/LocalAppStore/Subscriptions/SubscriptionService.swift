import Foundation
import GRDB
import PurchaseModel
import StoreProtocol

/// The service that starts, renews, changes and ends subscriptions.
struct SubscriptionService: Sendable {
    let context: StoreContext
    let transactions: TransactionService
    let notices: NoticeService
    /// The maximum number of earlier events that the service processes before an event.
    let eventsPerRequest: Int

    /// Changes the account's existing or earlier subscription of the subscription group by a purchase.
    ///
    /// The caller updates Family Sharing as the result states.
    ///
    /// - Parameter returnsAlreadyOwned: Whether the method also returns the current period's transaction if the account already has this
    ///   subscription.
    /// - Throws: ``PurchaseRefusal/alreadySubscribed`` if the account already has this subscription and `returnsAlreadyOwned` is false.
    func change(
        _ existing: SubscriptionRecord, to purchase: SubscriptionPurchase, _ sale: Sale, at now: Timestamp, returnsAlreadyOwned: Bool,
        _ db: Database
    ) throws -> SubscriptionSale {
        var row = existing
        row.change { $0.appAccountToken = sale.payment.appAccountToken ?? $0.appAccountToken }
        let before = row.subscription
        let purchaseContext = SubscriptionPurchaseContext(
            payment: sale.payment, device: sale.buyer.device, appVersion: sale.buyer.appVersion)
        let after = try apply(.purchase(purchase), to: row, purchaseContext, at: now, db)
        // If the purchase changes nothing, the account already has exactly this subscription.
        guard returnsAlreadyOwned || after.subscription != before else { throw PurchaseRefusal.alreadySubscribed }
        let period = try TransactionRecord.period(after.subscription.period.number, of: row.id, db)
        // Added seats have a separate transaction.
        let additions = period.additionalTransactionReason == nil ? [] : try TransactionRecord.ofPeriod(period, db)
        return SubscriptionSale(
            transaction: additions.last { $0.payment == sale.payment.id } ?? period,
            changedSharing: purchase.plan.productID != before.productID || before.hasEnded ? after : nil)
    }

    /// Starts the account's first subscription of a subscription group.
    ///
    /// The caller updates Family Sharing as the result states.
    func begin(
        _ purchase: SubscriptionPurchase, in group: SubscriptionGroupID, _ sale: Sale, at now: Timestamp, _ db: Database
    ) throws -> SubscriptionSale {
        let (payment, buyer) = (sale.payment, sale.buyer)
        let rules = try context.apps.rules(db)
        let transactionDate = rules.transactionDate(now)
        var row = try TransactionRecord(.purchase, purchase.plan.productID, .autoRenewable, for: buyer, price: 0, at: transactionDate, db)
        row.groupID = group
        row.appAccountToken = payment.appAccountToken
        row.applicationUsername = payment.applicationUsername
        row.payment = payment.id
        var (subscription, actions) = Subscription.begin(
            originalTransactionID: row.id, purchase: purchase, at: now, rules: rules
        )
        subscription.appAccountToken = payment.appAccountToken
        subscription.appTransactionID = buyer.appTransactionID
        row.setPeriod(subscription.period, invitationManagement(of: purchase.plan.productID, in: buyer.app.bundleID))
        row.webOrderLineItemID = try StoreCounter.orderLine.next(db)
        try transactions.insert(&row, at: now, db)
        try notices.post(StoreNotice(.purchase, about: row), at: now, db)
        var owner = SubscriptionRecord(
            account: buyer.account.id, bundleID: buyer.app.bundleID, groupID: group, subscription: subscription)
        try owner.insert(db)
        // The transaction of the first period is already inserted, so only the other actions are performed.
        actions.removeAll { if case .charge = $0 { true } else { false } }
        try perform(actions, of: &owner, nil, at: now, db)
        return SubscriptionSale(transaction: row, changedSharing: owner)
    }

    /// Applies an event to a subscription and its Family Sharing entitlements, and performs the resulting actions.
    ///
    /// Events that were due earlier are processed first. The result is the subscription in its new state.
    ///
    /// - Parameter purchaseContext: The payment, if the event is a purchase; otherwise nil.
    /// - Throws: ``StoreError/behind(since:)`` if too many earlier events are due.
    @discardableResult
    func apply(
        _ event: SubscriptionEvent, to row: SubscriptionRecord, _ purchaseContext: SubscriptionPurchaseContext? = nil, at now: Timestamp,
        _ db: Database
    ) throws -> SubscriptionRecord {
        var row = row
        let hadSeats = row.subscription.seats != nil
        var actions = row.handle(event, at: now)
        var overdue = 0
        while case .overdue(let due)? = actions.first {
            // The limit keeps the database transaction short; usually at most one earlier event is due.
            guard overdue < eventsPerRequest else { throw StoreError.behind(since: due) }
            row = try processDueChange(row, at: due, db)
            actions = row.handle(event, at: now)
            overdue += 1
        }
        // The events for family members and members of a group are determined first, because they depend on the subscription's period
        // before the change.
        let sharedSubscriptions = try SubscriptionRecord.sharedSubscriptions(of: row.id, db).map {
            ($0, self.event(event, of: row, for: $0))
        }
        try perform(actions, of: &row, purchaseContext, at: now, db)
        for (entitlement, event) in sharedSubscriptions {
            if let event { try apply(event, to: entitlement, at: now, db) }
        }
        try updateSeats(of: row, hadSeats: hadSeats, at: now, db)
        return row
    }

    /// Returns the event for a Family Sharing entitlement that corresponds to an event of the purchaser's subscription.
    ///
    /// The periods of both have different numbers.
    ///
    /// The result is nil if the event is about a period that is earlier than the entitlement.
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
        // A group ends with its subscription, so that a later purchase does not revive the memberships.
        case .purchase where entitlement.subscription.ownership == .assigned && entitlement.subscription.hasEnded: return nil
        case .refunded(let number, let percentage): return shiftedNumber(number).map { .refunded(period: $0, percentage: percentage) }
        case .refundReversed(let number): return shiftedNumber(number).map { .refundReversed(period: $0) }
        case .due, .billingIssueResolved, .autoRenew, .purchase, .priceChanged, .priceConsent, .sharingEnded, .extended, .renewalForced,
            .renewalChargedAhead, .expiryForced, .seatsAtRenewal, .seatsRefunded, .seatRefundReversed, .bundled,
            .unbundled:
            return event
        }
    }

    /// Processes the due event of a subscription, such as a renewal, and of the Family Sharing entitlements to it.
    @discardableResult
    func processDueChange(_ row: SubscriptionRecord, at due: Timestamp, _ db: Database) throws -> SubscriptionRecord {
        let account = try AccountRecord.require(row.account, db)
        let app = try context.apps.require(row.bundleID)
        let isForSale = app.catalog.product(row.subscription.nextPlan.productID) != nil
        let event = SubscriptionEvent.due(
            hasValidPaymentMethod: account.hasValidPaymentMethod && !app.catalog.settings.failsRenewals, isProductAvailable: isForSale)
        var row = row
        let hadSeats = row.subscription.seats != nil
        let actions = row.handle(event, at: due)
        try perform(actions, of: &row, nil, at: due, db)
        for entitlement in try SubscriptionRecord.sharedSubscriptions(of: row.id, db) {
            var entitlement = entitlement
            let actions = entitlement.handle(event, at: due)
            try perform(actions, of: &entitlement, nil, at: due, db)
        }
        try updateSeats(of: row, hadSeats: hadSeats, at: due, db)
        return row
    }

    /// Performs the actions that the subscription state machine returned, and saves the subscription.
    ///
    /// - Parameter purchaseContext: The payment that caused the actions; nil if none did.
    func perform(
        _ actions: [SubscriptionAction], of row: inout SubscriptionRecord, _ purchaseContext: SubscriptionPurchaseContext?,
        at now: Timestamp, _ db: Database
    ) throws {
        var addition: TransactionRecord?
        for action in actions {
            switch action {
            case .charge(let period):
                try charge(period, of: row, purchaseContext, at: now, db)
            case .addSeats(let number, let seats):
                addition = try add(seats, to: number, of: row, purchaseContext, at: now, db)
            case .markUpgraded(let number, let refund):
                for var upgraded in try TransactionRecord.ofPeriod(TransactionRecord.period(number, of: row.id, db), db) {
                    upgraded.upgradedAt = now.wholeSeconds
                    try transactions.change(&upgraded, db)
                    if let refund, upgraded.revokedAt == nil { try insertRefundCharge(refund, of: upgraded, at: now, db) }
                }
            case .revokeForBundle(let number, let refund):
                let replaced = try TransactionRecord.period(number, of: row.id, db)
                let copies = "SELECT * FROM transactions WHERE restores = ? AND revokedAt IS NULL"
                for var copy in try [replaced] + TransactionRecord.fetchAll(db, sql: copies, arguments: [replaced.id.rawValue]) {
                    copy.revokeForBundle(at: now.wholeSeconds)
                    try transactions.change(&copy, db)
                }
                if let refund { try insertRefundCharge(refund, of: replaced, at: now, db) }
            case .revoke(let number, let revocation):
                var revoked = try TransactionRecord.period(number, of: row.id, db)
                revoked.revoke(revocation, reason: revoked.revocationReason ?? 0, at: now)
                try transactions.change(&revoked, db)
                try insertRefundCharge(revocation, of: revoked, at: now, db)
                try notices.post(StoreNotice(revocation.kind == .familyRevoke ? .revocation : .refund, about: revoked), at: now, db)
            case .reinstate(let number):
                var reinstated = try TransactionRecord.period(number, of: row.id, db)
                reinstated.reinstate()
                try transactions.change(&reinstated, db)
                try ChargeRecord.reversal(reinstated, at: now, db)
                try notices.post(StoreNotice(.refundReversal, about: reinstated), at: now, db)
            case .setExpirationDate(let number, let end):
                for var extended in try TransactionRecord.ofPeriod(TransactionRecord.period(number, of: row.id, db), db) {
                    extended.expiresDate = end
                    try transactions.change(&extended, db)
                }
            case .notify(let notice, let number):
                let about = try addition ?? TransactionRecord.period(number, of: row.id, db)
                try notices.post(
                    StoreNotice(.subscription, detail: notice.type.rawValue, NotificationKind(notice), about: about, row), at: now, db)
            case .overdue:
                break
            }
        }
        try row.update(db)
    }

    private func insertRefundCharge(_ revocation: SubscriptionRevocation, of row: TransactionRecord, at now: Timestamp, _ db: Database)
        throws
    {
        // Seats that were refunded before are not refunded again.
        let price = row.multiSeatInfo == nil ? row.price : row.price(ofLast: row.remainingSeats)
        let amount = revocation.amount(of: Money(milliunits: price, currency: row.currency))
        try ChargeRecord.refund(row, amount.milliunits, at: now, db)
    }

    /// Inserts the transaction and the charge of a new subscription period.
    ///
    /// The transaction belongs to the device that sent the payment, or to the device of the previous period.
    private func charge(
        _ period: SubscriptionPeriod, of row: SubscriptionRecord, _ purchaseContext: SubscriptionPurchaseContext?, at now: Timestamp,
        _ db: Database
    ) throws {
        guard let newest = try TransactionRecord.newestPeriod(of: row.id, db) else { throw StoreError.transactionUnknown }
        var new = try successor(of: newest, row, purchaseContext, db)
        new.kind =
            switch row.subscription.ownership {
            case .purchased: period.reason == .renewal ? .renewal : .purchase
            case .familyShared: .familyShared
            case .assigned: .assigned
            }
        // Who invites the members is decided when a subscription begins, also for a customer who subscribes again.
        let isPurchaseAfterEnd = period.reason == .purchase && newest.expiresDate.map { $0 <= period.start } ?? true
        let begins = newest.multiSeatInfo == nil || newest.revokedAt != nil || isPurchaseAfterEnd
        new.setPeriod(period, begins ? invitationManagement(of: period.plan.productID, in: row.bundleID) : nil)
        if let source = row.purchaserTransactionID {
            let purchased = try TransactionRecord.newestPeriod(of: source, db)
            new.purchaserTransactionID = purchased?.id ?? source
            new.bundle = purchased?.bundle
        } else {
            new.bundle = try period.bundle.map { try TransactionBundle($0, of: new, db) }
        }
        try transactions.insert(&new, at: now, db)
        try notices.post(StoreNotice(new.kind == .renewal ? .renewal : .purchase, about: new), at: now, db)
    }

    /// Returns a copy of a transaction with the identifiers of a new one, and with the payment and the device of the purchase that caused it.
    private func successor(
        of row: TransactionRecord, _ subscription: SubscriptionRecord, _ purchaseContext: SubscriptionPurchaseContext?, _ db: Database
    ) throws -> TransactionRecord {
        var new = row
        new.id = TransactionID(try StoreCounter.transaction.next(db))
        new.webOrderLineItemID = try StoreCounter.orderLine.next(db)
        new.orderID = try TransactionRecord.orderID(db)
        new.payment = purchaseContext?.payment.id
        new.device = purchaseContext?.device ?? new.device
        new.appVersion = purchaseContext?.appVersion ?? new.appVersion
        new.appAccountToken = subscription.subscription.appAccountToken
        // A payment without an application username and without an app account token keeps those of the previous period.
        if let payment = purchaseContext?.payment, payment.applicationUsername != nil || payment.appAccountToken != nil {
            new.applicationUsername = payment.applicationUsername
        }
        new.finishedAt = nil
        new.upgradedAt = nil
        new.reinstate()
        return new
    }

    /// Inserts the transaction and the charge of seats that a customer adds to a period, and returns the transaction.
    ///
    /// From then on, each transaction of the period states that several transactions represent it.
    private func add(
        _ seats: SeatAddition, to number: Int, of row: SubscriptionRecord, _ purchaseContext: SubscriptionPurchaseContext?,
        at now: Timestamp, _ db: Database
    ) throws -> TransactionRecord {
        var first = try TransactionRecord.period(number, of: row.id, db)
        var new = try successor(of: first, row, purchaseContext, db)
        new.kind = .purchase
        new.setAddition(seats, to: first.id, at: max(first.purchaseDate, row.subscription.rules.transactionDate(now)))
        if first.additionalTransactionReason == nil {
            first.additionalTransactionReason = new.additionalTransactionReason
            try transactions.change(&first, db)
        }
        try transactions.insert(&new, at: now, db)
        try notices.post(StoreNotice(.purchase, detail: "\(seats.seats) seats added", about: new), at: now, db)
        return new
    }

    /// Returns who invites the members of a product's groups, as the app's catalog states; nil for a product without seats.
    private func invitationManagement(of product: ProductID, in bundleID: BundleID) -> InvitationManagement? {
        context.apps[bundleID]?.catalog.product(product)?.subscription?.seats?.invitationManagement
    }
}

extension SubscriptionService: DueWork {
    func nextDueDate(after date: Timestamp?, _ db: Database) throws -> Timestamp? {
        let sql = "SELECT min(nextRenewalDate) FROM subscriptions WHERE nextRenewalDate > ?"
        return try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [date?.milliseconds ?? .min])
            .map { Timestamp(milliseconds: $0) }
    }

    func processDue(at date: Timestamp, _ db: Database) throws {
        if let row = try SubscriptionRecord.earliestDue(until: date, db) { try processDueChange(row, at: date, db) }
    }
}
