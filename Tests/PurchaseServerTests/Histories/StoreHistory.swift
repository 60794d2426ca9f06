import Foundation
import HummingbirdTesting
import PurchaseModel
import PurchaseProof
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
