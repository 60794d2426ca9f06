/// An explanation of a verification: its result, and the steps that led to it.
///
/// The library, the server (`POST /v1/explain`) and the command (`tillroll receipt verify --explain --json`) print this type.
public struct VerificationExplanation: Codable, Hashable, Sendable {
    /// The result, without the verified value.
    public let result: Result
    /// The code of the reason for a failed verification; nil for verified data.
    public let reason: String?
    /// The part of the data that the reason concerns.
    public let place: String?
    /// The offset of the part in the data, in bytes, if known.
    public let offset: Int?
    /// The reason as a sentence.
    public let message: String?
    /// The steps in their order; a failed step is the last.
    ///
    /// Empty when the steps were not requested.
    public let steps: [Step]

    /// The results of a verification.
    public enum Result: String, Codable, CaseIterable, Hashable, Sendable {
        /// The data is verified.
        case verified
        /// The data is refused.
        case refused
        /// The verification is indeterminate.
        case indeterminate
    }

    /// One step of a verification.
    public struct Step: Codable, Hashable, Sendable {
        /// The name of the step, such as `certificates`.
        public let name: String
        /// The value that the step examined.
        public let observed: String
        /// The rule that applies.
        public let rule: String
        /// Whether the data meets the rule.
        public let status: Status
    }

    /// Whether the data meets the rule of a step.
    public enum Status: String, Codable, Hashable, Sendable {
        /// The data meets the rule.
        case passed
        /// The data does not meet the rule and is refused.
        case failed
        /// A fact that determines whether the data meets the rule is unavailable.
        case indeterminate
        /// The rule does not apply.
        case skipped
    }

    /// Creates an explanation from its parts.
    package init(
        result: Result, reason: String? = nil, place: String? = nil, offset: Int? = nil, message: String? = nil, steps: [Step] = []
    ) {
        self.result = result
        self.reason = reason
        self.place = place
        self.offset = offset
        self.message = message
        self.steps = steps
    }

    /// Creates the explanation of an outcome.
    ///
    /// - Parameters:
    ///   - outcome: The outcome. The explanation does not contain the verified value.
    ///   - steps: The steps that led to it.
    public init(_ outcome: VerificationOutcome<some Sendable>, steps: [Step] = []) {
        switch outcome {
        case .verified: self.init(result: .verified, steps: steps)
        case .refused(let refusal):
            self.init(
                result: .refused, reason: refusal.reason.code, place: refusal.place, offset: refusal.offset, message: refusal.message,
                steps: steps
            )
        case .indeterminate(let indeterminacy):
            self.init(
                result: .indeterminate, reason: indeterminacy.reason.code, place: indeterminacy.place, message: indeterminacy.message,
                steps: steps
            )
        }
    }
}

/// Records the steps of a verification for an explanation.
///
/// Verifiers pass an optional trace. Without a trace, no text is built, because optional chaining does not evaluate the arguments.
final class Trace {
    private(set) var steps: [VerificationExplanation.Step] = []

    /// Records a step whose rule the data meets.
    func passed(_ name: String, _ observed: String, rule: String) {
        add(name, observed, rule, .passed)
    }

    /// Records a step whose rule does not apply.
    func skipped(_ name: String, _ observed: String, rule: String) {
        add(name, observed, rule, .skipped)
    }

    /// Records a step whose result is unavailable and not required.
    func indeterminate(_ name: String, _ observed: String, rule: String) {
        add(name, observed, rule, .indeterminate)
    }

    /// Records the failure that ended the verification.
    func recordFailure(_ failure: VerificationFailure) {
        switch failure {
        case .refused(let refusal): add(refusal.place, refusal.message, refusal.reason.message, .failed)
        case .indeterminate(let indeterminacy):
            add(indeterminacy.place, indeterminacy.message, "The verification requires this fact.", .indeterminate)
        }
    }

    /// Runs a verification and explains it.
    static func explain<Value>(
        _ verify: (Trace) async throws(VerificationFailure) -> Value
    ) async -> (outcome: VerificationOutcome<Value>, explanation: VerificationExplanation) {
        let trace = Trace()
        let outcome: VerificationOutcome<Value>
        do throws(VerificationFailure) {
            outcome = .verified(try await verify(trace))
        } catch {
            trace.recordFailure(error)
            outcome = VerificationOutcome(error)
        }
        return (outcome, VerificationExplanation(outcome, steps: trace.steps))
    }

    private func add(_ name: String, _ observed: String, _ rule: String, _ status: VerificationExplanation.Status) {
        steps.append(VerificationExplanation.Step(name: name, observed: observed, rule: rule, status: status))
    }
}
