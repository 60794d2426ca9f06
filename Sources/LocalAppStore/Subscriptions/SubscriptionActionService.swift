import GRDB
import PurchaseModel
import StoreProtocol

/// The service that performs the actions on subscriptions that customers and tests choose, and lists subscriptions.
struct SubscriptionActionService: Sendable {
    let context: StoreContext
    let transactions: TransactionService
    let subscriptions: SubscriptionService
    let checkout: CheckoutService

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
                request, row, failsRenewals: failsRenewals, hasValidPaymentMethod: hasValidPaymentMethod, at: now, db)
            let changed = try subscriptions.apply(event, to: row, at: now, db)
            return try describe(changed, environment: first.environment, at: now, db)
        }
    }

    private func event(
        _ request: SubscriptionRequest, _ row: SubscriptionRecord, failsRenewals: Bool, hasValidPaymentMethod: Bool, at now: Timestamp,
        _ db: Database
    ) throws -> SubscriptionEvent {
        let subscription = row.subscription
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
        case .setRenewalSeats:
            guard let seats = subscription.seats else { throw SeatError.noSeats }
            guard !subscription.hasEnded else { throw SeatError.ended }
            guard let count = request.seats, count >= 1, count <= seats.count else { throw SeatError.invalidRenewal }
            return .seatsAtRenewal(count)
        case .joinBundle:
            guard let product = request.bundleProductID, !product.rawValue.isEmpty else {
                throw StoreError.invalidValue(field: "bundleProductID")
            }
            guard request.bundleGroup?.rawValue.isEmpty != true else { throw StoreError.invalidValue(field: "bundleGroup") }
            guard subscription.canMoveToBundle(at: now) else { throw SubscriptionError.bundleRefused }
            return .bundled(try SubscriptionBundle(product, request.bundleGroup, for: row, db))
        case .leaveBundle:
            guard subscription.period.bundle != nil, subscription.state == .active else { throw SubscriptionError.noBundle }
            return .unbundled(request.expires == true ? .expires : .renewsAlone)
        case .stayInBundle:
            guard subscription.unbundling != nil, subscription.state == .active else { throw SubscriptionError.staysInBundle }
            return .unbundled(nil)
        }
    }

    /// Performs an action that the user chose in the device's subscription sheet, and returns the new status of the subscription.
    ///
    /// - Throws: ``SubscriptionError/changeRefused(_:)`` if the store refuses a change to another product.
    func manage(_ request: ManageSubscriptionRequest, by session: SessionRecord) async throws -> HistoryReply.Status {
        let id = try await context.read { db in try transactions.transaction(request.transactionID, of: session, db).originalID }
        switch request.action {
        case .enableAutoRenew: _ = try await performAction(SubscriptionRequest(.enableAutoRenew), on: id)
        case .disableAutoRenew: _ = try await performAction(SubscriptionRequest(.disableAutoRenew), on: id)
        case .consentToPriceIncrease: _ = try await performAction(SubscriptionRequest(.consentToPriceIncrease), on: id)
        case .declinePriceIncrease: _ = try await performAction(SubscriptionRequest(.declinePriceIncrease), on: id)
        case .changeProduct: try await change(id, request, by: session)
        }
        let (row, current) = try await context.read { db in
            guard let row = try SubscriptionRecord.fetchOne(db, key: id.rawValue),
                let current = try TransactionRecord.currentPeriod(of: id, at: context.clock.now, db)
            else { throw StoreError.transactionUnknown }
            return (row, current)
        }
        return try HistoryReply.Status(row, current, for: session, in: context, at: context.clock.now)
    }

    /// Changes a subscription to another product of its subscription group.
    private func change(_ id: TransactionID, _ request: ManageSubscriptionRequest, by session: SessionRecord) async throws {
        guard let product = request.productID else { throw StoreError.invalidValue(field: "productID") }
        guard let payment = request.payment else { throw StoreError.invalidValue(field: "payment") }
        let row = try await context.read { db in try SubscriptionRecord.fetchOne(db, key: id.rawValue) }
        let requestedTerms = try context.apps.require(session.bundleID).catalog.product(product)?.subscription
        guard let row, requestedTerms?.group == row.groupID else { throw SubscriptionError.changeRefused(.productUnavailable) }
        // The choice of the current product withdraws a change, and keeps the billing plan.
        let current = row.subscription.plan
        let purchase = PurchaseRequest(
            payment: payment, productID: product, quantity: 1, appAccountToken: nil,
            billingPlan: product == current.productID ? current.billingPlan : nil)
        if case .refused(_, let message) = try await checkout.buy(purchase, by: session) {
            throw SubscriptionError.changeRefused(.simulated(code: 0, message: message))
        }
    }

    /// Returns a subscription in the control API's format.
    func describe(
        _ row: SubscriptionRecord, environment: AppEnvironment, at now: Timestamp, _ db: Database
    ) throws -> SubscriptionDescription {
        SubscriptionDescription(
            bundleID: row.bundleID, group: row.groupID, status: row.subscription.status, ownership: row.subscription.ownership,
            seats: try SeatGroup(of: row, in: context.apps[row.bundleID]?.catalog, db)?.description,
            renewalInfo: row.renewalInfo(environment: environment, in: context.apps, at: now), nextRenewalDate: row.nextRenewalDate
        )
    }

    /// Returns an account's subscriptions in all apps, in the order of their first purchases.
    func subscriptions(of account: AccountID) async throws -> SubscriptionsReply {
        let now = context.clock.now
        return try await context.read { db in
            let environment = try AccountRecord.require(account, db).environment
            return SubscriptionsReply(
                subscriptions: try SubscriptionRecord.all(of: account, db).map {
                    try describe($0, environment: environment, at: now, db)
                })
        }
    }
}
