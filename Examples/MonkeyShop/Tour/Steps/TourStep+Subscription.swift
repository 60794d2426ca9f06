import LocalAppStore
import MonkeyShop
import MonkeyShopBackend
import PurchaseKit
import PurchaseModel
import StoreControl

extension TourStep {
    static let subscription = TourStep(number: 9, title: "The magazine renews, has a billing issue, and recovers") { tour in
        let phone = try await tour.launch(.first)
        let account = TourAccount.adult.id
        let original = try await phone.buyIfNeeded(MonkeyShopProduct.magazine)
        var timeline: [String] = []
        var states: [Access.State] = []

        /// Adds the customer's entitlement on the server to the timeline.
        func checkAccess(_ when: String) async throws -> BackendClient.Entitlement {
            let entitlement = try await tour.client.entitlement(MonkeyShopProduct.magazine.rawValue)
            timeline.append("\(when): \(entitlement.isActive ? "access" : "no access"), \(entitlement.state.rawValue)")
            states.append(entitlement.state)
            return entitlement
        }

        let bought = try await checkAccess("purchased")
        try await tour.advance(days: 31)
        let renewed = try await checkAccess("renewed")
        guard let until = bought.until, let later = renewed.until else {
            throw TourFailure(expected: "an expiry date", found: "\(renewed)")
        }
        try expect("a later expiry date", later > until, found: "until \(later)")

        try await tour.control.setPaymentMethod(isValid: false, of: account)
        try await tour.advance(days: 31)
        let grace = try await checkAccess("payment method declined")
        try expect("access in the grace period", grace.isActive, true)

        try await tour.advance(days: 17)
        let retry = try await checkAccess("grace period over")
        try expect("access after the grace period", retry.isActive, false)

        try await tour.control.setPaymentMethod(isValid: true, of: account)
        try await tour.store.deliverNotifications()
        let recovered = try await checkAccess("billing issue resolved")
        try expect("access after the recovery", recovered.isActive, true)
        try expect("the states of access", states, [.active, .active, .gracePeriod, .billingRetry, .active])

        let kinds = try await tour.control.notifications().filter(\.delivered)
            .map { [$0.type, $0.subtype ?? ""].joined(separator: "/") }
        let expected = [
            "SUBSCRIBED/INITIAL_BUY", "DID_RENEW/", "DID_FAIL_TO_RENEW/GRACE_PERIOD", "GRACE_PERIOD_EXPIRED/", "DID_RENEW/BILLING_RECOVERY",
        ]
        for kind in expected {
            try expect("a delivered notification \(kind)", kinds.contains(kind), found: "\(kinds)")
        }
        return StepResult(
            app: timeline.joined(separator: "; "),
            evidence: "subscription \(original); signed notifications delivered: SUBSCRIBED, DID_RENEW, DID_FAIL_TO_RENEW/GRACE_PERIOD, "
                + "GRACE_PERIOD_EXPIRED, DID_RENEW/BILLING_RECOVERY; reason: \(recovered.reason)"
        )
    }
}
