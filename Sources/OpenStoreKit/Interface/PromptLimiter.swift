import Logging
import Synchronization

/// Limits the number of sign-in prompts in a row, and reports sign-in prompts without a user gesture.
final class PromptLimiter: Sendable {
    private let budget: Mutex<PromptBudget>
    private let report: @Sendable (DeviceReport) -> Void

    init(_ configuration: DeviceConfiguration, logger: Logger) {
        budget = Mutex(PromptBudget(limit: configuration.signInPromptLimit))
        report = configuration.report ?? { logger.warning("\($0)") }
    }

    /// Reports a behavior of the app, unless the current task has a user gesture; a user gesture makes all prompts available again.
    func reportUnlessUserGesture(_ behavior: DeviceReport) {
        if Device.isUserGesture { reset() } else { report(behavior) }
    }

    /// Returns whether a sign-in prompt may be shown now, and counts the prompt; reports a prompt beyond the limit.
    func requestSignInPrompt() -> Bool {
        if Device.isUserGesture { reset() }
        let (may, limit) = budget.withLock { ($0.usePrompt(), $0.limit) }
        if !may { report(.promptWithheld(limit: limit)) }
        return may
    }

    /// Makes all prompts available again, after a successful sign-in or a user gesture.
    func reset() {
        budget.withLock { $0.reset() }
    }
}
