import FoundationExtras

/// Checks that bytes are one unambiguous JSON object, and finds its members.
///
/// The rules are those of RFC 8259 with those that RFC 7493 adds. Duplicate members are refused at every level, because two parsers could
/// use different values of them. A member name must be ASCII without escapes: not every parser compares an escaped `\u0061lg` equal to
/// `alg`, and Swift compares a name with the Kelvin sign equal to the name with a K. The App Store writes no such names.
///
/// ``PayloadDecoder`` decodes the scanned object afterwards. `JSONDecoder` and `JSONReader` accept duplicate members and escaped names, as
/// the files of a developer may have, and state no path of an error, so neither could replace this scan.
struct JSONScanner {
    /// The maximum nesting depth of objects and arrays.
    ///
    /// The deepest known payload of the App Store has five levels.
    static let maximumDepth = 16
    /// The maximum number of members of an object.
    ///
    /// The largest known object of the App Store has about forty members.
    static let maximumMembers = 256

    /// A member of the outermost object, as ranges of the scanned bytes.
    struct Member {
        /// The range of the name, without its quotation marks.
        let name: Range<Int>
        /// The range of the value; the range of a string includes its quotation marks.
        let value: Range<Int>
        /// The hash of the name.
        let hash: UInt64
    }

    /// The FNV-1a hash of the name of a member.
    ///
    /// Two names are compared byte by byte only when their hashes are equal.
    struct Hash {
        private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

        mutating func combine(_ byte: UInt8) {
            value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
        }
    }

    /// The members of the outermost object, in their order.
    private(set) var members: [Member] = []

    /// The bytes that contain the object.
    let bytes: [UInt8]
    /// The elements of the outermost array.
    private var elements: [Range<Int>] = []
    private var index = 0
    /// The names of the members that were scanned in the open objects; the names of the innermost object are last.
    private var names: [Name] = []

    private struct Name {
        let hash: UInt64
        let range: Range<Int>
    }

    /// An error in the scanned JSON, with the path of the member that contains it, such as `.data.bundleId`.
    struct ScanError: Error {
        let reason: Refusal.Reason
        var path = ""
        let offset: Int
        let detail: String

        /// Returns the refusal of the JWS part (`header` or `payload`) that contains the error.
        func refusal(in part: String) -> Refusal {
            Refusal(reason, at: part + path, offset: offset, detail)
        }
    }

    /// Scans the bytes of a JSON object.
    ///
    /// - Throws: When the bytes are not one unambiguous JSON object, or when the object exceeds a limit.
    init(_ bytes: [UInt8]) throws(ScanError) {
        self.bytes = bytes
        members.reserveCapacity(32)
        names.reserveCapacity(64)
        if Self.hasNonASCII(bytes.span), String(validating: bytes, as: UTF8.self) == nil {
            throw scanError("Invalid value: JSON must be UTF-8.")
        }
        skipWhitespace()
        guard next == UInt8(ascii: "{") else {
            throw scanError("Invalid value: the header and the payload of a JWS must each be a JSON object.")
        }
        try object(depth: 1)
        skipWhitespace()
        guard index == bytes.count else { throw scanError("Bytes follow the JSON object.") }
    }

    private init(_ bytes: [UInt8], at index: Int) {
        self.bytes = bytes
        self.index = index
    }

    /// Returns the members of an object in bytes that were scanned before.
    static func members(of object: Range<Int>, in bytes: [UInt8]) throws(ScanError) -> [Member] {
        var scanner = JSONScanner(bytes, at: object.lowerBound)
        try scanner.object(depth: 1)
        return scanner.members
    }

    /// Returns the ranges of the elements of an array in bytes that were scanned before.
    static func elements(of array: Range<Int>, in bytes: [UInt8]) throws(ScanError) -> [Range<Int>] {
        var scanner = JSONScanner(bytes, at: array.lowerBound)
        try scanner.array(depth: 1)
        return scanner.elements
    }

    /// Returns the text in a range of the scanned bytes, such as the range of a member's name or value.
    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// The byte at the current position; 0 at the end of the bytes, because no JSON contains a zero byte.
    private var next: UInt8 { index < bytes.count ? bytes[index] : 0 }

    private mutating func skipWhitespace() {
        while index < bytes.count, bytes[index] <= 0x20, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[index]) { index &+= 1 }
    }

    private mutating func consume(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        index &+= 1
        return true
    }

    private func scanError(_ detail: String, _ reason: Refusal.Reason = .malformed) -> ScanError {
        ScanError(reason: reason, offset: index, detail: detail)
    }

    private mutating func value(depth: Int) throws(ScanError) {
        switch next {
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "{"): try object(depth: depth + 1)
        case UInt8(ascii: "["): try array(depth: depth + 1)
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: try number()
        }
    }

    private mutating func object(depth: Int) throws(ScanError) {
        guard depth <= Self.maximumDepth else {
            throw scanError("JSON objects or arrays are nested too deeply.", .tooLarge(limit: Self.maximumDepth))
        }
        let first = names.count
        index &+= 1
        skipWhitespace()
        if consume(UInt8(ascii: "}")) { return }
        while true {
            let name = try name()
            if names[first...].contains(where: { $0.hash == name.hash && bytes[$0.range] == bytes[name.range] }) {
                throw inside(name.range, scanError("A member of a JSON object occurs twice, so its value is ambiguous."))
            }
            names.append(name)
            guard names.count - first <= Self.maximumMembers else {
                throw scanError("A JSON object has too many members.", .tooLarge(limit: Self.maximumMembers))
            }
            skipWhitespace()
            guard consume(UInt8(ascii: ":")) else { throw scanError("A member of a JSON object has no value.") }
            skipWhitespace()
            let start = index
            do throws(ScanError) { try value(depth: depth) } catch { throw inside(name.range, error) }
            if depth == 1 { members.append(Member(name: name.range, value: start..<index, hash: name.hash)) }
            skipWhitespace()
            if consume(UInt8(ascii: "}")) { break }
            guard consume(UInt8(ascii: ",")) else { throw scanError("A JSON object is not closed.") }
            skipWhitespace()
        }
        names.removeLast(names.count - first)
    }

    private mutating func array(depth: Int) throws(ScanError) {
        guard depth <= Self.maximumDepth else {
            throw scanError("JSON objects or arrays are nested too deeply.", .tooLarge(limit: Self.maximumDepth))
        }
        index &+= 1
        skipWhitespace()
        if consume(UInt8(ascii: "]")) { return }
        var element = 0
        while true {
            let start = index
            do throws(ScanError) { try value(depth: depth) } catch {
                var error = error
                error.path = "[\(element)]" + error.path
                throw error
            }
            if depth == 1 { elements.append(start..<index) }
            element += 1
            skipWhitespace()
            if consume(UInt8(ascii: "]")) { return }
            guard consume(UInt8(ascii: ",")) else { throw scanError("A JSON array is not closed.") }
            skipWhitespace()
        }
    }

    private mutating func name() throws(ScanError) -> Name {
        guard consume(UInt8(ascii: "\"")) else { throw scanError("A member of a JSON object has no name.") }
        let start = index
        var hash = Hash()
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            let byte = bytes[index]
            guard (0x20...0x7E).contains(byte), byte != UInt8(ascii: "\\") else {
                throw scanError("The name of a JSON member contains an escape sequence, a control character or a character outside ASCII.")
            }
            hash.combine(byte)
            index &+= 1
        }
        let end = index
        guard consume(UInt8(ascii: "\"")) else { throw scanError("The name of a JSON member has no closing quotation mark.") }
        return Name(hash: hash.value, range: start..<end)
    }

    private mutating func string() throws(ScanError) {
        index &+= 1
        while true {
            index = bytes.span.endOfPlainJSONText(from: index)
            guard index < bytes.count else { throw scanError("A JSON string has no closing quotation mark.") }
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index &+= 1
                return
            case UInt8(ascii: "\\"): try escape()
            default: throw scanError("A JSON string contains a control character.")
            }
        }
    }

    private mutating func escape() throws(ScanError) {
        index &+= 1
        switch next {
        case UInt8(ascii: "u"):
            let unit = try codeUnit()
            guard !(0xDC00...0xDFFF).contains(unit) else { throw scanError("A JSON string contains half of an escaped surrogate pair.") }
            guard (0xD800...0xDBFF).contains(unit) else { return }
            guard consume(UInt8(ascii: "\\")), next == UInt8(ascii: "u"), try (0xDC00...0xDFFF).contains(codeUnit()) else {
                throw scanError("A JSON string contains half of an escaped surrogate pair.")
            }
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
            UInt8(ascii: "r"), UInt8(ascii: "t"):
            index &+= 1
        default: throw scanError("A JSON string contains an invalid escape sequence.")
        }
    }

    /// Reads the rest of a Unicode escape, which is `u` and four hexadecimal digits, and returns its UTF-16 code unit.
    private mutating func codeUnit() throws(ScanError) -> Int {
        index &+= 1
        var unit = 0
        for _ in 0..<4 {
            guard let digit = Hexadecimal.value(of: next) else {
                throw scanError("A JSON string contains an invalid escape sequence.")
            }
            unit = unit << 4 | Int(digit)
            index &+= 1
        }
        return unit
    }

    private mutating func word(_ word: StaticString) throws(ScanError) {
        for byte in "\(word)".utf8 {
            guard consume(byte) else { throw scanError("The text contains an invalid JSON value.") }
        }
    }

    private mutating func number() throws(ScanError) {
        _ = consume(UInt8(ascii: "-"))
        if !consume(UInt8(ascii: "0")) { try digits() }
        if consume(UInt8(ascii: ".")) { try digits() }
        if consume(UInt8(ascii: "e")) || consume(UInt8(ascii: "E")) {
            if !consume(UInt8(ascii: "+")) { _ = consume(UInt8(ascii: "-")) }
            try digits()
        }
    }

    private mutating func digits() throws(ScanError) {
        let start = index
        while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) { index &+= 1 }
        guard index > start else { throw scanError("The text contains an invalid JSON value.") }
    }

    /// Returns the error with the name of an enclosing member at the beginning of its path.
    ///
    /// A name of other characters than letters and digits is replaced with a question mark, because an attacker can choose the name.
    private func inside(_ name: Range<Int>, _ scanError: ScanError) -> ScanError {
        let isPrintable =
            (1...40).contains(name.count)
            && bytes[name].allSatisfy { Character(UnicodeScalar($0)).isLetter || Character(UnicodeScalar($0)).isNumber }
        var scanError = scanError
        scanError.path = (isPrintable ? ".\(text(name))" : ".?") + scanError.path
        return scanError
    }

    private static func hasNonASCII(_ bytes: Span<UInt8>) -> Bool {
        var seen: UInt8 = 0
        for index in bytes.indices { seen |= bytes[index] }
        return seen >= 0x80
    }
}

extension Span<UInt8> {
    /// Returns the offset of the first quotation mark, backslash or control character from a start, or the count if there is none.
    ///
    /// The method compares eight bytes at once, because most of a JWS header and of a notification consists of long strings.
    fileprivate func endOfPlainJSONText(from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highBits: UInt64 = 0x8080_8080_8080_8080
        var place = start
        while count - place >= 8 {
            let word = word(place)
            let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
            let backslashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
            // A subtraction borrows from the high bit of a byte that is smaller than the subtrahend.
            let found =
                ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes) | ((word &- ones &* 0x20) & ~word)
            // A borrow can also reach the bytes above such a byte, so only the first high bit is exact.
            if found & highBits != 0 { return place + (found & highBits).trailingZeroBitCount / 8 }
            place += 8
        }
        while place < count, self[place] >= 0x20, self[place] != UInt8(ascii: "\""), self[place] != UInt8(ascii: "\\") { place += 1 }
        return place
    }
}
