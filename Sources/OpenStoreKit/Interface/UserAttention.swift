import Logging
import Synchronization

/// The limits on prompts to the user, with reports when an app exceeds them.
final class UserAttention: Sendable {
    private let budget: Mutex<PromptBudget>
    private let report: @Sendable (DeviceReport) -> Void

    init(_ configuration: DeviceConfiguration, logger: Logger) {
        budget = Mutex(PromptBudget(limit: configuration.signInPromptLimit))
        report = configuration.report ?? { logger.warning("\($0)") }
    }

    /// Handles a request by the app that only a user should make: with a user gesture the budget is refilled, without one the request is
    /// reported.
    func isAsked(_ otherwise: DeviceReport) {
        if Device.isUserGesture { renew() } else { report(otherwise) }
    }

    /// Whether a sign-in prompt may be shown now; a prompt that may not be shown is reported.
    func maySignIn() -> Bool {
        if Device.isUserGesture { renew() }
        let (may, limit) = budget.withLock { ($0.spend(), $0.limit) }
        if !may { report(.promptWithheld(limit: limit)) }
        return may
    }

    /// Refills the budget after a successful sign-in or a user gesture.
    func renew() {
        budget.withLock { $0.renew() }
    }
}
