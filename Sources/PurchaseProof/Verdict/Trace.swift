/// Takes down the steps of a verification that is to be explained.
///
/// Verifiers carry an optional one. Without it nothing is put into words: optional chaining does not evaluate the arguments.
final class Trace {
    private(set) var explanation = Explanation()

    /// A step that went as its rule wants.
    func passed(_ name: String, _ saw: String, rule: String) {
        add(name, saw, rule, .passed)
    }

    /// A step that was not asked for.
    func skipped(_ name: String, _ saw: String, rule: String) {
        add(name, saw, rule, .skipped)
    }

    /// A step that could not be taken and need not be.
    func unknown(_ name: String, _ saw: String, rule: String) {
        add(name, saw, rule, .unknown)
    }

    /// The end of a verification that proved nothing.
    func ended(_ error: Unproven) {
        switch error {
        case .refused(let refusal): add(refusal.place, refusal.sentence, refusal.reason.sentence, .failed)
        case .unknown(let doubt): add(doubt.place, doubt.sentence, "Revocation is asked for and must be answered.", .unknown)
        }
    }

    private func add(_ name: String, _ saw: String, _ rule: String, _ outcome: Explanation.Outcome) {
        explanation.steps.append(Explanation.Step(name: name, saw: saw, rule: rule, outcome: outcome))
    }
}
