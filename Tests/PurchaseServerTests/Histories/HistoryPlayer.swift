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

/// Performs random actions of two customers in a store, and collects what the store signs and the apps upload.
struct HistoryPlayer {
    /// An action of a customer, an app or the store.
    private enum Action {
        case buyConsumable, buyNonConsumable, buySeason, subscribe, toggleAutoRenew, extend, declinePayments, acceptPayments
        case refund, refundPart, reverseRefund, changeFamily, changeSharing
        case addSeats, reduceSeats, refundSeats, join, leave, joinBundle, leaveBundle
        case recoverBilling, chargeAhead, restore, uploadTransactions, uploadReceipt, finish, waitDays, waitWeeks, waitMonths
    }

    /// The actions; a frequent one is listed several times.
    private static let actions: [Action] = [
        .buyConsumable, .buyConsumable, .buyNonConsumable, .buyNonConsumable, .buySeason, .subscribe, .subscribe, .subscribe, .subscribe,
        .toggleAutoRenew, .toggleAutoRenew, .extend, .declinePayments, .declinePayments, .acceptPayments, .acceptPayments, .refund,
        .refund, .refundPart, .refundPart, .reverseRefund, .reverseRefund, .reverseRefund, .changeFamily, .changeFamily, .changeSharing,
        .addSeats, .addSeats, .addSeats, .reduceSeats, .refundSeats, .refundSeats, .join, .join, .leave,
        .recoverBilling, .chargeAhead, .chargeAhead, .restore, .restore, .uploadTransactions, .uploadTransactions, .uploadReceipt, .finish,
        .waitDays, .waitDays, .waitWeeks, .waitWeeks, .waitMonths, .joinBundle, .leaveBundle,
    ]

    private static let customers: [AccountID: CustomerID] = [
        "ada@example.com": "0a0a0a0a-1111-4222-8333-444444444444", "bob@example.com": "0b0b0b0b-1111-4222-8333-444444444444",
    ]

    private let harness: StoreHarness
    private let clock: ManualClock
    private let devices: [SignedInDevice]
    private var random: SeededRandom
    private var messages: [StoreHistory.Message] = []
    private var dates: [Timestamp] = []
    private var notifications = 0
    private var log: [String] = []
    private var counts: [String: Int] = [:]

    init(_ harness: StoreHarness, clock: ManualClock, seed: UInt64) async throws {
        self.harness = harness
        self.clock = clock
        random = SeededRandom(seed: seed)
        devices = [
            try await harness.signIn("ada@example.com"),
            try await harness.signIn("bob@example.com", device: "11112222-3333-4444-5555-666677778888"),
        ]
        // A history without a purchase would check nothing.
        try await buy(HistoryCatalog.consumables[0], quantity: 3, for: devices[0].account)
        try await buy(pick(HistoryCatalog.subscriptions), for: devices[1].account)
        try await collectNotifications()
    }

    /// Performs a random action at a time of its own. An action that the store refuses changes nothing.
    mutating func perform() async throws {
        clock.advance(seconds: Int64.random(in: 1...7_200, using: &random))
        // The renewals and expirations that are due take effect before the action.
        try await harness.advance()
        let action = Self.actions.randomElement(using: &random) ?? .subscribe
        let device = devices.randomElement(using: &random) ?? devices[0]
        var outcome = ""
        do {
            outcome = try await perform(action, on: device)
        } catch let error as Refused {
            outcome = error.code
        }
        log.append("\(harness.store.clock.now) \(device.account) \(action) \(outcome)")
        try await collectNotifications()
    }

    private mutating func perform(_ action: Action, on device: SignedInDevice) async throws -> String {
        switch action {
        case .buyConsumable:
            let quantity = Int.random(in: 1...10, using: &random)
            return try await buy(pick(HistoryCatalog.consumables), quantity: quantity, for: device.account)
        case .buyNonConsumable: return try await buy(pick(HistoryCatalog.nonConsumables), for: device.account)
        case .buySeason: return try await buy(HistoryCatalog.season, for: device.account)
        case .subscribe: return try await buy(pick(HistoryCatalog.subscriptions), for: device.account)
        case .toggleAutoRenew:
            guard let subscription = try await subscription(of: device.account) else { return "none" }
            let request = SubscriptionRequest(subscription.autoRenews ? .disableAutoRenew : .enableAutoRenew)
            try await harness.perform(request, on: subscription.originalTransactionID)
        case .extend:
            guard let subscription = try await subscription(of: device.account) else { return "none" }
            let days = Int.random(in: 1...30, using: &random)
            try await harness.perform(SubscriptionRequest(.extend, days: days), on: subscription.originalTransactionID)
        case .declinePayments: try await harness.setPaymentMethod(isValid: false, of: device.account)
        case .acceptPayments: try await harness.setPaymentMethod(isValid: true, of: device.account)
        case .recoverBilling:
            // A renewal fails, and succeeds in the grace period: rarer than the other events if it is left to chance.
            try await harness.setPaymentMethod(isValid: false, of: device.account)
            try await harness.advance(days: Int64.random(in: 7...32, using: &random))
            try await harness.setPaymentMethod(isValid: true, of: device.account)
        case .chargeAhead: return try await chargeAhead(device.account)
        case .refund, .refundPart:
            guard let charged = try await transaction("revokedAt IS NULL AND price > 0", of: device.account) else { return "none" }
            let percentage = action == .refundPart ? Int.random(in: 1..<100_000, using: &random) : nil
            try await harness.refund(charged.id, percentage: percentage)
            return "\(charged.id) of \(charged.originalID) \(percentage ?? 100_000)"
        case .reverseRefund:
            guard let refunded = try await transaction("revokedAt IS NOT NULL AND price > 0", of: device.account) else { return "none" }
            _ = try await harness.call(ControlEndpoints.reverseRefund, ReverseRefundRequest(transactionID: refunded.id))
            return "\(refunded.id) of \(refunded.originalID)"
        case .addSeats, .reduceSeats, .refundSeats, .join, .leave: return try await changeSeats(action, device.account)
        case .changeFamily:
            let family = Bool.random(using: &random) ? "family" : ""
            for device in devices { try await harness.set(device.account) { $0.family = family } }
            return family
        case .changeSharing:
            let isShared = Bool.random(using: &random)
            try await harness.set(device.account) { $0.sharesPurchases = isShared }
            return "\(isShared)"
        case .restore:
            let restored = try await device.restore()
            counts["restored", default: 0] += restored.count
            if Bool.random(using: &random) { try await uploadTransactions(of: device) }
            return "\(restored.map(\.restored.transactionId))"
        case .uploadTransactions: try await uploadTransactions(of: device)
        case .uploadReceipt: upload(.receipt(try await device.receipt()))
        case .finish:
            for transaction in try await device.unfinishedTransactions() { try await device.finish(transaction.transactionId) }
        case .joinBundle:
            guard let subscription = try await subscription(of: device.account) else { return "none" }
            try await harness.perform(.joinBundle("com.example.everything"), on: subscription.originalTransactionID)
        case .leaveBundle:
            guard let subscription = try await subscription(of: device.account) else { return "none" }
            let requests: [SubscriptionRequest] = [.leaveBundle(), .leaveBundle(expires: true), SubscriptionRequest(.stayInBundle)]
            try await harness.perform(
                requests.randomElement(using: &random) ?? .leaveBundle(), on: subscription.originalTransactionID)
        case .waitDays: try await harness.advance(days: Int64.random(in: 1...5, using: &random))
        case .waitWeeks: try await harness.advance(days: Int64.random(in: 6...20, using: &random))
        case .waitMonths: try await harness.advance(days: Int64.random(in: 28...75, using: &random))
        }
        return ""
    }

    /// Changes the seats of an account's subscription, or the membership of another account.
    private mutating func changeSeats(_ action: Action, _ account: AccountID) async throws -> String {
        let all = try await harness.store.context.read { db in try SubscriptionRecord.all(of: account, db) }
        guard let row = all.first(where: { $0.purchaserTransactionID == nil && $0.subscription.seats != nil }),
            let seats = row.subscription.seats, let other = devices.first(where: { $0.account != account })?.account
        else { return "none" }
        let id = ["transaction": row.id.rawValue]
        switch action {
        case .addSeats:
            let target = seats.count + Int.random(in: 1...3, using: &random)
            return try await buy(HistoryCatalog.withSeats, seats: target, for: account)
        case .reduceSeats:
            let count = Int.random(in: 1...max(1, seats.count), using: &random)
            try await harness.perform(SubscriptionRequest(.setRenewalSeats, seats: count), on: row.id)
        case .refundSeats:
            let condition = "multiSeatInfo IS NOT NULL AND revokedAt IS NULL AND quantity > 1"
            guard let charged = try await transaction(condition, of: account) else { return "none" }
            let count = Int.random(in: 1...max(1, charged.remainingSeats), using: &random)
            _ = try await harness.call(ControlEndpoints.refund, IssueRefund(transactionID: charged.id, seats: count))
            return "\(count) of \(charged.id) of \(row.id)"
        case .join: _ = try await harness.call(ControlEndpoints.addSeatMember, SeatMemberRequest(account: other), id)
        case .leave:
            _ = try await harness.call(
                ControlEndpoints.removeSeatMember, Empty(), id.merging(["account": other.rawValue]) { $1 })
        default: break
        }
        return "\(row.id)"
    }

    /// Waits until less than a day before the end of a period, and charges its renewal.
    private mutating func chargeAhead(_ account: AccountID) async throws -> String {
        guard let subscription = try await subscription(of: account) else { return "none" }
        let ahead = Int64.random(in: 600...86_000, using: &random)
        let wait = subscription.paidUntil.adding(seconds: -ahead).milliseconds(since: harness.store.clock.now) / 1_000
        if wait > 0 {
            clock.advance(seconds: wait)
            try await harness.advance()
        }
        try await harness.perform(SubscriptionRequest(.chargeAhead), on: subscription.originalTransactionID)
        counts["charged ahead", default: 0] += 1
        return "\(subscription.originalTransactionID)"
    }

    /// Uploads the latest unfinished transactions of a device.
    private mutating func uploadTransactions(of device: SignedInDevice) async throws {
        for transaction in try await device.unfinished().transactions.suffix(4) { upload(.transaction(transaction.signedTransaction)) }
    }

    private mutating func upload(_ message: StoreHistory.Message) {
        counts["uploaded", default: 0] += 1
        append(message)
    }

    private mutating func append(_ message: StoreHistory.Message, at date: Timestamp? = nil) {
        messages.append(message)
        dates.append(date ?? harness.store.clock.now)
    }

    private mutating func pick(_ products: [ProductID]) -> ProductID {
        products.randomElement(using: &random) ?? products[0]
    }

    /// Buys a product with the token of the account's customer, or without a token, so that a backend claims the purchase.
    @discardableResult
    private mutating func buy(
        _ product: ProductID, quantity: Int? = nil, seats: Int? = nil, for account: AccountID
    ) async throws -> String {
        let customer = try #require(Self.customers[account])
        let hasToken = Int.random(in: 0..<3, using: &random) > 0
        let isMonthly = product == HistoryCatalog.withMonthlyPlan && Bool.random(using: &random)
        let isTeam = product == HistoryCatalog.withSeats && seats == nil && Bool.random(using: &random)
        let count = isTeam ? Int.random(in: 1...5, using: &random) : seats
        let request = BuyRequest(
            account: account, productID: product, quantity: quantity, appAccountToken: hasToken ? customer : nil,
            billingPlan: isMonthly ? .monthly : nil, seats: count)
        guard case .purchased(let signed, _) = try await harness.call(ControlEndpoints.buy, request) else { return "\(product) refused" }
        if !hasToken {
            counts["claimed", default: 0] += 1
            append(.claim(signed, customer))
        }
        return "\(product) \(try await harness.verifier.verify(signed).payload.transactionId)\(hasToken ? "" : " without a token")"
    }

    /// Returns a random subscription that an account purchased; nil if it has none.
    private mutating func subscription(of account: AccountID) async throws -> Subscription? {
        try await harness.store.context.read { db in try SubscriptionRecord.all(of: account, db) }
            .filter { $0.purchaserTransactionID == nil }.map(\.subscription).randomElement(using: &random)
    }

    /// Returns a random purchased or renewed transaction of an account that meets a condition in SQL; nil if there is none.
    private mutating func transaction(_ condition: String, of account: AccountID) async throws -> TransactionRecord? {
        try await harness.store.context.read { db in
            try TransactionRecord.fetchAll(
                db, sql: "SELECT * FROM transactions WHERE account = ? AND kind IN ('purchase', 'renewal') AND \(condition) ORDER BY rowid",
                arguments: [account.rawValue])
        }.randomElement(using: &random)
    }

    /// Appends the notifications that the store has signed since the last call.
    private mutating func collectNotifications() async throws {
        let known = notifications
        let new = try await harness.store.context.read { db in
            try NotificationRecord.fetchAll(
                db, sql: "SELECT * FROM notifications ORDER BY rowid LIMIT -1 OFFSET ?", arguments: [known])
        }
        notifications += new.count
        for notification in new {
            append(.notification(notification.signedPayload), at: notification.signedDate)
            counts[notification.title, default: 0] += 1
            log.append("    \(notification.title) \(notification.originalID?.rawValue ?? "")")
        }
    }

    /// Returns the history with the outcome that the store's records state.
    mutating func finish(seed: UInt64) async throws -> StoreHistory {
        // Some histories end while a period is paid that has not begun.
        if seed.isMultiple(of: 3) {
            for device in devices {
                do { log.append("\(device.account) chargeAhead \(try await chargeAhead(device.account))") } catch is Refused {}
            }
        }
        try await harness.advance()
        try await collectNotifications()
        return StoreHistory(
            seed: seed, messages: messages, dates: dates, roots: try TrustedRoots.apple(and: harness.store.rootsPEM, in: [.sandbox]),
            end: harness.store.clock.now,
            expected: try await StoreOracle(customers: Self.customers, credits: HistoryCatalog.credits).outcomes(of: harness.store),
            log: log,
            counts: counts)
    }
}
