/// Reads BER from left to right, one value at a time, and returns ranges and numbers.
///
/// Apple's receipts are DER. Xcode's have indefinite lengths, which end with two zero bytes, and chunked strings. Both are read in one
/// pass without allocations. Values are nested at most ``maximumDepth`` deep.
///
/// The bytes are an argument of each call, because a value cannot store a `Span` yet. Pass the same bytes to all calls.
struct BERReader {
    /// The maximum nesting depth.
    ///
    /// The certificates of Apple's containers are at depth 4.
    static let maximumDepth = 16

    /// The position of the next value.
    private(set) var position: Int
    /// Whether all values so far have definite lengths and all strings so far are primitive rather than constructed.
    private(set) var isDefinite = true

    private var frame: Frame
    private var depth = 0

    /// An open value, whose parts are read.
    struct Frame {
        /// The end of the value, or of the innermost definite value around it.
        fileprivate var end: Int
        /// Whether two zero bytes end the value.
        fileprivate var isIndefinite = false
    }

    /// Creates a reader at the beginning of a range.
    init(_ range: Range<Int>) {
        position = range.lowerBound
        frame = Frame(end: range.upperBound)
    }

    /// Whether the innermost open value has no further part.
    @inline(__always)
    func isAtEnd(_ bytes: Span<UInt8>) -> Bool {
        guard frame.isIndefinite else { return position == frame.end }
        return frame.end - position >= 2 && bytes[position] == 0 && bytes[position + 1] == 0
    }

    /// The identifier octet of the next part; nil at the end.
    func peek(_ bytes: Span<UInt8>) -> UInt8? {
        isAtEnd(bytes) || position >= frame.end ? nil : bytes[position]
    }

    /// Opens the next value, which must have a type.
    ///
    /// - Returns: The argument for ``close(_:_:)``.
    @inline(__always)
    mutating func open(_ tag: UInt8, _ bytes: Span<UInt8>) throws(ParseError) -> Frame {
        let start = position
        let head = try head(bytes)
        guard head.tag == tag else { throw ParseError(.type, at: start) }
        guard depth < Self.maximumDepth else { throw ParseError(.depth, at: start) }
        depth += 1
        let outer = frame
        if head.length == Self.indefinite {
            frame.isIndefinite = true
        } else {
            frame = Frame(end: position + head.length)
        }
        return outer
    }

    /// Closes a value, which must be at its end.
    @inline(__always)
    mutating func close(_ outer: Frame, _ bytes: Span<UInt8>) throws(ParseError) {
        guard isAtEnd(bytes) else { throw ParseError(position < frame.end ? .excess : .truncated, at: position) }
        if frame.isIndefinite { position += 2 }
        frame = outer
        depth -= 1
    }

    /// Reads a primitive value of a type.
    ///
    /// - Returns: The range of its content.
    @inline(__always)
    mutating func primitive(_ tag: UInt8, _ bytes: Span<UInt8>) throws(ParseError) -> Range<Int> {
        let start = position
        let head = try head(bytes)
        guard head.tag == tag, head.length >= 0 else { throw ParseError(.type, at: start) }
        let content = position
        position += head.length
        return content..<position
    }

    /// Skips a value of any type.
    ///
    /// - Returns: The range of the value with its identifier and length.
    mutating func skip(_ bytes: Span<UInt8>) throws(ParseError) -> Range<Int> {
        let start = position
        // Definite values are skipped whole, so only indefinite ones are nested here.
        var open = 0
        repeat {
            if open > 0, frame.end - position >= 2, bytes[position] == 0, bytes[position + 1] == 0 {
                position += 2
                open -= 1
                continue
            }
            let head = try head(bytes)
            if head.length == Self.indefinite {
                open += 1
                guard depth + open <= Self.maximumDepth else { throw ParseError(.depth, at: position) }
            } else {
                position += head.length
            }
        } while open > 0
        return start..<position
    }

    /// Reads an INTEGER of 64 bits.
    @inline(__always)
    mutating func integer(_ bytes: Span<UInt8>) throws(ParseError) -> Int64 {
        try Self.integer(primitive(BERTag.integer, bytes), bytes)
    }

    /// The number that the content of an INTEGER represents.
    @inline(__always)
    static func integer(_ content: Range<Int>, _ bytes: Span<UInt8>) throws(ParseError) -> Int64 {
        guard (1...8).contains(content.count) else { throw ParseError(.integer, at: content.lowerBound) }
        var value = Int64(Int8(bitPattern: bytes[content.lowerBound]))
        guard content.count > 1 else { return value }
        let second = bytes[content.lowerBound + 1]
        // The first nine bits must not all be the same.
        guard value != (second & 0x80 == 0 ? 0 : -1) else { throw ParseError(.integer, at: content.lowerBound) }
        for place in content.lowerBound + 1..<content.upperBound {
            value = value << 8 | Int64(bytes[place])
        }
        return value
    }

    /// The number of bytes to the end of the innermost value with a definite length.
    @inline(__always)
    var remaining: Int { frame.end - position }

    /// Continues at a position that the caller knows to be the end of a value.
    @inline(__always)
    mutating func move(to place: Int) {
        position = place
    }

    /// Records that a string is chunked.
    mutating func markChunked() {
        isDefinite = false
    }

    private static let indefinite = -1

    /// Reads identifier and length, and ensures that the content is within the bytes.
    @inline(__always)
    private mutating func head(_ bytes: Span<UInt8>) throws(ParseError) -> (tag: UInt8, length: Int) {
        let start = position
        guard frame.end - start >= 2 else { throw ParseError(.truncated, at: start) }
        let tag = bytes[start]
        let first = bytes[start + 1]
        // Zero ends an indefinite length and is no value. No supported type has a number above 30.
        guard tag != 0, tag & 0x1F != 0x1F else { throw ParseError(.type, at: start) }
        position = start + 2
        guard first >= 0x80 else {
            guard Int(first) <= frame.end - position else { throw ParseError(.truncated, at: start) }
            return (tag, Int(first))
        }
        return (tag, try longLength(first, tag, bytes))
    }

    /// Reads a length of more than one byte.
    private mutating func longLength(_ first: UInt8, _ tag: UInt8, _ bytes: Span<UInt8>) throws(ParseError) -> Int {
        let start = position - 2
        let count = Int(first & 0x7F)
        guard count > 0 else {
            // Only a constructed value can have an indefinite length.
            guard tag & 0x20 != 0 else { throw ParseError(.length, at: start) }
            isDefinite = false
            return Self.indefinite
        }
        guard count <= 8 else { throw ParseError(.length, at: start) }
        guard count <= frame.end - position else { throw ParseError(.truncated, at: start) }
        var length: UInt64 = 0
        for place in position..<position + count {
            length = length << 8 | UInt64(bytes[place])
        }
        position += count
        guard length <= UInt64(frame.end - position) else { throw ParseError(.truncated, at: start) }
        return Int(length)
    }
}

extension BERReader {
    /// Reads an AlgorithmIdentifier whose parameters are NULL or absent.
    ///
    /// - Returns: The range of the content of its OBJECT IDENTIFIER.
    mutating func algorithm(_ bytes: Span<UInt8>) throws(ParseError) -> Range<Int> {
        let outer = try open(BERTag.sequence, bytes)
        let identifier = try primitive(BERTag.objectIdentifier, bytes)
        if !isAtEnd(bytes) {
            guard try primitive(BERTag.null, bytes).isEmpty else { throw ParseError(.value, at: position) }
        }
        try close(outer, bytes)
        return identifier
    }
}

extension BERReader {
    /// Reads an attribute of a purchase in its usual form.
    ///
    /// The form has a type of two bytes, a version of one byte, and unchunked octets, with lengths of one byte.
    ///
    /// ```
    /// 30 LL  02 02 06 TT  02 01 VV  04 NN …
    /// ```
    ///
    /// The result is that of ``ReceiptAttributes``, ten times as fast. A long receipt has a million attributes.
    ///
    /// - Returns: Nil, without consuming bytes, when the attribute has another form.
    @inline(__always)
    mutating func shortAttribute(_ bytes: Span<UInt8>) -> (type: Int64, version: Int64, octets: Range<Int>)? {
        let start = position
        guard remaining >= 11 else { return nil }
        let word = bytes.word(start)
        let (length, version, count) = (Int(bytes[start + 1]), bytes[start + 8], Int(bytes[start + 10]))
        guard word & 0xFFFF_00FF_FFFF_00FF == 0x0102_0006_0202_0030, bytes[start + 9] == BERTag.octetString, version < 0x80,
            length < 0x80, length == count + 9, remaining >= length + 2
        else { return nil }
        let octets = start + 11..<start + 11 + count
        move(to: octets.upperBound)
        return (0x600 | Int64(truncatingIfNeeded: word >> 40 & 0xFF), Int64(version), octets)
    }
}

/// The octets of an OCTET STRING.
enum BEROctets {
    /// A range of the bytes.
    case piece(Range<Int>)
    /// Joined chunks.
    case joined([UInt8])
}

extension BERReader {
    /// Reads an OCTET STRING, whose chunks may be chunked themselves.
    @inline(__always)
    mutating func octets(_ bytes: Span<UInt8>) throws(ParseError) -> BEROctets {
        if peek(bytes) == BERTag.octetString { return .piece(try primitive(BERTag.octetString, bytes)) }
        return try chunks(bytes)
    }

    private mutating func chunks(_ bytes: Span<UInt8>) throws(ParseError) -> BEROctets {
        var octets: BEROctets?
        try join(&octets, bytes)
        return octets ?? .joined([])
    }

    /// Appends the chunks of the next value to `octets`, which stay a range as long as there is one chunk.
    private mutating func join(_ octets: inout BEROctets?, _ bytes: Span<UInt8>) throws(ParseError) {
        let outer = try open(BERTag.chunkedOctetString, bytes)
        markChunked()
        while !isAtEnd(bytes) {
            guard peek(bytes) == BERTag.octetString else {
                try join(&octets, bytes)
                continue
            }
            let chunk = try primitive(BERTag.octetString, bytes)
            switch octets {
            case nil: octets = .piece(chunk)
            case .piece(let first):
                var joined: [UInt8] = []
                for place in first { joined.append(bytes[place]) }
                for place in chunk { joined.append(bytes[place]) }
                octets = .joined(joined)
            case .joined(var joined):
                octets = nil
                for place in chunk { joined.append(bytes[place]) }
                octets = .joined(joined)
            }
        }
        try close(outer, bytes)
    }
}
