import Logging
import Synchronization

/// The limits on prompts to the user, with reports when an app exceeds them.
final class PromptLimiter: Sendable {
    private let budget: Mutex<PromptBudget>
    private let report: @Sendable (DeviceReport) -> Void

    init(_ configuration: DeviceConfiguration, logger: Logger) {
        budget = Mutex(PromptBudget(limit: configuration.signInPromptLimit))
        report = configuration.report ?? { logger.warning("\($0)") }
    }

    /// Refills the budget if the current task has a user gesture, and otherwise reports the behavior.
    func reportUnlessUserGesture(_ behavior: DeviceReport) {
        if Device.isUserGesture { reset() } else { report(behavior) }
    }

    /// Whether a sign-in prompt may be shown now; a prompt that may not be shown is reported.
    func requestSignInPrompt() -> Bool {
        if Device.isUserGesture { reset() }
        let (may, limit) = budget.withLock { ($0.usePrompt(), $0.limit) }
        if !may { report(.promptWithheld(limit: limit)) }
        return may
    }

    /// Refills the budget after a successful sign-in or a user gesture.
    func reset() {
        budget.withLock { $0.reset() }
    }
}
