import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import LocalAppStore

/// Tests of renewals that the store charges up to 24 hours before their periods, through the control API and the device API.
@Suite struct ChargeAheadTests {
    /// A catalog in which the whole family has the magazine.
    private static let shareable = TestCatalog.storekit.replacing(
        "\"recurringSubscriptionPeriod\"", with: "\"familyShareable\" : true, \"recurringSubscriptionPeriod\"")

    private static func setAhead(_ hours: Int64, _ harness: StoreHarness) async throws -> ClockReply {
        try await harness.call(ControlEndpoints.setClock, ClockRequest(chargeAhead: hours * 3_600))
    }

    /// Buys the weekly magazine, and advances to one hour before its end, when its renewal is charged.
    private static func chargedPhone(_ harness: StoreHarness) async throws -> (phone: SignedInDevice, first: TransactionPayload) {
        _ = try await setAhead(6, harness)
        let phone = try await harness.signIn()
        let first = try await phone.buy(.magazineWeekly)
        try await harness.advance(seconds: 7 * 86_400 - 3_600)
        return (phone, first)
    }

    private static func status(_ phone: SignedInDevice, _ harness: StoreHarness) async throws -> TransactionPayload {
        let history = try await phone.call(DeviceEndpoints.history, HistoryRequest())
        let signed = try #require(history.statuses.first?.signedTransaction)
        return try await harness.verifier.verify(signed).payload
    }

    @Test func `a renewal is charged, signed and announced before its period, and the running period continues`() async throws {
        try await StoreHarness.run { harness in
            #expect(try await Self.setAhead(6, harness).chargeAhead == 6 * 3_600)
            let phone = try await harness.signIn()
            let first = try await phone.buy(.magazineWeekly)
            let end = try #require(first.expiresDate)
            let charged = end.adding(seconds: -6 * 3_600)
            try await harness.advance(seconds: 7 * 86_400 - 6 * 3_600 - 1)
            #expect(try await harness.charges().count == 1)
            try await harness.advance(seconds: 1)
            #expect(try await harness.charges().map(\.date) == [first.purchaseDate, charged])
            let notification = try #require(try await harness.notifications().last)
            let renewal = try #require(notification.transaction?.payload)
            #expect(notification.notification.payload.notificationType == "DID_RENEW")
            #expect(notification.notification.payload.signedDate == charged && renewal.signedDate == charged)
            #expect(renewal.purchaseDate == end && renewal.expiresDate == end.adding(days: 7))
            #expect(notification.renewalInfo?.payload.renewalDate == renewal.expiresDate)
            #expect(try await Self.status(phone, harness).transactionId == first.transactionId)
            try await harness.advance(seconds: 6 * 3_600)
            #expect(try await Self.status(phone, harness).transactionId == renewal.transactionId)
            #expect(try await harness.charges().count == 2)
            #expect(try await Self.setAhead(0, harness).chargeAhead == nil)
            try await harness.advance(days: 7)
            #expect(try await harness.charges().last?.date == end.adding(days: 7))
        }
    }

    /// Changes in the last hour of a period whose renewal is charged, the notifications, and the status when the charged period begins.
    @Test(
        arguments: [
            ("nothing", [], 1), ("upgrade", ["DID_CHANGE_RENEWAL_PREF.UPGRADE"], 1), ("refund", ["REFUND"], 5),
            ("disable", ["DID_CHANGE_RENEWAL_STATUS.AUTO_RENEW_DISABLED"], 1), ("extend", ["RENEWAL_EXTENDED"], 1),
        ] as [(String, [String], Int)])
    func `a change before a charged period begins leaves the running period`(
        _ change: String, _ types: [String], _ status: Int
    ) async throws {
        try await StoreHarness.run { harness in
            let (phone, first) = try await Self.chargedPhone(harness)
            let now = try await harness.call(ControlEndpoints.clock, Empty()).now
            let charged = try #require(try await phone.unfinishedTransactions().last)
            var charges: [Int64] = [990, 990]
            var newest = charged
            switch change {
            case "upgrade":
                newest = try await phone.buy(.magazine)
                #expect(newest.purchaseDate == now && newest.purchaseDate < charged.purchaseDate)
                let replaced = try #require(
                    try await phone.unfinishedTransactions().first { $0.transactionId == charged.transactionId })
                #expect(replaced.isUpgraded == true && replaced.purchaseDate == charged.purchaseDate)
                charges += [-990, 2_990]
            case "refund":
                try await harness.refund(charged.transactionId)
                charges += [-990]
            case "disable": try await harness.perform(SubscriptionRequest(.disableAutoRenew), on: first.transactionId)
            case "extend": try await harness.perform(SubscriptionRequest(.extend, days: 10), on: first.transactionId)
            default: break
            }
            #expect(try await harness.notificationTypes() == ["SUBSCRIBED.INITIAL_BUY", "DID_RENEW"] + types)
            #expect(try await harness.charges().map(\.amount.milliunits) == charges)
            // The running period is current until its end, unless an upgrade replaced it.
            let current = change == "upgrade" ? newest : first
            #expect(try await Self.status(phone, harness).transactionId == current.transactionId)
            try await harness.advance(seconds: 3_600)
            #expect(try await Self.status(phone, harness).transactionId == newest.transactionId)
            let reply = try await harness.call(ControlEndpoints.subscriptions, Empty(), ["account": phone.account.rawValue])
            #expect(reply.subscriptions.map(\.status.rawValue) == [status])
            let days: Int64 = change == "extend" ? 17 : 7
            if change != "upgrade" {
                #expect(try await Self.status(phone, harness).expiresDate == first.expiresDate?.adding(days: days))
            }
        }
    }

    @Test func `the charge ahead is an action in the last 24 hours of a period`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let first = try await phone.buy(.magazineWeekly).transactionId
            let request = SubscriptionRequest(.chargeAhead)
            let refusal = Refused(status: 409, code: "subscription.not-charged-ahead")
            await #expect(throws: refusal) { try await harness.perform(request, on: first) }
            try await harness.advance(days: 6)
            try await harness.setPaymentMethod(isValid: false)
            await #expect(throws: refusal) { try await harness.perform(request, on: first) }
            try await harness.setPaymentMethod(isValid: true)
            let reply = try await harness.perform(request, on: first)
            #expect(reply.status == .active && reply.nextRenewalDate == reply.renewalInfo.renewalDate)
            await #expect(throws: refusal) { try await harness.perform(request, on: first) }
            #expect(try await harness.charges().count == 2)
            await #expect(throws: Refused(status: 400, code: "request.invalid-value")) { try await Self.setAhead(25, harness) }
            await #expect(throws: Refused(status: 400, code: "request.invalid-value")) { try await Self.setAhead(-1, harness) }
        }
    }

    @Test func `a family member who joins after the refund of a charged period gets a revoked transaction for it`() async throws {
        try await StoreHarness.run(storekit: Self.shareable) { harness in
            let (ada, first) = try await Self.chargedPhone(harness)
            let charged = try #require(try await ada.unfinishedTransactions().last)
            try await harness.refund(charged.transactionId)
            let bob = try await harness.signIn("bob@example.com", device: .second)
            for phone in [ada, bob] { try await harness.set(phone.account) { $0.family = "lovelace" } }
            let shared = try await bob.unfinishedTransactions()
            #expect(shared.map(\.expiresDate) == [first.expiresDate, charged.expiresDate])
            #expect(shared.map { $0.revocationDate == nil } == [true, false])
            #expect(try await Self.status(bob, harness).transactionId == shared.first?.transactionId)
            #expect(try await harness.charges(of: bob.account).isEmpty)
        }
    }

    @Test func `a family member who joins before a charged period begins gets the running period and the renewal`() async throws {
        try await StoreHarness.run(storekit: Self.shareable) { harness in
            let (ada, first) = try await Self.chargedPhone(harness)
            let bob = try await harness.signIn("bob@example.com", device: .second)
            for phone in [ada, bob] { try await harness.set(phone.account) { $0.family = "lovelace" } }
            let shared = try await bob.unfinishedTransactions()
            let own = try await ada.unfinishedTransactions()
            #expect(shared.map(\.purchaseDate) == own.map(\.purchaseDate) && shared.map(\.expiresDate) == own.map(\.expiresDate))
            #expect(shared.first?.expiresDate == first.expiresDate)
            #expect(try await Self.status(bob, harness).transactionId == shared.first?.transactionId)
            try await harness.advance(days: 7)
            #expect(try await bob.unfinishedTransactions().count == 3)
            #expect(try await harness.charges(of: bob.account).isEmpty)
        }
    }
}
