import PurchaseModel
import PurchaseTestSupport
import Testing

@Suite struct SubscriptionTableTests {
    /// Rows of stage, event, next stage and actions.
    ///
    /// A pair without a row has no actions and no effect.
    private static let table = """
        active; due with valid payment method; active; charge DID_RENEW
        active; due with declining payment method; grace; DID_FAIL_TO_RENEW/GRACE_PERIOD
        active; due with unavailable product; expired; EXPIRED/PRODUCT_NOT_FOR_SALE
        active; auto-renew disabled; autoRenewOff; DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED
        active; offer redeemed; active; OFFER_REDEEMED
        active; upgraded; active; markUpgraded charge DID_CHANGE_RENEWAL_PREF/UPGRADE
        active; downgraded; changePending; DID_CHANGE_RENEWAL_PREF/DOWNGRADE
        active; price increase with consent required; consentPending; PRICE_INCREASE/PENDING
        active; price increase without consent; active; PRICE_INCREASE/ACCEPTED
        active; renewal date extended; active; setExpirationDate RENEWAL_EXTENDED
        active; renewal forced; active; setExpirationDate charge DID_RENEW
        changePending; due with valid payment method; active; charge DID_RENEW
        changePending; due with declining payment method; grace; DID_FAIL_TO_RENEW/GRACE_PERIOD
        changePending; due with unavailable product; expired; EXPIRED/PRODUCT_NOT_FOR_SALE
        changePending; auto-renew disabled; autoRenewOff; DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED
        changePending; purchased again; active; DID_CHANGE_RENEWAL_PREF
        changePending; offer redeemed; active; OFFER_REDEEMED
        changePending; upgraded; active; markUpgraded charge DID_CHANGE_RENEWAL_PREF/UPGRADE
        changePending; downgraded; changePending; DID_CHANGE_RENEWAL_PREF/DOWNGRADE
        changePending; price increase with consent required; consentPending; PRICE_INCREASE/PENDING
        changePending; price increase without consent; changePending; PRICE_INCREASE/ACCEPTED
        changePending; renewal date extended; changePending; setExpirationDate RENEWAL_EXTENDED
        changePending; renewal forced; active; setExpirationDate charge DID_RENEW
        consentPending; due with valid payment method; expired; EXPIRED/PRICE_INCREASE
        consentPending; due with declining payment method; expired; EXPIRED/PRICE_INCREASE
        consentPending; due with unavailable product; expired; EXPIRED/PRICE_INCREASE
        consentPending; auto-renew disabled; autoRenewOff; DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED
        consentPending; offer redeemed; consentPending; OFFER_REDEEMED
        consentPending; upgraded; active; markUpgraded charge DID_CHANGE_RENEWAL_PREF/UPGRADE
        consentPending; downgraded; consentPending; DID_CHANGE_RENEWAL_PREF/DOWNGRADE
        consentPending; price increase with consent required; consentPending; PRICE_INCREASE/PENDING
        consentPending; price increase without consent; active; PRICE_INCREASE/ACCEPTED
        consentPending; consented; active; PRICE_INCREASE/ACCEPTED
        consentPending; declined; autoRenewOff; DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED
        consentPending; renewal date extended; consentPending; setExpirationDate RENEWAL_EXTENDED
        consentPending; renewal forced; active; setExpirationDate charge DID_RENEW
        autoRenewOff; due with valid payment method; expired; EXPIRED/VOLUNTARY
        autoRenewOff; due with declining payment method; expired; EXPIRED/VOLUNTARY
        autoRenewOff; due with unavailable product; expired; EXPIRED/VOLUNTARY
        autoRenewOff; auto-renew enabled; active; DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED
        autoRenewOff; purchased again; active; DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED
        autoRenewOff; offer redeemed; active; OFFER_REDEEMED DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED
        autoRenewOff; upgraded; active; markUpgraded charge DID_CHANGE_RENEWAL_PREF/UPGRADE DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED
        autoRenewOff; downgraded; changePending; DID_CHANGE_RENEWAL_PREF/DOWNGRADE DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED
        autoRenewOff; price increase without consent; autoRenewOff; PRICE_INCREASE/ACCEPTED
        autoRenewOff; renewal date extended; autoRenewOff; setExpirationDate RENEWAL_EXTENDED
        autoRenewOff; renewal forced; active; setExpirationDate charge DID_RENEW
        chargedAhead; due with valid payment method; active; charge DID_RENEW
        chargedAhead; due with declining payment method; grace; DID_FAIL_TO_RENEW/GRACE_PERIOD
        chargedAhead; due with unavailable product; expired; EXPIRED/PRODUCT_NOT_FOR_SALE
        chargedAhead; auto-renew disabled; autoRenewOff; DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED
        chargedAhead; offer redeemed; chargedAhead; OFFER_REDEEMED
        chargedAhead; upgraded; active; markUpgraded charge DID_CHANGE_RENEWAL_PREF/UPGRADE
        chargedAhead; downgraded; chargedAhead; DID_CHANGE_RENEWAL_PREF/DOWNGRADE
        chargedAhead; price increase with consent required; chargedAhead; PRICE_INCREASE/PENDING
        chargedAhead; price increase without consent; chargedAhead; PRICE_INCREASE/ACCEPTED
        chargedAhead; renewal date extended; chargedAhead; setExpirationDate RENEWAL_EXTENDED
        chargedAhead; refunded; autoRenewOff; revoke REFUND
        chargedAhead; expiry forced; expired; setExpirationDate setExpirationDate EXPIRED/VOLUNTARY
        active; renewal charged ahead; chargedAhead; charge DID_RENEW
        changePending; renewal charged ahead; chargedAhead; charge DID_RENEW
        grace; due with valid payment method; retry; GRACE_PERIOD_EXPIRED
        grace; due with declining payment method; retry; GRACE_PERIOD_EXPIRED
        grace; due with unavailable product; retry; GRACE_PERIOD_EXPIRED
        grace; billing issue resolved; active; charge DID_RENEW/BILLING_RECOVERY
        grace; auto-renew disabled; expired; DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED EXPIRED/VOLUNTARY
        grace; purchased again; active; charge DID_RENEW/BILLING_RECOVERY
        grace; offer redeemed; active; charge OFFER_REDEEMED DID_RENEW/BILLING_RECOVERY
        grace; upgraded; active; charge DID_CHANGE_RENEWAL_PREF/UPGRADE DID_RENEW/BILLING_RECOVERY
        grace; downgraded; active; charge DID_CHANGE_RENEWAL_PREF/DOWNGRADE DID_RENEW/BILLING_RECOVERY
        grace; price increase with consent required; grace; PRICE_INCREASE/PENDING
        grace; price increase without consent; grace; PRICE_INCREASE/ACCEPTED
        retry; due with valid payment method; expired; EXPIRED/BILLING_RETRY
        retry; due with declining payment method; expired; EXPIRED/BILLING_RETRY
        retry; due with unavailable product; expired; EXPIRED/BILLING_RETRY
        retry; billing issue resolved; active; charge DID_RENEW/BILLING_RECOVERY
        retry; auto-renew disabled; expired; DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED EXPIRED/VOLUNTARY
        retry; purchased again; active; charge DID_RENEW/BILLING_RECOVERY
        retry; offer redeemed; active; charge OFFER_REDEEMED DID_RENEW/BILLING_RECOVERY
        retry; upgraded; active; charge DID_CHANGE_RENEWAL_PREF/UPGRADE DID_RENEW/BILLING_RECOVERY
        retry; downgraded; active; charge DID_CHANGE_RENEWAL_PREF/DOWNGRADE DID_RENEW/BILLING_RECOVERY
        retry; price increase with consent required; retry; PRICE_INCREASE/PENDING
        retry; price increase without consent; retry; PRICE_INCREASE/ACCEPTED
        expired; purchased again; active; charge SUBSCRIBED/RESUBSCRIBE
        expired; offer redeemed; active; charge SUBSCRIBED/RESUBSCRIBE
        expired; upgraded; active; charge SUBSCRIBED/RESUBSCRIBE
        expired; downgraded; active; charge SUBSCRIBED/RESUBSCRIBE
        revoked; purchased again; active; charge SUBSCRIBED/RESUBSCRIBE
        revoked; offer redeemed; active; charge SUBSCRIBED/RESUBSCRIBE
        revoked; upgraded; active; charge SUBSCRIBED/RESUBSCRIBE
        revoked; downgraded; active; charge SUBSCRIBED/RESUBSCRIBE
        revoked; refund reversed; active; reinstate REFUND_REVERSED
        """

    /// Returns the next stage and the actions of an event that has the same effect in several stages.
    private static func common(_ stage: SubscriptionStage, _ kind: SubscriptionEventKind) -> String? {
        switch (kind, stage) {
        case (.refunded, .revoked): nil
        case (.refunded, _): "revoked; revoke REFUND"
        case (.earlierPeriodRefunded, _): "\(stage); revoke REFUND"
        case (.expiryForced, .active), (.expiryForced, .changePending), (.expiryForced, .consentPending), (.expiryForced, .autoRenewOff):
            "expired; setExpirationDate EXPIRED/VOLUNTARY"
        case (.expiryForced, .grace), (.expiryForced, .retry): "expired; EXPIRED/VOLUNTARY"
        default: nil
        }
    }

    private static let rows: [String: String] = Dictionary(
        table.split(separator: "\n").map { row in
            let parts = row.split(separator: "; ", maxSplits: 2)
            return ("\(parts[0]); \(parts[1])", String(parts[2]))
        },
        uniquingKeysWith: { "\($0) and \($1)" }
    )

    @Test(arguments: SubscriptionStage.allCases, SubscriptionEventKind.allCases)
    func `each event has the expected effect in each stage`(_ stage: SubscriptionStage, _ kind: SubscriptionEventKind) throws {
        let before = try stage.sample()
        #expect(SubscriptionStage(before) == stage)
        var subscription = before
        let actions = try kind.apply(to: &subscription)
        guard let expected = Self.rows["\(stage); \(kind.rawValue)"] ?? Self.common(stage, kind) else {
            #expect(actions.isEmpty)
            // With auto-renew disabled, a price increase changes the subscription without an action.
            #expect(subscription == before || (stage == .autoRenewOff && kind == .priceIncreaseConsentRequired))
            return
        }
        #expect("\(SubscriptionStage(subscription)); \(actions.summary)" == expected)
    }

    @Test func `each row of the table names an existing stage and event`() {
        let pairs = SubscriptionStage.allCases.flatMap { stage in SubscriptionEventKind.allCases.map { "\(stage); \($0.rawValue)" } }
        #expect(Set(Self.rows.keys).isSubset(of: pairs))
    }

    @Test(arguments: SubscriptionStage.allCases)
    func `a due event before the next renewal date has no effect`(_ stage: SubscriptionStage) throws {
        let before = try stage.sample()
        let early = (before.nextRenewalDate ?? Sample.secondEnd).adding(milliseconds: -1)
        var subscription = before
        #expect(subscription.handle(.due(hasValidPaymentMethod: true), at: early).isEmpty)
        #expect(subscription == before)
    }

    @Test(arguments: SubscriptionStage.allCases, SubscriptionEventKind.allCases)
    func `an event at the next renewal date is rejected until the due event is handled`(
        _ stage: SubscriptionStage, _ kind: SubscriptionEventKind
    ) throws {
        let before = try stage.sample()
        guard let due = before.nextRenewalDate, !kind.rawValue.hasPrefix("due") else { return }
        var subscription = before
        #expect(subscription.handle(try kind.event(), at: due) == [.overdue(since: due)])
        #expect(subscription == before)
    }
}
