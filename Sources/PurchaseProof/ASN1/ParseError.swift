/// An error of a reader: its kind, and the offset of the first invalid byte.
///
/// The error is two words long, so that throwing it allocates nothing. The caller knows the place and converts the error to a
/// ``Refusal``.
struct ParseError: Error {
    /// The kind of error.
    let kind: Kind
    /// The offset in bytes.
    let offset: Int

    init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// The kinds of errors.
    enum Kind {
        /// The bytes end inside a value, or a value is longer than its container.
        case truncated
        /// The type differs from the expected one, or is not supported.
        case type
        /// The length is not BER.
        case length
        /// Values are nested deeper than ``BERReader/maximumDepth``.
        case depth
        /// Bytes follow the last value.
        case excess
        /// The INTEGER is empty, has more than 64 bits, or is not in its shortest form.
        case integer
        /// The text is not UTF-8.
        case text
        /// The text is not a date.
        case date
        /// The value is not allowed here.
        case value
        /// The attribute or member occurs twice.
        case duplicate
        /// A required attribute is missing.
        case missing
        /// There are more elements, or more bytes, than the limit.
        case count(limit: Int)
    }
}

extension Refusal {
    /// Creates the refusal for an error of a reader.
    init(_ parseError: ParseError, at place: String) {
        let reason: Reason =
            switch parseError.kind {
            case .count(let limit): .tooLarge(limit: limit)
            case .depth: .tooLarge(limit: BERReader.maximumDepth)
            default: .malformed
            }
        self.init(reason, at: place, offset: parseError.offset, parseError.kind.message)
    }
}

extension ParseError.Kind {
    /// The description of the error, as a sentence.
    var message: String {
        switch self {
        case .truncated: "The data ends inside a value."
        case .type: "A value has an unexpected type."
        case .length: "A length is invalid: it must be definite or indefinite, of at most eight bytes."
        case .depth: "Values are nested too deeply."
        case .excess: "Bytes follow the last value."
        case .integer: "Invalid value: an integer must have at most 64 bits, in its shortest form."
        case .text: "Invalid value: a text must be UTF-8."
        case .date: "Invalid value: a date must have the format 2025-01-31T12:34:56Z."
        case .value: "A value is not allowed here."
        case .duplicate: "An attribute or member occurs twice."
        case .missing: "A required attribute is missing."
        case .count: "A limit is exceeded."
        }
    }
}
