import PurchaseProof

/// What signed bytes are worth to this server, in the words that the library and the command use, too.
struct ExplanationReply: Codable, Sendable {
    /// `verified`, `refused` or `unknown`.
    var verdict: String
    /// Why it is not verified, as one stable word.
    var reason: String?
    /// Where in the data that shows.
    var place: String?
    /// Why it is not verified, as a sentence.
    var sentence: String?
    /// What was looked at, what was seen, and by which rule it was judged, in order.
    var steps: [Explanation.Step]

    /// Puts a verdict and its explanation into words.
    init<Value>(_ verdict: Verdict<Value>, _ explanation: Explanation) {
        steps = explanation.steps
        switch verdict {
        case .verified:
            self.verdict = "verified"
        case .refused(let refusal):
            self.verdict = "refused"
            (reason, place, sentence) = (refusal.reason.code, refusal.place, refusal.sentence)
        case .unknown(let doubt):
            self.verdict = "unknown"
            (reason, place, sentence) = (doubt.reason.code, doubt.place, doubt.sentence)
        }
    }
}
