/// An explanation of a verification: its result, and the steps that led to it.
///
/// The server's `POST /v1/explain`, `tillroll receipt verify --explain --json` and `tillroll jws verify --explain --json` encode this type
/// as JSON.
public struct VerificationExplanation: Codable, Hashable, Sendable {
    /// Whether the data is verified or refused, or the verification is indeterminate.
    public let result: Result
    /// The code of the reason for a failed verification, such as `untrusted_root`; nil for verified data.
    public let reason: String?
    /// The path of the part of the data that the reason concerns, such as `header.x5c[0]`; nil for verified data.
    public let place: String?
    /// The offset of the error in bytes, as in ``Refusal/offset``; nil for verified data, or when it is unknown.
    public let offset: Int?
    /// The reason as a sentence, for developers; nil for verified data.
    public let message: String?
    /// The steps of the verification in their order; a failed step is the last one.
    ///
    /// The array is empty when the caller verified the data without requesting an explanation.
    public let steps: [Step]

    /// The possible results of a verification.
    public enum Result: String, Codable, CaseIterable, Hashable, Sendable {
        /// The data is verified.
        case verified
        /// The data is refused.
        case refused
        /// The data is neither verified nor refused, because a fact that the verification depends on was unavailable.
        case indeterminate
    }

    /// One step of a verification.
    public struct Step: Codable, Hashable, Sendable {
        /// The name of the step, such as `certificates`.
        public let name: String
        /// A description of the value that the step examined.
        public let observed: String
        /// The rule that the value must meet, as a sentence.
        public let rule: String
        /// Whether the value meets the rule.
        public let status: Status
    }

    /// The outcome of one step of a verification.
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

    /// Creates an explanation from its members.
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

    /// Creates the explanation of a verification's outcome.
    ///
    /// - Parameters:
    ///   - outcome: The outcome. The explanation does not contain the verified value.
    ///   - steps: The steps of the verification, in their order.
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
/// Verifiers pass an optional trace through their functions. When the trace is nil, a call such as `trace?.passed(…)` does not evaluate its
/// arguments, so a verification without an explanation builds no texts.
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

    /// Records a step that depends on an unavailable fact which the verification does not require.
    func indeterminate(_ name: String, _ observed: String, rule: String) {
        add(name, observed, rule, .indeterminate)
    }

    /// Records the step whose failure ended the verification.
    func recordFailure(_ failure: VerificationFailure) {
        switch failure {
        case .refused(let refusal): add(refusal.place, refusal.message, refusal.reason.message, .failed)
        case .indeterminate(let indeterminacy):
            add(indeterminacy.place, indeterminacy.message, "A fact that the verification requires is unavailable.", .indeterminate)
        }
    }

    /// Runs a verification with a new trace, and returns its outcome with an explanation.
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
