import MonkeyShop
import MonkeyShopBackend
import OpenStoreKit
import PurchaseKit
import PurchaseModel

extension TourStep {
    static let offlineLease = TourStep(number: 16, title: "A granted entitlement is usable offline until the lease ends") { tour in
        try await grant(tour)
        let phone = try await tour.launch(.traveling)
        var status = await phone.shop.purchases.state.status(of: lounge)
        if !status.isOwned {
            // Retry at once: on a busy machine, a request can end without an answer, and the app would retry after a delay.
            await phone.app.run { await $0.purchases.retry() }
            status = await phone.shop.purchases.state.status(of: lounge)
        }
        guard case .owned(until: let end?) = status else { throw TourFailure(expected: "a lease with an end", found: "\(status)") }
        await phone.app.close()

        try await tour.setAirplaneMode(true, on: .traveling)
        let onPlane = try await tour.launch(.traveling)
        try expect("the entitlement without a network", await onPlane.shop.purchases.state.status(of: lounge), status)
        await onPlane.app.close()

        let hourBefore = FixedClock(now: Timestamp(end).adding(seconds: -3_600))
        let late = try await tour.launch(.traveling, wallClock: hourBefore)
        let problem = await late.shop.purchases.state.problems.first { $0.kind == .offlineUseEnds(end) }
        guard let problem else { throw TourFailure(expected: "a notice an hour before the end", found: "none") }
        await late.app.close()

        // Set the clock 61 seconds after the end, because a lease stays valid for one more minute in case the device's clock is wrong.
        let afterEnd = FixedClock(now: Timestamp(end).adding(seconds: 61))
        let landed = try await tour.launch(.traveling, wallClock: afterEnd)
        try expect("the entitlement after the lease", await landed.shop.purchases.state.status(of: lounge).isOwned, false)
        await landed.app.close()
        try await tour.setAirplaneMode(false, on: .traveling)
        return StepResult(
            app: "The lounge is open on the plane; “\(problem.message) \(problem.nextStep)”",
            evidence: "lease until \(Timestamp(end)), bound to the phone's key; 3 launches without a network; no access after the lease"
        )
    }

    private static let lounge: EntitlementName = "lounge"

    /// A device's clock that always returns the same time.
    private struct FixedClock: WallClock {
        let now: Timestamp
    }

    /// Grants the customer an entitlement, as the app's backend does.
    private static func grant(_ tour: TourEnvironment) async throws {
        let secret = try await SampleBackend.keys(of: tour.server).secret
        try await BackendClient(tour.serverURL, .backend(secretKey: secret, tour.customer)).grant(lounge.rawValue, reason: "A gift.")
    }
}
