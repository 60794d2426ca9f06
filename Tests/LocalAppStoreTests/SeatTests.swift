import Foundation
import GRDB
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import LocalAppStore

/// Tests of subscriptions that the store sells in seats: event, notification, payload, access and money.
@Suite struct SeatTests {
    private static func buy(
        _ harness: StoreHarness, _ seats: Int?, _ product: ProductID = "team.monthly", account: AccountID = .test
    ) async throws -> PurchaseReply {
        try await harness.call(ControlEndpoints.buy, BuyRequest(account: account, productID: product, seats: seats))
    }

    @discardableResult
    private static func bought(_ harness: StoreHarness, _ seats: Int?) async throws -> TransactionPayload {
        guard case .purchased(let signed, _) = try await buy(harness, seats) else { throw PurchaseRefusal.productUnavailable }
        return try await harness.verifier.verify(signed).payload
    }

    private static func members(_ harness: StoreHarness, _ id: TransactionID, _ accounts: AccountID...) async throws {
        for account in accounts {
            _ = try await harness.call(
                ControlEndpoints.addSeatMember, SeatMemberRequest(account: account), ["transaction": id.rawValue])
        }
    }

    private static func seats(_ harness: StoreHarness, _ id: TransactionID) async throws -> SeatsDescription {
        try await harness.call(ControlEndpoints.seats, Empty(), ["transaction": id.rawValue])
    }

    /// Returns the newest version of each transaction of an account.
    private static func transactions(_ harness: StoreHarness, of account: AccountID = .test) async throws -> [TransactionPayload] {
        let reply = try await harness.call(ControlEndpoints.transactions, Empty(), ["account": account.rawValue])
        return try await harness.payloads(reply.signedTransactions)
    }

    /// Returns whether an account has a transaction that is paid, and neither revoked nor replaced by an upgrade.
    private static func isActive(_ harness: StoreHarness, _ account: AccountID = .test) async throws -> Bool {
        let now = try await harness.call(ControlEndpoints.clock, Empty()).now
        return try await transactions(harness, of: account).contains {
            $0.revocationDate == nil && $0.isUpgraded != true && ($0.expiresDate ?? now) > now
        }
    }

    /// A step in the life of a subscription with five seats and the members `ann` and `bob`, and what it causes.
    struct Step: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var event: @Sendable (StoreHarness, TransactionPayload) async throws -> Void = { _, _ in }
        /// The newest notification about the purchaser.
        let notification: String
        var seats = 5
        var atRenewal = 5
        var members: [AccountID] = ["ann", "bob"]
        var isActive = true
        /// The sum of all charges and refunds, in thousandths of the currency unit.
        var money: Int64 = 54_000
    }

    static let steps: [Step] = [
        Step(testDescription: "a purchase charges the tiers", notification: "SUBSCRIBED.INITIAL_BUY"),
        Step(
            testDescription: "added seats are charged at once",
            event: { harness, _ in _ = try await Self.buy(harness, 7) },
            notification: "DID_CHANGE_RENEWAL_PREF.INCREASE_QUANTITY", seats: 7, atRenewal: 7, money: 72_000),
        Step(
            testDescription: "a reduction applies at the renewal",
            event: { harness, bought in
                _ = try await harness.perform(SubscriptionRequest(.setRenewalSeats, seats: 2), on: bought.transactionId)
            },
            notification: "DID_CHANGE_RENEWAL_PREF.DECREASE_QUANTITY", atRenewal: 2),
        Step(
            testDescription: "a renewal with fewer seats ends the newest membership",
            event: { harness, bought in
                _ = try await harness.perform(SubscriptionRequest(.setRenewalSeats, seats: 1), on: bought.transactionId)
                try await harness.advance(days: 31)
            },
            notification: "DID_RENEW", seats: 1, atRenewal: 1, members: ["ann"], money: 66_000),
        Step(
            testDescription: "a refund of some seats leaves the purchaser and the members",
            event: { harness, bought in
                _ = try await harness.call(ControlEndpoints.refund, IssueRefund(transactionID: bought.transactionId, seats: 3))
            },
            notification: "REFUND.SEATS", seats: 2, money: 24_000),
        Step(
            testDescription: "a refund of most seats ends the newest membership",
            event: { harness, bought in
                _ = try await harness.call(ControlEndpoints.refund, IssueRefund(transactionID: bought.transactionId, seats: 4))
            },
            notification: "REFUND.SEATS", seats: 1, members: ["ann"], money: 12_000),
        Step(
            testDescription: "a refund of the first transaction leaves the added seats",
            event: { harness, bought in
                _ = try await Self.buy(harness, 7)
                try await harness.refund(bought.transactionId)
            },
            notification: "REFUND", seats: 2, atRenewal: 7, money: 18_000),
        Step(
            testDescription: "a refund of all seats ends the subscription and the memberships",
            event: { harness, bought in
                _ = try await Self.buy(harness, 7)
                for payload in try await Self.transactions(harness) { try await harness.refund(payload.transactionId) }
            },
            notification: "REFUND", seats: 0, atRenewal: 7, members: [], isActive: false, money: 0),
        Step(
            testDescription: "a reversed refund restores the seats",
            event: { harness, bought in
                _ = try await harness.call(ControlEndpoints.refund, IssueRefund(transactionID: bought.transactionId, seats: 3))
                _ = try await harness.call(ControlEndpoints.reverseRefund, ReverseRefundRequest(transactionID: bought.transactionId))
            },
            notification: "REFUND_REVERSED"),
        Step(
            testDescription: "a reversed refund of all seats restores the memberships",
            event: { harness, bought in
                try await harness.refund(bought.transactionId)
                _ = try await harness.call(ControlEndpoints.reverseRefund, ReverseRefundRequest(transactionID: bought.transactionId))
            },
            notification: "REFUND_REVERSED"),
        Step(
            testDescription: "an expiration ends the memberships",
            event: { harness, bought in _ = try await harness.perform(SubscriptionRequest(.expire), on: bought.transactionId) },
            notification: "EXPIRED.VOLUNTARY", members: [], isActive: false),
        Step(
            testDescription: "an upgrade to a product without seats ends the memberships",
            event: { harness, _ in _ = try await Self.buy(harness, nil, "solo.monthly") },
            notification: "DID_CHANGE_RENEWAL_PREF.UPGRADE", seats: 0, atRenewal: 0, members: [], money: 8_000),
    ]

    @Test(arguments: steps) func `seats are charged, changed and refunded as their rules state`(_ step: Step) async throws {
        try await StoreHarness.run(storekit: SeatCatalog.storekit()) { harness in
            let bought = try await Self.bought(harness, 5)
            try await Self.members(harness, bought.transactionId, "ann", "bob")
            try await step.event(harness, bought)
            let own = try await harness.notifications().filter { $0.transaction?.payload.ownership == .purchased }
            let last = try #require(own.last?.notification.payload)
            #expect([last.notificationType, last.subtype].compactMap { $0 }.joined(separator: ".") == step.notification)
            if step.seats + step.atRenewal > 0 {
                let seats = try await Self.seats(harness, bought.transactionId)
                #expect(seats.total == step.seats && seats.atRenewal == step.atRenewal && seats.members.map(\.account) == step.members)
            }
            #expect(try await Self.isActive(harness) == step.isActive)
            for member: AccountID in ["ann", "bob"] {
                #expect(try await Self.isActive(harness, member) == step.members.contains(member))
            }
            #expect(try await harness.charges().map(\.amount.milliunits).reduce(0, +) == step.money)
        }
    }

    @Test func `transactions state their seats, and those of a period state that seats were added`() async throws {
        try await StoreHarness.run(storekit: SeatCatalog.storekit()) { harness in
            let bought = try await Self.bought(harness, 5)
            #expect(bought.quantity == 5 && bought.price == 10_800 && bought.total == 54_000)
            #expect(bought.multiSeatInfo?.management == .apple && bought.additionalTransactionReason == nil)
            try await Self.members(harness, bought.transactionId, "ann")
            let added = try await Self.bought(harness, 7)
            let (first, second) = try #require(try await Self.transactions(harness).pair)
            #expect(second == added && added.quantity == 2 && added.total == 18_000 && added.expiresDate == first.expiresDate)
            #expect([first, second].allSatisfy { $0.additionalTransactionReason == "SEAT_ADDITION" && $0.isUpgraded != true })
            let member = try #require(try await Self.transactions(harness, of: "ann").first)
            #expect(member.ownership == .assigned && member.quantity == 5 && member.price == 10_800 && member.total == 0)
            let renewal = try #require(try await harness.notifications().last?.renewalInfo?.payload)
            #expect(renewal.renewalQuantity == 7 && renewal.renewalPrice == 10_285)
            #expect(renewal.multiSeatInfo?.renewalPriceTiers?.total == 72_000)
            #expect(try await harness.charges(of: "ann").isEmpty)
        }
    }

    @Test func `a refund of some seats states their number in the purchaser's transaction, without a revocation`() async throws {
        try await StoreHarness.run(storekit: SeatCatalog.storekit()) { harness in
            let bought = try await Self.bought(harness, 5)
            #expect(bought.multiSeatInfo?.invitationManagement == "APPLE")
            try await Self.members(harness, bought.transactionId, "ann")
            _ = try await harness.call(ControlEndpoints.refund, IssueRefund(transactionID: bought.transactionId, seats: 3))
            let refunded = try #require(try await Self.transactions(harness).first)
            #expect(refunded.multiSeatInfo?.revokedSeatQuantity == 3)
            #expect(refunded.revocationDate == nil && refunded.revocationReason == nil && refunded.revocationType == nil)
            let member = try #require(try await Self.transactions(harness, of: "ann").first)
            #expect(member.ownership == .assigned && member.multiSeatInfo != nil && member.multiSeatInfo?.revokedSeatQuantity == nil)
            // Only the purchaser chooses the seats of the renewal.
            await #expect(throws: Refused(status: 404, code: "transaction.unknown")) {
                _ = try await harness.perform(SubscriptionRequest(.setRenewalSeats, seats: 1), on: member.transactionId)
            }
        }
    }

    @Test func `a purchase of one seat states no seats`() async throws {
        try await StoreHarness.run(storekit: SeatCatalog.storekit()) { harness in
            let bought = try await Self.bought(harness, 1)
            #expect(bought.multiSeatInfo == nil && bought.quantity == 1)
        }
    }

    @Test func `a removed member's transaction is revoked, and the seat is available again`() async throws {
        try await StoreHarness.run(storekit: SeatCatalog.storekit()) { harness in
            let bought = try await Self.bought(harness, 2)
            try await Self.members(harness, bought.transactionId, "ann", "bob", "ann")
            await #expect(throws: Refused(status: 409, code: "seats.occupied")) {
                try await Self.members(harness, bought.transactionId, "eve")
            }
            _ = try await harness.call(
                ControlEndpoints.removeSeatMember, Empty(), ["transaction": bought.transactionId.rawValue, "account": "ann"])
            let revoked = try #require(try await Self.transactions(harness, of: "ann").first)
            #expect(revoked.kindOfRevocation == .assignmentRevoke && revoked.isRevoked)
            #expect(try await harness.notificationTypes().last == "REVOKE")
            try await Self.members(harness, bought.transactionId, "eve")
            #expect(try await Self.seats(harness, bought.transactionId).members.map(\.account) == ["bob", "eve"])
        }
    }

    private static let refusals: [(seats: Int, product: ProductID, code: Int)] = [
        (4, "team.monthly", PurchaseReply.seatReductionNotAllowed), (0, "team.monthly", 3), (-1, "team.monthly", 3),
        (10_001, "team.monthly", 3), (.max, "team.monthly", 3), (5, "team.monthly", 0),
        (2, "solo.monthly", PurchaseReply.multiSeatPurchaseDisabled),
    ]

    @Test(arguments: refusals) func `a purchase states more seats than the customer has, of a product in seats`(
        _ seats: Int, _ product: ProductID, _ code: Int
    ) async throws {
        try await StoreHarness.run(storekit: SeatCatalog.storekit()) { harness in
            try await Self.bought(harness, 5)
            guard case .refused(let refused, _) = try await Self.buy(harness, seats, product) else {
                Issue.record("The store sold \(seats) seats.")
                return
            }
            #expect(refused == code)
        }
    }

    @Test func `a purchaser who takes a seat leaves one fewer for members`() async throws {
        try await StoreHarness.run(storekit: SeatCatalog.storekit(purchaserTakesSeat: true)) { harness in
            let bought = try await Self.bought(harness, 3)
            let seats = try await Self.seats(harness, bought.transactionId)
            #expect(seats.total == 3 && seats.available == 2)
        }
    }

    @Test func `a purchase after the expiration begins a group without the earlier members`() async throws {
        try await StoreHarness.run(storekit: SeatCatalog.storekit()) { harness in
            let bought = try await Self.bought(harness, 3)
            try await Self.members(harness, bought.transactionId, "ann")
            _ = try await harness.perform(SubscriptionRequest(.expire), on: bought.transactionId)
            try await Self.bought(harness, 3)
            #expect(try await Self.seats(harness, bought.transactionId).members.isEmpty)
            #expect(try await !Self.isActive(harness, "ann"))
            try await Self.members(harness, bought.transactionId, "ann")
            #expect(try await Self.isActive(harness, "ann"))
        }
    }

    @Test func `fewer seats of a renewal that was charged ahead end memberships when its period begins`() async throws {
        try await StoreHarness.run(storekit: SeatCatalog.storekit()) { harness in
            let bought = try await Self.bought(harness, 2)
            try await Self.members(harness, bought.transactionId, "ann", "bob")
            _ = try await harness.perform(SubscriptionRequest(.setRenewalSeats, seats: 1), on: bought.transactionId)
            let end = try #require(bought.expiresDate)
            try await harness.advance(seconds: end.milliseconds(since: harness.store.clock.now) / 1_000 - 3_600)
            _ = try await harness.perform(SubscriptionRequest(.chargeAhead), on: bought.transactionId)
            #expect(try await Self.seats(harness, bought.transactionId).members.map(\.account) == ["ann", "bob"])
            try await harness.advance(seconds: 3_700)
            #expect(try await Self.seats(harness, bought.transactionId).members.map(\.account) == ["ann"])
        }
    }

    @Test func `an account of another environment cannot join`() async throws {
        try await StoreHarness.run(storekit: SeatCatalog.storekit()) { harness in
            let bought = try await Self.bought(harness, 3)
            try await harness.createAccount("pat")
            try await harness.set("pat") { $0.environment = .production }
            await #expect(throws: Refused(status: 409, code: "seats.other-environment")) {
                try await Self.members(harness, bought.transactionId, "pat")
            }
        }
    }

    @Test func `an account with claims can be removed`() async throws {
        try await StoreHarness.run(storekit: SeatCatalog.storekit(.developer)) { harness in
            let bought = try await Self.bought(harness, 3)
            try await harness.store.context.transaction { db, now in
                try SeatClaimRecord(id: "a", originalID: bought.transactionId, requestIdentifier: "b", claimedAt: now).insert(db)
            }
            _ = try await harness.call(ControlEndpoints.removeAccount, Empty(), ["account": AccountID.test.rawValue])
            #expect(try await harness.store.context.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM seatClaims") } == 0)
        }
    }

    @Test(arguments: InvitationManagement.allCases)
    func `who invites members is fixed when the subscription begins, and an edit of the catalog changes the next purchase`(
        _ management: InvitationManagement
    ) async throws {
        let other: InvitationManagement = management == .apple ? .developer : .apple
        try await StoreHarness.run(storekit: SeatCatalog.storekit(management)) { harness in
            let bought = try await Self.bought(harness, 3)
            let edited = try Catalog(storekit: Data(SeatCatalog.storekit(other).utf8))
            try await harness.store.storeServices.appSettings.change(.test, catalog: edited) { _ in }
            try await harness.setPaymentMethod(isValid: false)
            try await harness.advance(days: 31)
            try await harness.setPaymentMethod(isValid: true)
            try await harness.advance(days: 10)
            #expect(try await Self.seats(harness, bought.transactionId).invitationManagement == management)
            #expect(try await Self.transactions(harness).map(\.multiSeatInfo?.management) == [management, management])
            _ = try await harness.perform(SubscriptionRequest(.expire), on: bought.transactionId)
            #expect(try await Self.bought(harness, 3).multiSeatInfo?.management == other)
        }
    }

    @Test func `members renew with the purchaser`() async throws {
        try await StoreHarness.run(storekit: SeatCatalog.storekit()) { harness in
            let bought = try await Self.bought(harness, 3)
            try await Self.members(harness, bought.transactionId, "ann")
            try await harness.advance(days: 31)
            let renewed = try #require(try await Self.transactions(harness, of: "ann").last)
            #expect(renewed.ownership == .assigned && renewed.reason == .renewal && renewed.quantity == 3)
            try await harness.advance(days: 31)
            #expect(try await Self.transactions(harness, of: "ann").count == 3)
        }
    }
}

extension [TransactionPayload] {
    /// The two elements of an array; nil for another number of elements.
    fileprivate var pair: (TransactionPayload, TransactionPayload)? { count == 2 ? (self[0], self[1]) : nil }
}
