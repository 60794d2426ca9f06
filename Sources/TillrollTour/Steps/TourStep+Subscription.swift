import LocalAppStore
import MonkeyShop
import PurchaseKit
import PurchaseModel
import PurchaseProtocol

extension TourStep {
    static let subscription = TourStep(number: 9, title: "The magazine renews, fails to renew, enters grace and recovers") { stage in
        let phone = try await stage.launch(.first)
        let account = ["account": StageAccount.grownUp.request.account.rawValue]
        let original = try await phone.own(MonkeyShopProduct.magazine)
        var story: [String] = []
        var answers: [Access.State] = []

        /// Requests access from the server, after the notifications were delivered.
        func ask(_ when: String) async throws -> Access {
            let access = try await phone.shop.access(to: MonkeyShopProduct.magazine)
            story.append("\(when): \(access.isGranted ? "yes" : "no"), \(access.state.rawValue)")
            answers.append(access.state)
            return access
        }

        let bought = try await ask("bought")
        try await stage.advance(days: 31)
        let renewed = try await ask("renewed")
        guard let until = bought.until, let later = renewed.until else { throw TourFailure(expected: "an end", found: "\(renewed)") }
        try expect("access to go on longer", later > until, found: "until \(later)")

        _ = try await stage.control(ControlEndpoints.card, CardRequest(works: false), account)
        try await stage.advance(days: 31)
        let grace = try await ask("card declined")
        try expect("access in the grace period", grace.isGranted, true)

        try await stage.advance(days: 17)
        let retry = try await ask("grace over")
        try expect("no access after it", retry.isGranted, false)

        _ = try await stage.control(ControlEndpoints.card, CardRequest(works: true), account)
        try await stage.store.deliverNotifications()
        let recovered = try await ask("card mended")
        try expect("access again", recovered.isGranted, true)
        try expect("the answers' states", answers, [.active, .active, .gracePeriod, .billingRetry, .active])

        let kinds = try await stage.control(ControlEndpoints.notifications, Empty()).deliveries.filter(\.delivered)
            .map { [$0.type, $0.subtype ?? ""].joined(separator: "/") }
        let expected = [
            "SUBSCRIBED/INITIAL_BUY", "DID_RENEW/", "DID_FAIL_TO_RENEW/GRACE_PERIOD", "GRACE_PERIOD_EXPIRED/", "DID_RENEW/BILLING_RECOVERY",
        ]
        for kind in expected {
            try expect("a delivered notification \(kind)", kinds.contains(kind), found: "\(kinds)")
        }
        return Scene(
            app: story.joined(separator: "; "),
            evidence: "subscription \(original); signed notifications delivered: SUBSCRIBED, DID_RENEW, DID_FAIL_TO_RENEW/GRACE_PERIOD, "
                + "GRACE_PERIOD_EXPIRED, DID_RENEW/BILLING_RECOVERY; decided by \(recovered.reason)"
        )
    }
}
