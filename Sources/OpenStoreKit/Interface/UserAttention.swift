import Logging
import Synchronization

/// The user's patience: what may be asked of them, and who hears of it when an app asks too much.
final class UserAttention: Sendable {
    private let budget: Mutex<PromptBudget>
    private let report: @Sendable (DeviceReport) -> Void

    init(_ configuration: DeviceConfiguration, logger: Logger) {
        budget = Mutex(PromptBudget(limit: configuration.signInPromptLimit))
        report = configuration.report ?? { logger.warning("\($0)") }
    }

    /// The app does what only a user should ask for: with a gesture the budget is whole again, without one it is reported.
    func isAsked(_ otherwise: DeviceReport) {
        if Device.isUserGesture { renew() } else { report(otherwise) }
    }

    /// Whether a sign-in may be shown now; one that may not is reported.
    func maySignIn() -> Bool {
        if Device.isUserGesture { renew() }
        let (may, limit) = budget.withLock { ($0.spend(), $0.limit) }
        if !may { report(.promptWithheld(limit: limit)) }
        return may
    }

    /// A sign-in has succeeded, or the user has asked for something.
    func renew() {
        budget.withLock { $0.renew() }
    }
}
