import GRDB
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import LocalAppStore

@Suite struct HistoryImportTests {
    @Test func `a purchase after an import gets a transaction ID that is not in the imported history`() async throws {
        let (history, numbers) = try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            for _ in 0..<3 { _ = try await phone.buy(.credits) }
            let signed = try await phone.unfinished().transactions.map(\.signedTransaction)
            return (signed, try await phone.unfinishedTransactions().map(\.transactionId))
        }
        try await StoreHarness.run { harness in
            let request = ImportHistoryRequest(account: "ada@example.com", signedTransactions: history)
            let reply = try await harness.call(ControlEndpoints.importHistory, request)
            #expect(reply.importedCount == 3)
            let phone = try await harness.signIn("ben@example.com")
            for _ in 0..<4 {
                let number = try await phone.buy(.credits).transactionId
                #expect(!numbers.contains(number))
            }
        }
    }

    @Test func `an imported subscription keeps its seats, and renews with the chosen number`() async throws {
        let (history, renewal) = try await StoreHarness.run(storekit: SeatCatalog.storekit()) { harness in
            func buy(_ seats: Int) async throws -> TransactionID {
                let request = BuyRequest(account: .test, productID: "team.monthly", seats: seats)
                guard case .purchased(let signed, _) = try await harness.call(ControlEndpoints.buy, request) else {
                    throw PurchaseRefusal.productUnavailable
                }
                return try await harness.payloads([signed])[0].transactionId
            }
            let first = try await buy(5)
            let addition = try await buy(7)
            _ = try await harness.call(ControlEndpoints.refund, IssueRefund(transactionID: addition, seats: 1))
            _ = try await harness.perform(SubscriptionRequest(.setRenewalSeats, seats: 4), on: first)
            let transactions = try await harness.call(ControlEndpoints.transactions, Empty(), ["account": AccountID.test.rawValue])
            let renewal = try #require(try await harness.notifications().last?.renewalInfo?.original)
            return (transactions.signedTransactions, renewal)
        }
        try await StoreHarness.run(storekit: SeatCatalog.storekit()) { harness in
            let request = ImportHistoryRequest(
                account: .test, signedTransactions: history, signedRenewalInfos: [renewal])
            let reply = try await harness.call(ControlEndpoints.importHistory, request)
            #expect(reply.importedCount == 2 && reply.subscriptionCount == 1)
            let id = try await harness.payloads(history)[0].originalTransactionId
            let seats = try await harness.call(ControlEndpoints.seats, Empty(), ["transaction": id.rawValue])
            #expect(seats.total == 6 && seats.atRenewal == 4)
            #expect(try await harness.charges().map(\.amount.milliunits).sorted() == [-9_000, 18_000, 54_000])
            try await harness.advance(days: 31)
            let renewed = try #require(try await harness.notifications().last?.transaction?.payload)
            #expect(renewed.quantity == 4 && renewed.total == 45_000 && renewed.reason == .renewal)
        }
    }

    /// The signed transactions of a subscription after its first period and after its second period.
    private func growingHistory() async throws -> (earlier: [SignedTransaction], later: [SignedTransaction]) {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            _ = try await phone.buy(.magazine)
            let earlier = try await phone.unfinished().transactions.map(\.signedTransaction)
            try await harness.advance(days: 32)
            return (earlier, try await phone.unfinished().transactions.map(\.signedTransaction))
        }
    }

    @Test func `importing a longer history adds its new periods, and a refund of one leaves the others`() async throws {
        let history = try await growingHistory()
        try await StoreHarness.run(storekit: #"{"version":{"major":4,"minor":0}}"#) { harness in
            for (signed, known) in [(history.earlier, 0), (history.later, 1), (history.later, 2)] {
                let request = ImportHistoryRequest(account: "ada@example.com", signedTransactions: signed)
                let reply = try await harness.call(ControlEndpoints.importHistory, request)
                #expect(reply.existingCount == known)
                #expect(reply.importedCount == signed.count - known)
            }
            let first = try await harness.verifier.verify(try #require(history.earlier.first)).payload.transactionId
            try await harness.refund(first)
            #expect(try await revocations(in: harness) == [true, false])
            _ = try await harness.call(ControlEndpoints.reverseRefund, ReverseRefundRequest(transactionID: first))
            #expect(try await revocations(in: harness) == [false, false])
        }
    }

    private func revocations(in harness: StoreHarness) async throws -> [Bool] {
        try await harness.store.context.read { db in
            try Bool.fetchAll(db, sql: "SELECT revokedAt IS NOT NULL FROM transactions ORDER BY period")
        }
    }

    @Test func `importing a longer history is refused if the store already renews its subscription`() async throws {
        let history = try await growingHistory()
        try await StoreHarness.run { harness in
            let earlier = ImportHistoryRequest(account: "ada@example.com", signedTransactions: history.earlier)
            let reply = try await harness.call(ControlEndpoints.importHistory, earlier)
            #expect(reply.subscriptionCount == 1)
            let later = ImportHistoryRequest(account: "ada@example.com", signedTransactions: history.later)
            await #expect(throws: Refused(status: 400, code: "history.invalid")) {
                try await harness.call(ControlEndpoints.importHistory, later)
            }
            #expect(try await revocations(in: harness) == [false])
        }
    }

    // MARK: - Versions and replaced renewals

    private static func transaction(
        _ id: TransactionID, _ product: ProductID, from start: Timestamp, until end: Timestamp? = nil, price: Int64 = 990
    ) -> TransactionPayload {
        var payload = TransactionPayload(
            transactionId: id, originalTransactionId: "100", bundleId: .test, productId: product, purchaseDate: start,
            originalPurchaseDate: Timestamp.testStart.adding(days: -62), quantity: 1,
            type: (end == nil ? ProductType.consumable : .autoRenewable).rawValue, signedDate: .testStart,
            environment: AppEnvironment.sandbox.rawValue)
        payload.expiresDate = end
        payload.subscriptionGroupIdentifier = end == nil ? nil : "21A2B3C4"
        payload.inAppOwnershipType = Ownership.purchased.rawValue
        payload.transactionReason = TransactionReason.purchase.rawValue
        (payload.price, payload.currency, payload.storefront) = (price, "USD", "USA")
        return payload
    }

    private static func importHistory(
        _ transactions: [TransactionPayload], _ info: RenewalInfoPayload? = nil, in harness: StoreHarness
    ) async throws -> ImportHistoryReply {
        var request = ImportHistoryRequest(
            account: "ada@example.com", signedTransactions: try transactions.map { try TestAuthority.shared.signedData.sign($0) })
        request.signedRenewalInfos = try info.map { [try TestAuthority.shared.signedData.sign($0)] }
        return try await harness.call(ControlEndpoints.importHistory, request)
    }

    @Test(arguments: [[0, 1], [1, 0], [0, 1, 0], [1, 0, 1]])
    func `of several signed versions of a transaction the newest counts, in any order`(_ order: [Int]) async throws {
        try await StoreHarness.run { harness in
            let old = Self.transaction("100", .credits, from: Timestamp.testStart.adding(days: -5))
            var refunded = old
            refunded.signedDate = old.signedDate.adding(seconds: 60)
            refunded.revocationDate = old.signedDate
            refunded.revocationReason = 0
            let reply = try await Self.importHistory(order.map { [old, refunded][$0] }, in: harness)
            #expect(reply.importedCount == 1 && reply.existingCount == 0)
            #expect(try await revocations(in: harness) == [true])
            #expect(try await harness.charges(of: "ada@example.com").map(\.amount.milliunits) == [990, -990])
        }
    }

    @Test(arguments: [[0, 1], [1, 0], [0, 1, 0]])
    func `of several signed versions in separate imports the newest counts, in any order`(_ order: [Int]) async throws {
        try await StoreHarness.run { harness in
            let old = Self.transaction("100", .credits, from: Timestamp.testStart.adding(days: -5))
            let refunded = Self.revoked(old, after: 60)
            for index in order { _ = try await Self.importHistory([[old, refunded][index]], in: harness) }
            #expect(try await Self.row("100", in: harness)?.revokedAt == refunded.revocationDate?.wholeSeconds)
            #expect(try await harness.charges(of: "ada@example.com").map(\.amount.milliunits) == [990, -990])
            // Neither an older version nor the same one changes anything.
            let again = try await Self.importHistory([old, refunded], in: harness)
            #expect(again.existingCount == 1 && again.updatedCount == 0)
            #expect(try await harness.charges(of: "ada@example.com").count == 2)
            #expect(try await harness.call(ControlEndpoints.notifications, Empty()).deliveries.isEmpty)
        }
    }

    @Test func `a refund of one of two purchases of a product that is owned once leaves the other one`() async throws {
        try await StoreHarness.run { harness in
            var first = Self.transaction("100", .book, from: Timestamp.testStart.adding(days: -5))
            first.type = ProductType.nonConsumable.rawValue
            var second = first
            second.transactionId = "101"
            _ = try await Self.importHistory([first, second], in: harness)
            let refunded = Self.revoked(first, after: 60)
            var later = second
            later.signedDate = refunded.signedDate
            #expect(try await Self.importHistory([refunded, later], in: harness).updatedCount == 1)
            #expect(try await Self.row("100", in: harness)?.revokedAt != nil)
            #expect(try await Self.row("101", in: harness)?.revokedAt == nil)
            // The reversal concerns one of them, too.
            _ = try await Self.importHistory([Self.revoked(second, after: 120)], in: harness)
            first.signedDate = refunded.signedDate.adding(seconds: 60)
            _ = try await Self.importHistory([first], in: harness)
            #expect(try await Self.row("100", in: harness)?.revokedAt == nil)
            #expect(try await Self.row("101", in: harness)?.revokedAt != nil)
        }
    }

    @Test func `a version that no longer states a refund reverses the refund of an earlier import`() async throws {
        try await StoreHarness.run { harness in
            let old = Self.transaction("100", .credits, from: Timestamp.testStart.adding(days: -5))
            var reversed = old
            reversed.signedDate = old.signedDate.adding(seconds: 120)
            for version in [old, Self.revoked(old, after: 60), reversed] { _ = try await Self.importHistory([version], in: harness) }
            #expect(try await revocations(in: harness) == [false])
            #expect(try await harness.charges(of: "ada@example.com").map(\.amount.milliunits) == [990, -990, 990])
        }
    }

    @Test(arguments: [true, false])
    func `a refund in a later import ends the subscription, and its reversal continues it`(_ isRefundedFirst: Bool) async throws {
        try await StoreHarness.run { harness in
            let start = Timestamp.testStart.adding(days: -5)
            let old = Self.transaction("100", .magazine, from: start, until: start.adding(days: 30))
            let refunded = Self.revoked(old, after: 60)
            if !isRefundedFirst {
                #expect(try await Self.importHistory([old], in: harness).subscriptionCount == 1)
                #expect(try await Self.subscription(in: harness).status == .active)
            }
            let reply = try await Self.importHistory([refunded], in: harness)
            #expect(reply.updatedCount == (isRefundedFirst ? 0 : 1))
            #expect(try await Self.subscription(in: harness).status == .revoked)
            var reversed = old
            reversed.signedDate = old.signedDate.adding(seconds: 120)
            #expect(try await Self.importHistory([reversed], in: harness).updatedCount == 1)
            let subscription = try await Self.subscription(in: harness)
            #expect(subscription.status == .active && subscription.nextRenewalDate == old.expiresDate)
            #expect(try await harness.charges(of: "ada@example.com").map(\.amount.milliunits) == [990, -990, 990])
            #expect(try await harness.call(ControlEndpoints.notifications, Empty()).deliveries.isEmpty)
        }
    }

    @Test func `a later import does not change a transaction that the store has changed itself, or sold`() async throws {
        try await StoreHarness.run { harness in
            let old = Self.transaction("100", .credits, from: Timestamp.testStart.adding(days: -5))
            _ = try await Self.importHistory([old], in: harness)
            try await harness.refund("100")
            var newer = old
            newer.signedDate = old.signedDate.adding(days: 400)
            let reply = try await Self.importHistory([newer], in: harness)
            #expect(reply.existingCount == 1 && reply.updatedCount == 0)
            #expect(try await revocations(in: harness) == [true])
        }
        try await StoreHarness.run { harness in
            let own = try await harness.signIn("ada@example.com").buy(.credits)
            #expect(try await Self.importHistory([Self.revoked(own, after: 86_400)], in: harness).updatedCount == 0)
            #expect(try await revocations(in: harness) == [false])
        }
    }

    @Test func `a later version updates the expiration date and the upgrade of a period that the store does not renew`() async throws {
        try await StoreHarness.run(storekit: #"{"version":{"major":4,"minor":0}}"#) { harness in
            let start = Timestamp.testStart.adding(days: -5)
            let old = Self.transaction("100", .magazine, from: start, until: start.adding(days: 30))
            var newer = old
            newer.signedDate = old.signedDate.adding(seconds: 60)
            newer.expiresDate = start.adding(days: 40)
            newer.isUpgraded = true
            for version in [old, newer, old] { _ = try await Self.importHistory([version], in: harness) }
            let row = try #require(try await Self.row("100", in: harness))
            #expect(row.expiresDate == newer.expiresDate?.wholeSeconds && row.upgradedAt == newer.signedDate.wholeSeconds)
        }
    }

    @Test func `an account with an imported history can be removed`() async throws {
        try await StoreHarness.run { harness in
            let old = Self.transaction("100", .credits, from: Timestamp.testStart.adding(days: -5))
            _ = try await Self.importHistory([old], in: harness)
            _ = try await harness.call(ControlEndpoints.removeAccount, Empty(), ["account": "ada@example.com"])
            #expect(try await Self.importHistory([old], in: harness).importedCount == 1)
        }
    }

    /// Returns a version of a transaction with a refund, which is signed a number of seconds later.
    private static func revoked(_ old: TransactionPayload, after seconds: Int64) -> TransactionPayload {
        var refunded = old
        refunded.signedDate = old.signedDate.adding(seconds: seconds)
        refunded.revocationDate = old.signedDate
        refunded.revocationReason = 0
        return refunded
    }

    private static func row(_ id: TransactionID, in harness: StoreHarness) async throws -> TransactionRecord? {
        try await harness.store.context.read { db in try TransactionRecord.find(id, db) }
    }

    /// The replaced renewal is signed again as upgraded, or only newer renewal info names the upgrade.
    @Test(arguments: [true, false], [[0, 1, 2], [2, 1, 0]])
    func `an upgrade before a charged period begins is the newest period`(_ isSignedAgain: Bool, _ order: [Int]) async throws {
        try await StoreHarness.run { harness in
            let end = Timestamp.testStart.adding(days: -1)
            let first = Self.transaction("100", .magazineWeekly, from: end.adding(days: -7), until: end)
            var replaced = Self.transaction("101", .magazineWeekly, from: end, until: end.adding(days: 7))
            replaced.transactionReason = TransactionReason.renewal.rawValue
            replaced.isUpgraded = isSignedAgain ? true : nil
            let upgrade = Self.transaction("102", .magazine, from: end.adding(seconds: -3_600), until: end.adding(days: 30), price: 2_990)
            var info = RenewalInfoPayload(
                originalTransactionId: "100", productId: .magazine, autoRenewStatus: 1, environment: AppEnvironment.sandbox.rawValue,
                signedDate: Timestamp.testStart)
            info.autoRenewProductId = .magazine
            let reply = try await Self.importHistory(order.map { [first, replaced, upgrade][$0] }, info, in: harness)
            #expect(reply.importedCount == 3 && reply.subscriptionCount == 1)
            let subscription = try await Self.subscription(in: harness)
            #expect(subscription.renewalInfo.productId == .magazine && subscription.status == .active)
            #expect(subscription.nextRenewalDate == upgrade.expiresDate)
            // The replaced renewal is refunded, and the next charge is that of the upgrade's next period.
            let charges: [Int64] = [990, 2_990, -990, 990]
            #expect(try await harness.charges(of: "ada@example.com").map(\.amount.milliunits).sorted() == charges.sorted())
            try await harness.advance(days: 29)
            #expect(try await harness.charges(of: "ada@example.com").map(\.amount.milliunits).sorted() == (charges + [2_990]).sorted())
            #expect(try await Self.subscription(in: harness).renewalInfo.productId == .magazine)
        }
    }

    @Test func `a renewal that was charged ahead is imported, and is not charged again`() async throws {
        try await StoreHarness.run { harness in
            let end = Timestamp.testStart.adding(seconds: 3_600)
            let first = Self.transaction("100", .magazineWeekly, from: end.adding(days: -7), until: end)
            var ahead = Self.transaction("101", .magazineWeekly, from: end, until: end.adding(days: 7))
            ahead.transactionReason = TransactionReason.renewal.rawValue
            #expect(try await Self.importHistory([ahead, first], in: harness).subscriptionCount == 1)
            try await harness.advance(days: 6)
            #expect(try await harness.charges(of: "ada@example.com").count == 2)
            #expect(try await Self.subscription(in: harness).nextRenewalDate == ahead.expiresDate)
        }
    }

    private static func subscription(in harness: StoreHarness) async throws -> SubscriptionDescription {
        let reply = try await harness.call(ControlEndpoints.subscriptions, Empty(), ["account": "ada@example.com"])
        return try #require(reply.subscriptions.first)
    }
}
