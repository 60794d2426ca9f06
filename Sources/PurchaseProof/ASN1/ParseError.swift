/// An error of parsing BER or a property list: its kind, and the offset of the first invalid byte.
///
/// The error has no texts, so that throwing it allocates nothing. The caller adds the place of the error and converts it to a ``Refusal``.
struct ParseError: Error {
    /// The kind of the error.
    let kind: Kind
    /// The offset of the first invalid byte, from the beginning of the parsed bytes.
    let offset: Int

    init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// The kinds of parse errors.
    enum Kind {
        /// The bytes end inside a value, or a value extends beyond the end of the value that contains it.
        case truncated
        /// A value has another type than the format requires, or a type that the parser does not support.
        case type
        /// A length is not valid BER, or has more than eight octets.
        case length
        /// Values are nested deeper than ``BERReader/maximumDepth``.
        case depth
        /// Bytes follow the last value.
        case excess
        /// An INTEGER is empty, has more than 64 bits, or is not in its shortest form.
        case integer
        /// A text is not UTF-8, or contains an invalid escape sequence.
        case text
        /// A text that should be a date has another format.
        case date
        /// A value of the correct type is not one of the values that the format allows.
        case value
        /// An attribute of a receipt, or a member of a property list, occurs twice.
        case duplicate
        /// A required attribute of a receipt is missing.
        case missing
        /// There are more elements than the limit, or an element has more bytes than the limit.
        case count(limit: Int)
    }
}

extension Refusal {
    /// Creates the refusal of data that could not be parsed, from the parse error and the place at which it occurred.
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
        case .type: "A value has another ASN.1 type than the format requires."
        case .length: "A length is not valid BER: a length must be indefinite or a number of at most eight bytes."
        case .depth: "ASN.1 values are nested too deeply."
        case .excess: "There are bytes after the end of the data."
        case .integer: "Invalid value: an integer must have at most 64 bits, in its shortest form."
        case .text: "Invalid value: a text must be UTF-8, without invalid escape sequences."
        case .date: "Invalid value: a date must have the format 2025-01-31T12:34:56Z."
        case .value: "A value is not one of the values that the format allows."
        case .duplicate: "An attribute or member occurs twice, so its value is ambiguous."
        case .missing: "A required attribute of the receipt or of a purchase is missing."
        case .count: "There are too many elements, or an element is too large."
        }
    }
}
