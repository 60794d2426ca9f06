import Foundation
import GRDB
import PurchaseModel
import StoreProtocol

/// The service that starts, renews, changes and ends subscriptions.
struct SubscriptionService: Sendable {
    let context: StoreContext

    /// Starts a subscription, or changes the account's existing subscription of the subscription group.
    ///
    /// The method returns the transaction of the new period. If the change takes effect at the next renewal, it returns the transaction of
    /// the current period.
    ///
    /// - Parameters:
    ///   - existing: The subscription that the account has or had in the subscription group; nil if there was none.
    ///   - returnsAlreadyOwned: Whether the method also returns the current period's transaction if the account already has this
    ///     subscription.
    /// - Throws: ``PurchaseRefusal/alreadySubscribed`` if the account already has this subscription and `returnsAlreadyOwned` is false.
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
        // If the purchase changes nothing, the account already has exactly this subscription.
        guard returnsAlreadyOwned || after.subscription != before else { throw PurchaseRefusal.alreadySubscribed }
        if purchase.plan.productID != before.productID || before.hasEnded {
            try context.familySharing.updateSharing(after, at: now, db)
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
        try context.transactions.insert(&row, at: now, db)
        try context.events.insertEvent(.purchase, about: row, at: now, db)
        var owner = SubscriptionRecord(
            account: buyer.account.id, bundleID: buyer.app.bundleID, groupID: terms.group, subscription: subscription)
        try owner.insert(db)
        // The transaction of the first period is already inserted, so only the other actions are performed.
        actions.removeAll { if case .charge = $0 { true } else { false } }
        try perform(actions, of: &owner, nil, at: now, db)
        try context.familySharing.share(owner, at: now, db)
        return row
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
        var actions = row.handle(event, at: now)
        var overdue = 0
        while case .overdue(let due)? = actions.first {
            // The limit keeps the database transaction short; usually at most one earlier event is due.
            guard overdue < context.eventsPerRequest else { throw StoreError.behind(since: due) }
            row = try processDueChange(row, at: due, db)
            actions = row.handle(event, at: now)
            overdue += 1
        }
        // The events for Family Sharing entitlements are determined first, because they depend on the subscription's period before the
        // change.
        let sharedSubscriptions = try SubscriptionRecord.sharedSubscriptions(of: row.id, db).map {
            ($0, self.event(event, of: row, for: $0))
        }
        try perform(actions, of: &row, purchaseContext, at: now, db)
        for (entitlement, event) in sharedSubscriptions {
            if let event { try apply(event, to: entitlement, at: now, db) }
        }
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
        case .refunded(let number, let percentage): return shiftedNumber(number).map { .refunded(period: $0, percentage: percentage) }
        case .refundReversed(let number): return shiftedNumber(number).map { .refundReversed(period: $0) }
        case .due, .billingIssueResolved, .autoRenew, .purchase, .priceChanged, .priceConsent, .sharingEnded, .extended, .renewalForced,
            .renewalChargedAhead, .expiryForced:
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
        let actions = row.handle(event, at: due)
        try perform(actions, of: &row, nil, at: due, db)
        for entitlement in try SubscriptionRecord.sharedSubscriptions(of: row.id, db) {
            var entitlement = entitlement
            let actions = entitlement.handle(event, at: due)
            try perform(actions, of: &entitlement, nil, at: due, db)
        }
        return row
    }

    /// Performs the actions that the subscription state machine returned, and saves the subscription.
    ///
    /// - Parameter purchaseContext: The payment that caused the actions; nil if none did.
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
                try context.transactions.change(&upgraded, db)
                if let refund { try insertRefundCharge(refund, of: upgraded, at: now, db) }
            case .revoke(let number, let revocation):
                var revoked = try TransactionRecord.period(number, of: row.id, db)
                revoked.revoke(revocation, reason: revoked.revocationReason ?? 0, at: now)
                try context.transactions.change(&revoked, db)
                try insertRefundCharge(revocation, of: revoked, at: now, db)
                try context.events.insertEvent(revocation.kind == .familyRevoke ? .revocation : .refund, about: revoked, at: now, db)
            case .reinstate(let number):
                var reinstated = try TransactionRecord.period(number, of: row.id, db)
                reinstated.reinstate()
                try context.transactions.change(&reinstated, db)
                try ChargeRecord.reversal(reinstated, at: now, db)
                try context.events.insertEvent(.refundReversal, about: reinstated, at: now, db)
            case .setExpirationDate(let number, let end):
                var extended = try TransactionRecord.period(number, of: row.id, db)
                extended.expiresDate = end
                try context.transactions.change(&extended, db)
            case .notify(let notice, let number):
                let about = try TransactionRecord.period(number, of: row.id, db)
                try context.events.insertEvent(.subscription, about: about, at: now, detail: notice.type.rawValue, db)
                try context.notifications.notify(StoreNotice(notice), about: about, row, at: now, db)
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

    /// Inserts the transaction and the charge of a new subscription period.
    ///
    /// The transaction belongs to the device that sent the payment, or to the device of the previous period.
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
        // A payment without an application username and without an app account token keeps those of the previous period.
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
        try context.transactions.insert(&new, at: now, db)
        try context.events.insertEvent(new.kind == .renewal ? .renewal : .purchase, about: new, at: now, db)
    }

    /// Returns the rules of new subscriptions, such as the time rate: those that were set, or those of the catalog.
    func rules(for environment: AppEnvironment, _ db: Database) throws -> SubscriptionRules {
        try StoreSettings.rules(db) ?? context.apps.rules
    }

    /// Performs an action, such as a renewal or a price increase, on the subscription to which a transaction belongs.
    ///
    /// - Throws: ``StoreError/transactionUnknown`` if the transaction belongs to no subscription that the account purchased, or
    ///   another error if the action is not possible.
    func performAction(_ request: SubscriptionRequest, on id: TransactionID) async throws -> SubscriptionDescription {
        try await context.transaction { db, now in
            guard let first = try TransactionRecord.find(id, db),
                let row = try SubscriptionRecord.fetchOne(db, key: first.originalID.rawValue),
                row.purchaserTransactionID == nil
            else { throw StoreError.transactionUnknown }
            let failsRenewals = try context.apps.require(row.bundleID).catalog.settings.failsRenewals
            let hasValidPaymentMethod = try !failsRenewals && AccountRecord.require(row.account, db).hasValidPaymentMethod
            let event = try event(
                request, row.subscription, failsRenewals: failsRenewals, hasValidPaymentMethod: hasValidPaymentMethod, at: now)
            let changed = try apply(event, to: row, at: now, db)
            return describe(changed, environment: first.environment, at: now)
        }
    }

    private func event(
        _ request: SubscriptionRequest, _ subscription: Subscription, failsRenewals: Bool, hasValidPaymentMethod: Bool, at now: Timestamp
    ) throws -> SubscriptionEvent {
        switch request.action {
        case .enableAutoRenew: return .autoRenew(true)
        case .disableAutoRenew: return .autoRenew(false)
        case .cancelChange:
            // A pending change is canceled by a purchase of the current plan, which would be charged if no period were running.
            guard subscription.state == .active, subscription.paidUntil > now, subscription.pendingPlan != nil else {
                throw StoreError.invalidValue(field: "action")
            }
            return .purchase(SubscriptionPurchase(subscription.plan))
        case .renew: return .renewalForced(hasValidPaymentMethod: !failsRenewals)
        case .chargeAhead:
            guard subscription.canChargeAhead(at: now, hasValidPaymentMethod: hasValidPaymentMethod) else {
                throw SubscriptionError.chargeAheadRefused
            }
            return .renewalChargedAhead()
        case .expire: return .expiryForced
        case .increasePriceWithConsent, .increasePriceWithoutConsent:
            let old = subscription.plan.price
            let price = request.price ?? old.milliunits
            guard (0...1_000_000_000_000).contains(price) else { throw StoreError.invalidValue(field: "price") }
            return .priceChanged(
                of: subscription.productID, to: Money(milliunits: price, currency: old.currency),
                requiresConsent: request.action == .increasePriceWithConsent
            )
        case .consentToPriceIncrease: return .priceConsent(true)
        case .declinePriceIncrease: return .priceConsent(false)
        case .extend:
            let days = request.days ?? 0
            if let refusal = subscription.refusal(ofExtensionBy: days, at: now) { throw SubscriptionError.extensionRefused(refusal) }
            return .extended(days: days)
        }
    }

    /// Performs an action that the user chose in the device's subscription sheet, and returns the new status of the subscription.
    ///
    /// - Throws: ``SubscriptionError/changeRefused(_:)`` if the store refuses a change to another product.
    func manage(_ request: ManageSubscriptionRequest, by session: SessionRecord) async throws -> HistoryReply.Status {
        let id = try await context.read { db in try context.transactions.transaction(request.transactionID, of: session, db).originalID }
        switch request.action {
        case .enableAutoRenew: _ = try await performAction(SubscriptionRequest(.enableAutoRenew), on: id)
        case .disableAutoRenew: _ = try await performAction(SubscriptionRequest(.disableAutoRenew), on: id)
        case .consentToPriceIncrease: _ = try await performAction(SubscriptionRequest(.consentToPriceIncrease), on: id)
        case .declinePriceIncrease: _ = try await performAction(SubscriptionRequest(.declinePriceIncrease), on: id)
        case .changeProduct: try await change(id, request, by: session)
        }
        let found = try await context.read { db in
            guard let row = try SubscriptionRecord.fetchOne(db, key: id.rawValue),
                let current = try TransactionRecord.currentPeriod(of: id, at: context.clock.now, db)
            else { throw StoreError.transactionUnknown }
            return (row, current)
        }
        return try status(found, for: session, at: context.clock.now)
    }

    /// Changes a subscription to another product of its subscription group.
    private func change(_ id: TransactionID, _ request: ManageSubscriptionRequest, by session: SessionRecord) async throws {
        guard let product = request.productID else { throw StoreError.invalidValue(field: "productID") }
        guard let payment = request.payment else { throw StoreError.invalidValue(field: "payment") }
        let group = try await context.read { db in try SubscriptionRecord.fetchOne(db, key: id.rawValue)?.groupID }
        let requestedTerms = try context.apps.require(session.bundleID).catalog.product(product)?.subscription
        guard let group, requestedTerms?.group == group else { throw SubscriptionError.changeRefused(.productUnavailable) }
        let purchase = PurchaseRequest(payment: payment, productID: product, quantity: 1, appAccountToken: nil)
        if case .refused(_, let message) = try await context.checkout.buy(purchase, by: session) {
            throw SubscriptionError.changeRefused(.simulated(code: 0, message: message))
        }
    }

    /// Returns the status of a subscription as the device API sends it.
    ///
    /// The status contains the transaction of the current period and the renewal info, both signed for the device.
    func status(
        _ found: (row: SubscriptionRecord, current: TransactionRecord), for session: SessionRecord, at now: Timestamp
    ) throws -> HistoryReply.Status {
        let renewal = renewalInfo(found.row, environment: found.current.environment, at: now)
        return HistoryReply.Status(
            group: found.row.groupID, status: found.row.subscription.status.rawValue,
            signedTransaction: try context.signer.sign(found.current, for: session.device, at: now),
            signedRenewalInfo: try context.signer.sign(renewal, for: session.device)
        )
    }

    /// Returns the current renewal info of a subscription, with its eligible win-back offers.
    func renewalInfo(_ row: SubscriptionRecord, environment: AppEnvironment, at now: Timestamp) -> RenewalInfoPayload {
        let offers = context.apps[row.bundleID]?.catalog.product(row.subscription.productID)?.subscription?.offers ?? []
        return row.subscription.renewalInfo(
            environment: environment, signedDate: now,
            eligibleWinBackOfferIDs: row.subscription.eligibleWinBackOfferIDs(among: offers)
        )
    }

    /// Returns a subscription in the control API's format.
    func describe(_ row: SubscriptionRecord, environment: AppEnvironment, at now: Timestamp) -> SubscriptionDescription {
        SubscriptionDescription(
            bundleID: row.bundleID, group: row.groupID, status: row.subscription.status,
            isShared: row.purchaserTransactionID != nil,
            renewalInfo: renewalInfo(row, environment: environment, at: now), nextRenewalDate: row.nextRenewalDate
        )
    }

    /// Returns an account's subscriptions in all apps, in the order of their first purchases.
    func subscriptions(of account: AccountID) async throws -> SubscriptionsReply {
        let now = context.clock.now
        return try await context.read { db in
            let environment = try AccountRecord.require(account, db).environment
            return SubscriptionsReply(
                subscriptions: try SubscriptionRecord.all(of: account, db).map { describe($0, environment: environment, at: now) })
        }
    }
}
