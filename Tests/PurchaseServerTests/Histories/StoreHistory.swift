import Foundation
import HummingbirdTesting
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import PurchaseTestSupport
import StoreTestSupport

/// What a store signed in one random history, and the outcome that its own records state.
struct StoreHistory: Sendable {
    /// Data that the store or an app sends to the developer's server.
    enum Message: Sendable {
        /// An App Store Server Notification.
        case notification(SignedNotification)
        /// A transaction that an app uploads.
        case transaction(SignedTransaction)
        /// An app receipt that an app uploads.
        case receipt(Data)
        /// A transaction without a token, which a backend uploads for its customer.
        case claim(SignedTransaction, CustomerID)
    }

    let seed: UInt64
    /// All messages in the order of their signatures.
    let messages: [Message]
    /// The date of each message.
    let dates: [Timestamp]
    /// The roots that sign the messages.
    let roots: TrustedRoots
    /// The store's time after the last event.
    let end: Timestamp
    /// The outcome according to the store's charges, refunds and subscriptions.
    let expected: PurchaseOutcomes
    /// The actions in their order, for the message of a failed test.
    let log: [String]
    /// The number of each type of notification, and of the uploads.
    let counts: [String: Int]

    /// Plays a random history in a store of its own.
    ///
    /// Each action has a time of its own, because signed data with equal signature dates has no order.
    static func play(seed: UInt64, actions: Int = 30) async throws -> StoreHistory {
        try await play(seed: seed, actions: actions, over: .router) { history, _ in history }
    }

    /// Plays a random history in a store of its own, and runs `body` while the store answers requests.
    static func play<Value>(
        seed: UInt64, actions: Int = 30, over setup: TestingSetup = .live,
        _ body: @Sendable (StoreHistory, StoreHarness) async throws -> Value
    ) async throws -> Value {
        // The fraction makes the purchase dates, which have whole seconds, earlier than the signature dates.
        let clock = ManualClock(Timestamp.testStart.wholeSeconds.adding(milliseconds: 500))
        return try await StoreHarness.run(clock: clock, storekit: HistoryCatalog.storekit, over: setup) { harness in
            var player = try await HistoryPlayer(harness, clock: clock, seed: seed)
            for _ in 0..<actions { try await player.perform() }
            return try await body(player.finish(seed: seed), harness)
        }
    }

    /// The days for which the App Store can list notifications, less a margin for the time at which the server asks.
    private static let historyDays: Int64 = 170

    /// The messages as a server receives them: some twice, some late, in another order.
    ///
    /// - Parameters:
    ///   - random: The generator.
    ///   - losesNotifications: Whether some notifications never arrive. Those that the App Store no longer lists at the end arrive.
    func arrivals(_ random: inout SeededRandom, losesNotifications: Bool = false) -> (messages: [Message], lost: Int) {
        let window = [0, 6, messages.count].randomElement(using: &random) ?? 0
        var arrivals: [(position: Int, message: Message)] = []
        var (late, lost): ([Message], Int) = ([], 0)
        for (index, message) in messages.enumerated() {
            let chance = Int.random(in: 0..<10, using: &random)
            guard chance >= 2 else {
                if losesNotifications, case .notification = message, dates[index] > end.adding(days: -Self.historyDays) {
                    lost += 1
                } else {
                    late.append(message)
                }
                continue
            }
            for _ in 0..<(chance < 5 ? 2 : 1) {
                arrivals.append((index + Int.random(in: 0...window, using: &random), message))
            }
        }
        arrivals.sort { $0.position < $1.position }
        return (arrivals.map(\.message) + late.shuffled(using: &random), lost)
    }

    /// A description for the message of a failed test.
    var transcript: String { "seed \(seed)\n\(log.joined(separator: "\n"))" }
}

/// The states of all purchases and the balances of all customers, as an oracle expects them and as a server has them.
struct PurchaseOutcomes: Equatable, Sendable {
    /// The state of one purchase.
    struct Purchase: Equatable, Sendable {
        var productID: ProductID
        var state: Access.State
        var until: Timestamp?
        var renewsTo: ProductID?
    }

    /// The purchases by `originalTransactionId`.
    var purchases: [TransactionID: Purchase] = [:]
    /// The credits of each customer.
    var balances: [CustomerID: Int64] = [:]
    /// The products to which each customer has access by a purchase of their own.
    var products: [CustomerID: Set<ProductID>] = [:]
    /// The debits, made between the messages, whose results ``FreezeOracle`` finds wrong.
    var debitViolations: [String] = []

    /// The differences to the expected outcomes, one per line; empty if the outcomes are equal.
    func differences(from expected: PurchaseOutcomes) -> [String] {
        var lines: [String] = []
        for id in Set(purchases.keys).union(expected.purchases.keys).sorted() where purchases[id] != expected.purchases[id] {
            lines.append("purchase \(id): \(Self.text(purchases[id])), expected \(Self.text(expected.purchases[id]))")
        }
        for customer in Set(balances.keys).union(expected.balances.keys).sorted()
        where balances[customer, default: 0] != expected.balances[customer, default: 0] {
            lines.append("balance of \(customer): \(balances[customer, default: 0]), expected \(expected.balances[customer, default: 0])")
        }
        for customer in Set(products.keys).union(expected.products.keys).sorted()
        where products[customer, default: []] != expected.products[customer, default: []] {
            lines.append(
                "products of \(customer): \(products[customer, default: []].sorted()), "
                    + "expected \(expected.products[customer, default: []].sorted())")
        }
        if debitViolations != expected.debitViolations { lines += debitViolations }
        return lines
    }

    private static func text(_ purchase: Purchase?) -> String {
        guard let purchase else { return "none" }
        let dates = "\(purchase.until.map { " until \($0)" } ?? "")\(purchase.renewsTo.map { " renews to \($0)" } ?? "")"
        return "\(purchase.productID) \(purchase.state.rawValue)\(dates)"
    }
}
