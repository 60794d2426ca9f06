import ArgumentParser
import PurchaseModel
import PurchaseProof

/// A verdict in the words that scripts rely on.
struct Judgement: Hashable, Sendable {
    enum Word: String, Sendable {
        case verified, refused, unknown

        /// What a command ends with.
        var exitCode: ExitCode {
            switch self {
            case .verified: .success
            case .refused: ExitCode(1)
            case .unknown: ExitCode(2)
            }
        }
    }

    let word: Word
    /// What is the matter, as one stable word; nil when verified.
    var reason: String?
    /// Where it shows.
    var place: String?
    /// How many bytes lie before it, where that says anything.
    var offset: Int?
    /// What is the matter, for people.
    var sentence: String?

    static let verified = Judgement(word: .verified)

    init(_ refusal: Refusal) {
        word = .refused
        reason = refusal.reason.code
        place = refusal.place
        offset = refusal.offset
        sentence = refusal.sentence
    }

    init(_ doubt: Doubt) {
        word = .unknown
        reason = doubt.reason.code
        place = doubt.place
        sentence = doubt.sentence
    }

    init(_ verdict: Verdict<some Sendable>) {
        switch verdict {
        case .verified: self = .verified
        case .refused(let refusal): self.init(refusal)
        case .unknown(let doubt): self.init(doubt)
        }
    }

    init(word: Word, reason: String? = nil, place: String? = nil, sentence: String? = nil) {
        self.word = word
        self.reason = reason
        self.place = place
        self.sentence = sentence
    }

    /// The members `verdict`, and where there is something to say `reason`, `place`, `offset` and `sentence`.
    var members: [JSONValue.Member] {
        var members = [JSONValue.Member("verdict", .string(word.rawValue))]
        if let reason { members.append(JSONValue.Member("reason", .string(reason))) }
        if let place { members.append(JSONValue.Member("place", .string(place))) }
        if let offset { members.append(JSONValue.Member("offset", .number(offset))) }
        if let sentence { members.append(JSONValue.Member("sentence", .string(sentence))) }
        return members
    }

    /// The line that says it to people.
    func line(_ style: TerminalStyle) -> String {
        let word =
            switch word {
            case .verified: style.good("verified")
            case .refused: style.bad("refused")
            case .unknown: style.doubtful("unknown")
            }
        guard let reason else { return word }
        return "\(word)  \(style.strong(reason))  \(TerminalText.safe(sentence ?? ""))"
    }
}
