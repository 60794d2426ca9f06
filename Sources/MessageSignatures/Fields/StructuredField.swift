/// A bare item of a structured field (RFC 9651, section 3.3).
///
/// Dates and display strings, which RFC 9651 added to RFC 8941, are not supported: HTTP message signatures don't use them.
enum StructuredValue: Hashable, Sendable {
    /// An integer with at most 15 digits.
    case integer(Int64)
    /// A decimal number in thousandths.
    case decimal(thousandths: Int64)
    /// A string of printable ASCII.
    case string(String)
    /// A token.
    case token(String)
    /// A byte sequence.
    case bytes([UInt8])
    /// A Boolean.
    case boolean(Bool)
}

/// A parameter of an item or of an inner list (RFC 9651, section 3.1.2).
struct StructuredParameter: Hashable, Sendable {
    let name: String
    let value: StructuredValue

    init(_ name: String, _ value: StructuredValue) {
        self.name = name
        self.value = value
    }
}

/// An item with its parameters (RFC 9651, section 3.3).
struct StructuredItem: Hashable, Sendable {
    var value: StructuredValue
    var parameters: [StructuredParameter] = []
}

/// An inner list with its parameters (RFC 9651, section 3.1.1).
struct StructuredList: Hashable, Sendable {
    var items: [StructuredItem]
    var parameters: [StructuredParameter] = []

    /// Returns the value of a parameter; nil when there is none of this name.
    func parameter(_ name: String) -> StructuredValue? { parameters.first { $0.name == name }?.value }
}

/// The value of a member of a dictionary: an item or an inner list.
enum StructuredMember: Hashable, Sendable {
    case item(StructuredItem)
    case list(StructuredList)
}

/// A dictionary (RFC 9651, section 3.2), whose members keep their order.
struct StructuredDictionary: Hashable, Sendable {
    /// A member with its key.
    struct Member: Hashable, Sendable {
        let key: String
        let value: StructuredMember
    }

    var members: [Member] = []

    /// Returns the value of the member with a key; nil when there is none.
    subscript(_ key: String) -> StructuredMember? { members.first { $0.key == key }?.value }
}

/// The reason for which the value of a structured field is refused.
public enum StructuredFieldError: Error, Hashable, Sendable {
    /// The value violates the syntax of RFC 9651 at this offset in bytes.
    case malformed(offset: Int)
    /// The value has more bytes than this limit.
    case tooLarge(limit: Int)
    /// A dictionary, an inner list or the parameters of an item have more elements than this limit.
    case tooManyElements(limit: Int)
    /// A dictionary or parameters have two elements with the same key; the second key is at this offset in bytes.
    ///
    /// RFC 9651 keeps the last one. Duplicates are refused instead, because a parser that keeps another one reads another message.
    case duplicateKey(offset: Int)
}
