import MonkeyShop
import MonkeyShopBackend
import OpenStoreKit
import PurchaseModel
import StoreControl
import StoreKit

extension TourStep {
    static let networkUnavailable = TourStep(number: 6, title: "Buys without a network; the payment is charged once") { tour in
        let before = try await tour.charges(.adult).count
        let message = try await messageWithoutNetwork(tour)

        var buying = tour.script(for: .first)
        buying.productToBuy = MonkeyShopProduct.credits10
        buying.losesNetworkBeforePurchase = true
        let purchasing = [SKPaymentTransactionState.purchasing.rawValue]
        try await play(buying, tour, expecting: purchasing, "a payment in the queue")
        try await play(tour.script(for: .first), tour, expecting: purchasing, "a payment in the queue after a relaunch")
        try expect("the charges while the network is unavailable", try await tour.charges(.adult).count, before)

        try await tour.setAirplaneMode(false, on: .first)
        try await play(tour.script(for: .first), tour, expecting: [], "an empty queue after the second relaunch")
        try await play(tour.script(for: .first), tour, expecting: [], "an empty queue after the third relaunch")
        let charges = try await tour.charges(.adult)
        try expect("the charges when the network is available again", charges.count, before + 1)
        return StepResult(
            app: "“\(message)”; the 10 credits are credited when the network is available again",
            evidence: "payment kept over 2 relaunches after SIGKILL, no charge; then 1 charge, transaction \(charges[before].transactionID)"
        )
    }

    /// Returns the message that the app shows instead of prices while the network is unavailable.
    private static func messageWithoutNetwork(_ tour: TourEnvironment) async throws -> String {
        let phone = try await tour.launch(.first)
        try await phone.device.change { $0.airplaneMode = true }
        var message: String?
        do {
            _ = try await phone.app.run { shop async throws(MonkeyShopError) in try await shop.loadProducts() }
        } catch {
            message = "\(error)"
        }
        try await phone.device.change { $0.airplaneMode = false }
        await phone.app.waitUntilIdle()
        guard let message, message.hasPrefix("The network is unavailable.") else {
            throw TourFailure(expected: "an error message for the user", found: message ?? "prices")
        }
        return message
    }

    /// Runs a script in a separate process until the app is idle, kills the process, and checks the states of the queue's transactions.
    private static func play(_ run: AppScript, _ tour: TourEnvironment, expecting queue: [Int], _ what: String) async throws {
        var run = run
        run.keepsRunning = true
        let app = try AppProcess(run, on: tour)
        let output = await app.output.first { if case .idle = $0 { true } else { false } }
        await app.kill()
        guard case .idle(_, let found) = output else { throw TourFailure(expected: what, found: "an app that exited early") }
        try expect("\(what): the states of the queue", found, queue)
    }
}
