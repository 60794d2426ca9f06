import Foundation

/// Decodes a value from the JSON of a payload, which a ``JSONScanner`` has found to be unambiguous.
///
/// The scanner has found the members of the payload, so that the decoder does not parse the JSON again. With `JSONDecoder`, parsing would
/// take twice as long, and two parsers could read different values from the same bytes. Values are decoded as `JSONDecoder` decodes them
/// without options.
struct PayloadDecoder: Decoder {
    private let value: JSONFragment

    /// Decodes the object that a scanner has scanned.
    ///
    /// - Throws: `DecodingError` when the object does not have the members of the type, or when a member has another type.
    static func decode<Value: Decodable>(_ type: Value.Type, from scanner: JSONScanner) throws -> Value {
        try Value(from: PayloadDecoder(JSONFragment(scanner)))
    }

    fileprivate init(_ value: JSONFragment) {
        self.value = value
    }

    var codingPath: [any CodingKey] { value.path?.keys ?? [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(JSONMembers<Key>(try value.members(), value))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { JSONElements(try value.elements(), value) }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { value }
}

/// The keys that lead to a value, as a list from the value to the payload.
private final class JSONPath {
    let key: any CodingKey
    let parent: JSONPath?

    init(_ key: any CodingKey, in parent: JSONPath?) {
        self.key = key
        self.parent = parent
    }

    var keys: [any CodingKey] { (parent?.keys ?? []) + [key] }
}

/// The index of an element of an array, as a coding key.
private struct JSONIndex: CodingKey {
    let intValue: Int?
    let stringValue: String

    init(intValue: Int) {
        self.intValue = intValue
        stringValue = "Index \(intValue)"
    }

    init?(stringValue: String) { nil }
}

/// A JSON value as a range of scanned bytes.
private struct JSONFragment: SingleValueDecodingContainer {
    let bytes: [UInt8]
    let range: Range<Int>
    /// The key of the value, and the path of the object or array that contains the value; nil for the payload.
    private let key: (any CodingKey)?
    private let parent: JSONPath?
    /// The members, if the value is the scanned object.
    private let scanned: [JSONScanner.Member]?

    init(_ scanner: JSONScanner) {
        bytes = scanner.bytes
        range = (scanner.bytes.firstIndex(of: UInt8(ascii: "{")) ?? 0)..<scanner.bytes.count
        key = nil
        parent = nil
        scanned = scanner.members
    }

    init(_ range: Range<Int>, in bytes: [UInt8], _ key: any CodingKey, of parent: JSONPath?) {
        self.bytes = bytes
        self.range = range
        self.key = key
        self.parent = parent
        scanned = nil
    }

    // The path is not stored, because most values are neither containers nor invalid, and a path is allocated.
    var path: JSONPath? { key.map { JSONPath($0, in: parent) } }

    var codingPath: [any CodingKey] { path?.keys ?? [] }

    private var first: UInt8 { bytes[range.lowerBound] }

    private var text: String { String(decoding: bytes[range], as: UTF8.self) }

    private func context(_ description: String) -> DecodingError.Context {
        DecodingError.Context(codingPath: codingPath, debugDescription: description)
    }

    private func mismatch(_ type: Any.Type) -> DecodingError {
        decodeNil()
            ? .valueNotFound(type, context("The value is null.")) : .typeMismatch(type, context("The value has another type."))
    }

    /// Returns the members of an object, in their order.
    func members() throws -> [JSONScanner.Member] {
        if let scanned { return scanned }
        guard first == UInt8(ascii: "{") else { throw mismatch([String: Any].self) }
        do { return try JSONScanner.members(of: range, in: bytes) } catch { throw DecodingError.dataCorrupted(context(error.detail)) }
    }

    /// Returns the ranges of the elements of an array, in their order.
    func elements() throws -> [Range<Int>] {
        guard first == UInt8(ascii: "[") else { throw mismatch([Any].self) }
        do { return try JSONScanner.elements(of: range, in: bytes) } catch { throw DecodingError.dataCorrupted(context(error.detail)) }
    }

    func decodeNil() -> Bool { first == UInt8(ascii: "n") }

    func decode(_ type: Bool.Type) throws -> Bool {
        switch first {
        case UInt8(ascii: "t"): return true
        case UInt8(ascii: "f"): return false
        default: throw mismatch(type)
        }
    }

    func decode(_ type: String.Type) throws -> String {
        guard first == UInt8(ascii: "\"") else { throw mismatch(type) }
        let content = range.lowerBound + 1..<range.upperBound - 1
        guard bytes.first(UInt8(ascii: "\\"), in: content) != nil else { return String(decoding: bytes[content], as: UTF8.self) }
        // Escape sequences are rare in signed data, and the scanner has found that they are valid.
        return try foundation(type)
    }

    func decode(_ type: Double.Type) throws -> Double {
        guard first == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { throw mismatch(type) }
        guard let number = Double(text), number.isFinite else { throw DecodingError.dataCorrupted(context("The number is out of range.")) }
        return number
    }

    func decode(_ type: Float.Type) throws -> Float {
        let number = Float(try decode(Double.self))
        guard number.isFinite else { throw DecodingError.dataCorrupted(context("The number is out of range.")) }
        return number
    }

    func decode<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type) throws -> Integer {
        if let number = Integer(text) { return number }
        // A number such as `1.0` or `1e3` is an integer, too.
        guard let number = Integer(exactly: try decode(Double.self)) else {
            throw DecodingError.dataCorrupted(context("The number is not an integer of the required size."))
        }
        return number
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        switch type {
        case is String.Type, is Data.Type, is URL.Type, is Decimal.Type: try foundation(type)
        default: try Value(from: PayloadDecoder(self))
        }
    }

    /// Decodes the value with Foundation, which has its own forms of a few types.
    private func foundation<Value: Decodable>(_ type: Value.Type) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(bytes[range]))
        } catch DecodingError.dataCorrupted(let inner) {
            throw DecodingError.dataCorrupted(context(inner.debugDescription))
        } catch {
            throw mismatch(type)
        }
    }
}

/// The members of a JSON object.
private struct JSONMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let members: [JSONScanner.Member]
    private let object: JSONFragment
    private let path: JSONPath?

    init(_ members: [JSONScanner.Member], _ object: JSONFragment) {
        self.members = members
        self.object = object
        path = object.path
    }

    var codingPath: [any CodingKey] { object.codingPath }
    var allKeys: [Key] { members.compactMap { Key(stringValue: String(decoding: object.bytes[$0.name], as: UTF8.self)) } }

    private func range(of key: Key) -> Range<Int>? {
        let text = key.stringValue.utf8
        let name = text.span
        var hash = JSONScanner.Hash()
        for index in name.indices { hash.combine(name[index]) }
        let bytes = object.bytes.span
        for member in members where member.hash == hash.value && bytes.holds(name, at: member.name) { return member.value }
        return nil
    }

    private func present(_ key: Key) -> JSONFragment? {
        guard let range = range(of: key), object.bytes[range.lowerBound] != UInt8(ascii: "n") else { return nil }
        return JSONFragment(range, in: object.bytes, key, of: path)
    }

    private func value(_ key: Key) throws -> JSONFragment {
        guard let range = range(of: key) else {
            let context = DecodingError.Context(codingPath: codingPath, debugDescription: "The member is missing.")
            throw DecodingError.keyNotFound(key, context)
        }
        return JSONFragment(range, in: object.bytes, key, of: path)
    }

    func contains(_ key: Key) -> Bool { range(of: key) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try value(key).decodeNil() }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(key).decode(type) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try value(key).decode(type) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try value(key).decode(type) }
    func decode<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type, forKey key: Key) throws -> Integer {
        try value(key).decode(type)
    }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try value(key).decode(type) }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try present(key)?.decode(type) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try present(key)?.decode(type) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try present(key)?.decode(type) }
    func decodeIfPresent<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type, forKey key: Key) throws -> Integer? {
        try present(key)?.decode(type)
    }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? { try present(key)?.decode(type) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try PayloadDecoder(value(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try PayloadDecoder(value(key)).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { PayloadDecoder(object) }
    func superDecoder(forKey key: Key) throws -> any Decoder { PayloadDecoder(try value(key)) }
}

/// The elements of a JSON array.
private struct JSONElements: UnkeyedDecodingContainer {
    private let elements: [Range<Int>]
    private let array: JSONFragment
    private let path: JSONPath?
    private(set) var currentIndex = 0

    init(_ elements: [Range<Int>], _ array: JSONFragment) {
        self.elements = elements
        self.array = array
        path = array.path
    }

    var codingPath: [any CodingKey] { array.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    private func current(_ type: Any.Type) throws -> JSONFragment {
        guard !isAtEnd else {
            let path = codingPath + [JSONIndex(intValue: currentIndex)]
            let context = DecodingError.Context(codingPath: path, debugDescription: "The array has no more elements.")
            throw DecodingError.valueNotFound(type, context)
        }
        return JSONFragment(elements[currentIndex], in: array.bytes, JSONIndex(intValue: currentIndex), of: path)
    }

    /// Decodes the current element, and continues with the next one only if that succeeds.
    private mutating func next<Value>(_ type: Any.Type, _ decode: (JSONFragment) throws -> Value) throws -> Value {
        let value = try decode(try current(type))
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        guard try current(Any?.self).decodeNil() else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try next(type) { try $0.decode(type) } }
    mutating func decode(_ type: String.Type) throws -> String { try next(type) { try $0.decode(type) } }
    mutating func decode(_ type: Double.Type) throws -> Double { try next(type) { try $0.decode(type) } }
    mutating func decode(_ type: Float.Type) throws -> Float { try next(type) { try $0.decode(type) } }
    mutating func decode<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type) throws -> Integer {
        try next(type) { try $0.decode(type) }
    }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next(type) { try $0.decode(type) } }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        try next(type) { try PayloadDecoder($0).container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next([Any].self) { try PayloadDecoder($0).unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try next((any Decoder).self) { PayloadDecoder($0) } }
}
