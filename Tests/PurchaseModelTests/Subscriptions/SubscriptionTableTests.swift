import PurchaseModel
import PurchaseTestSupport
import Testing

@Suite struct SubscriptionTableTests {
    /// Stage, happening, stage afterwards, and what is to be done; a pair that is not here does nothing and changes nothing.
    private static let table = """
        active; due and paid; active; charge DID_RENEW
        active; due and unpaid; grace; DID_FAIL_TO_RENEW/GRACE_PERIOD
        active; due and not sold; expired; EXPIRED/PRODUCT_NOT_FOR_SALE
        active; switched off; cancelled; DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED
        active; offer redeemed; active; OFFER_REDEEMED
        active; upgraded; active; markUpgraded charge DID_CHANGE_RENEWAL_PREF/UPGRADE
        active; downgraded; changing; DID_CHANGE_RENEWAL_PREF/DOWNGRADE
        active; dearer asking; asked; PRICE_INCREASE/PENDING
        active; dearer telling; active; PRICE_INCREASE/ACCEPTED
        active; extended; active; moveEnd RENEWAL_EXTENDED
        active; renewal forced; active; moveEnd charge DID_RENEW
        changing; due and paid; active; charge DID_RENEW
        changing; due and unpaid; grace; DID_FAIL_TO_RENEW/GRACE_PERIOD
        changing; due and not sold; expired; EXPIRED/PRODUCT_NOT_FOR_SALE
        changing; switched off; cancelled; DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED
        changing; bought again; active; DID_CHANGE_RENEWAL_PREF
        changing; offer redeemed; active; OFFER_REDEEMED
        changing; upgraded; active; markUpgraded charge DID_CHANGE_RENEWAL_PREF/UPGRADE
        changing; downgraded; changing; DID_CHANGE_RENEWAL_PREF/DOWNGRADE
        changing; dearer asking; asked; PRICE_INCREASE/PENDING
        changing; dearer telling; changing; PRICE_INCREASE/ACCEPTED
        changing; extended; changing; moveEnd RENEWAL_EXTENDED
        changing; renewal forced; active; moveEnd charge DID_RENEW
        asked; due and paid; expired; EXPIRED/PRICE_INCREASE
        asked; due and unpaid; expired; EXPIRED/PRICE_INCREASE
        asked; due and not sold; expired; EXPIRED/PRICE_INCREASE
        asked; switched off; cancelled; DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED
        asked; offer redeemed; asked; OFFER_REDEEMED
        asked; upgraded; active; markUpgraded charge DID_CHANGE_RENEWAL_PREF/UPGRADE
        asked; downgraded; asked; DID_CHANGE_RENEWAL_PREF/DOWNGRADE
        asked; dearer asking; asked; PRICE_INCREASE/PENDING
        asked; dearer telling; active; PRICE_INCREASE/ACCEPTED
        asked; agreed; active; PRICE_INCREASE/ACCEPTED
        asked; declined; cancelled; DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED
        asked; extended; asked; moveEnd RENEWAL_EXTENDED
        asked; renewal forced; active; moveEnd charge DID_RENEW
        cancelled; due and paid; expired; EXPIRED/VOLUNTARY
        cancelled; due and unpaid; expired; EXPIRED/VOLUNTARY
        cancelled; due and not sold; expired; EXPIRED/VOLUNTARY
        cancelled; switched on; active; DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED
        cancelled; bought again; active; DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED
        cancelled; offer redeemed; active; OFFER_REDEEMED DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED
        cancelled; upgraded; active; markUpgraded charge DID_CHANGE_RENEWAL_PREF/UPGRADE DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED
        cancelled; downgraded; changing; DID_CHANGE_RENEWAL_PREF/DOWNGRADE DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED
        cancelled; dearer telling; cancelled; PRICE_INCREASE/ACCEPTED
        cancelled; extended; cancelled; moveEnd RENEWAL_EXTENDED
        cancelled; renewal forced; active; moveEnd charge DID_RENEW
        grace; due and paid; retry; GRACE_PERIOD_EXPIRED
        grace; due and unpaid; retry; GRACE_PERIOD_EXPIRED
        grace; due and not sold; retry; GRACE_PERIOD_EXPIRED
        grace; card mended; active; charge DID_RENEW/BILLING_RECOVERY
        grace; switched off; expired; DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED EXPIRED/VOLUNTARY
        grace; bought again; active; charge DID_RENEW/BILLING_RECOVERY
        grace; offer redeemed; active; charge OFFER_REDEEMED DID_RENEW/BILLING_RECOVERY
        grace; upgraded; active; charge DID_CHANGE_RENEWAL_PREF/UPGRADE DID_RENEW/BILLING_RECOVERY
        grace; downgraded; active; charge DID_CHANGE_RENEWAL_PREF/DOWNGRADE DID_RENEW/BILLING_RECOVERY
        grace; dearer asking; grace; PRICE_INCREASE/PENDING
        grace; dearer telling; grace; PRICE_INCREASE/ACCEPTED
        retry; due and paid; expired; EXPIRED/BILLING_RETRY
        retry; due and unpaid; expired; EXPIRED/BILLING_RETRY
        retry; due and not sold; expired; EXPIRED/BILLING_RETRY
        retry; card mended; active; charge DID_RENEW/BILLING_RECOVERY
        retry; switched off; expired; DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED EXPIRED/VOLUNTARY
        retry; bought again; active; charge DID_RENEW/BILLING_RECOVERY
        retry; offer redeemed; active; charge OFFER_REDEEMED DID_RENEW/BILLING_RECOVERY
        retry; upgraded; active; charge DID_CHANGE_RENEWAL_PREF/UPGRADE DID_RENEW/BILLING_RECOVERY
        retry; downgraded; active; charge DID_CHANGE_RENEWAL_PREF/DOWNGRADE DID_RENEW/BILLING_RECOVERY
        retry; dearer asking; retry; PRICE_INCREASE/PENDING
        retry; dearer telling; retry; PRICE_INCREASE/ACCEPTED
        expired; bought again; active; charge SUBSCRIBED/RESUBSCRIBE
        expired; offer redeemed; active; charge SUBSCRIBED/RESUBSCRIBE
        expired; upgraded; active; charge SUBSCRIBED/RESUBSCRIBE
        expired; downgraded; active; charge SUBSCRIBED/RESUBSCRIBE
        revoked; bought again; active; charge SUBSCRIBED/RESUBSCRIBE
        revoked; offer redeemed; active; charge SUBSCRIBED/RESUBSCRIBE
        revoked; upgraded; active; charge SUBSCRIBED/RESUBSCRIBE
        revoked; downgraded; active; charge SUBSCRIBED/RESUBSCRIBE
        revoked; refund reversed; active; reinstate REFUND_REVERSED
        """

    /// What is the same in several stages.
    private static func common(_ stage: SubscriptionStage, _ happening: SubscriptionHappening) -> String? {
        switch (happening, stage) {
        case (.refunded, .revoked): nil
        case (.refunded, _): "revoked; revoke REFUND"
        case (.olderRefunded, _): "\(stage); revoke REFUND"
        case (.expiryForced, .active), (.expiryForced, .changing), (.expiryForced, .asked), (.expiryForced, .cancelled):
            "expired; moveEnd EXPIRED/VOLUNTARY"
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

    @Test(arguments: SubscriptionStage.allCases, SubscriptionHappening.allCases)
    func `each event has its one effect in each state`(_ stage: SubscriptionStage, _ happening: SubscriptionHappening) throws {
        let before = try stage.sample()
        #expect(SubscriptionStage(before) == stage)
        var subscription = before
        let actions = try happening.happen(to: &subscription)
        guard let expected = Self.rows["\(stage); \(happening.rawValue)"] ?? Self.common(stage, happening) else {
            #expect(actions.isEmpty)
            // The price of a subscription that is not renewed changes without a word.
            #expect(subscription == before || (stage == .cancelled && happening == .dearerAsking))
            return
        }
        #expect("\(SubscriptionStage(subscription)); \(actions.words)" == expected)
    }

    @Test func `each row of the table is of a state and an event that there are`() {
        let pairs = SubscriptionStage.allCases.flatMap { stage in SubscriptionHappening.allCases.map { "\(stage); \($0.rawValue)" } }
        #expect(Set(Self.rows.keys).isSubset(of: pairs))
    }

    @Test(arguments: SubscriptionStage.allCases)
    func `nothing falls due before its time`(_ stage: SubscriptionStage) throws {
        let before = try stage.sample()
        let early = (before.nextDue ?? Sample.secondEnd).adding(milliseconds: -1)
        var subscription = before
        #expect(subscription.handle(.due(cardWorks: true), at: early).isEmpty)
        #expect(subscription == before)
    }

    @Test(arguments: SubscriptionStage.allCases, SubscriptionHappening.allCases)
    func `what is due comes before everything else`(_ stage: SubscriptionStage, _ happening: SubscriptionHappening) throws {
        let before = try stage.sample()
        guard let due = before.nextDue, !happening.rawValue.hasPrefix("due") else { return }
        var subscription = before
        #expect(subscription.handle(try happening.event(), at: due) == [.overdue(since: due)])
        #expect(subscription == before)
    }
}
