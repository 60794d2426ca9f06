/// Where bytes stop to make sense, and what would have made sense there.
///
/// Readers throw it because it is two words long and costs nothing to make. Whoever called them knows the place, and turns it
/// into a ``Refusal``.
struct ReadFault: Error {
    /// What would have made sense.
    let kind: Kind
    /// How many bytes lie before it.
    let offset: Int

    init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// What is wrong with bytes.
    enum Kind {
        /// They end inside of a value, or a value claims more than there is.
        case truncated
        /// Another type of value was expected, or a type that nothing here has.
        case type
        /// A length that is written in no way that BER knows.
        case length
        /// Values lie in each other deeper than ``BERReader/maximumDepth``.
        case depth
        /// Something follows where nothing should.
        case excess
        /// An INTEGER that is empty, too long, or longer than it need be.
        case integer
        /// The text is not UTF-8.
        case text
        /// The text is not a date.
        case date
        /// The value is none that is allowed here.
        case value
        /// The number must not be there twice.
        case duplicate
        /// The number must be there.
        case missing
        /// There are more of them, or more bytes, than the limit.
        case count(limit: Int)
    }
}

extension Refusal {
    /// The refusal that a fault at that place stands for.
    init(_ fault: ReadFault, at place: String) {
        let reason: Reason =
            switch fault.kind {
            case .count(let limit): .tooLarge(limit: limit)
            case .depth: .tooLarge(limit: BERReader.maximumDepth)
            default: .malformed
            }
        self.init(reason, at: place, offset: fault.offset, fault.kind.sentence)
    }
}

extension ReadFault.Kind {
    /// What was expected, in a sentence.
    var sentence: String {
        switch self {
        case .truncated: "The bytes end before the value does."
        case .type: "A value of another type was expected."
        case .length: "A length was expected, definite or indefinite, of at most eight bytes."
        case .depth: "Values lie in each other too deep."
        case .excess: "Nothing more was expected."
        case .integer: "An integer of at most 64 bits was expected, in as few bytes as it needs."
        case .text: "Text in UTF-8 was expected."
        case .date: "A date was expected, such as 2025-01-31T12:34:56Z."
        case .value: "A value was expected that is allowed here."
        case .duplicate: "It was expected once and is there twice."
        case .missing: "It was expected and is missing."
        case .count: "There is too much of it."
        }
    }
}
