import MonkeyShop
import OpenStoreKit
import PurchaseModel
import PurchaseProtocol
import StoreKit

extension TourStep {
    static let networkAway = TourStep(number: 6, title: "The network is away; a purchase made meanwhile goes through once") { stage in
        let before = try await stage.charges(.grownUp).count
        let message = try await messageWithoutNetwork(stage)

        var buying = stage.run(on: .first)
        buying.buys = MonkeyShopProduct.credits10
        buying.losesNetworkBeforeBuying = true
        let kept = [SKPaymentTransactionState.purchasing.rawValue]
        try await play(buying, stage, expecting: kept, "the payment to be kept")
        try await play(stage.run(on: .first), stage, expecting: kept, "it to be kept after a restart")
        try expect("the charges while the network was away", try await stage.charges(.grownUp).count, before)

        try await setAirplaneMode(false, stage)
        try await play(stage.run(on: .first), stage, expecting: [], "the queue to be empty after the second restart")
        try await play(stage.run(on: .first), stage, expecting: [], "the queue to stay empty")
        let charges = try await stage.charges(.grownUp)
        try expect("the charges in the end", charges.count, before + 1)
        return Scene(
            app: "“\(message)”; the 10 credits arrive when the network is back",
            evidence: "kept over 2 restarts (SIGKILL each), 0 charges meanwhile; then 1 charge, transaction \(charges[before].transaction)"
        )
    }

    /// The app's message in place of prices.
    private static func messageWithoutNetwork(_ stage: Stage) async throws -> String {
        let phone = try await stage.launch(.first)
        try phone.device.change { $0.airplaneMode = true }
        var message: String?
        do {
            _ = try await phone.shop.loadShelf()
        } catch {
            message = "\(error)"
        }
        try phone.device.change { $0.airplaneMode = false }
        await phone.shop.settle()
        guard let message, message.hasPrefix("Network down?") else {
            throw TourFailure(expected: "an error that can be shown", found: message ?? "prices")
        }
        return message
    }

    /// Runs a script until the app is idle, and kills the app.
    private static func play(_ run: AppRun, _ stage: Stage, expecting queue: [Int], _ what: String) async throws {
        var run = run
        run.staysOpen = true
        let app = try AppProcess(run, on: stage)
        let news = await app.news.first { if case .settled = $0 { true } else { false } }
        await app.kill()
        guard case .settled(_, let found) = news else { throw TourFailure(expected: what, found: "an app that ended early") }
        try expect("\(what): states of the queue", found, queue)
    }

    /// Sets airplane mode on a phone without a running app, because the app that finds the network available is another app session.
    private static func setAirplaneMode(_ on: Bool, _ stage: Stage) async throws {
        let device = try Phone.device(.first, on: stage, user: AutomaticInterface())
        try device.change { $0.airplaneMode = on }
        await device.settle()
    }
}
