/// Reads BER from left to right, one value at a time, and returns the ranges of values and the numbers of INTEGERs.
///
/// Apple's receipts are DER. Xcode's receipts have values of indefinite length, which end with two zero bytes, and strings that consist of
/// chunks. The reader reads both in one pass without allocations. It refuses values that are nested deeper than ``maximumDepth``.
///
/// The bytes are an argument of each method, because a structure cannot store a `Span` yet. Pass the same bytes to all methods.
struct BERReader {
    /// The maximum number of values that can be open at the same time.
    ///
    /// The certificates in Apple's receipts are at depth 4.
    static let maximumDepth = 16

    /// The offset in bytes of the next value.
    private(set) var position: Int
    /// Whether all values that were read so far have definite lengths, and none of them is a string of chunks.
    private(set) var isDefinite = true

    private var frame: Frame
    private var depth = 0

    /// An open value: a constructed value whose parts are being read.
    struct Frame {
        /// The offset at which the value ends; for a value of indefinite length, that of the innermost enclosing value of definite length.
        fileprivate var end: Int
        /// Whether the value has an indefinite length, so that two zero bytes end it.
        fileprivate var isIndefinite = false
    }

    /// Creates a reader for the values in a range of the bytes.
    init(_ range: Range<Int>) {
        position = range.lowerBound
        frame = Frame(end: range.upperBound)
    }

    /// Returns whether all parts of the innermost open value have been read.
    @inline(__always)
    func isAtEnd(_ bytes: Span<UInt8>) -> Bool {
        guard frame.isIndefinite else { return position == frame.end }
        return frame.end - position >= 2 && bytes[position] == 0 && bytes[position + 1] == 0
    }

    /// Returns the identifier octet of the next value without reading it; nil at the end of the innermost open value.
    func peek(_ bytes: Span<UInt8>) -> UInt8? {
        isAtEnd(bytes) || position >= frame.end ? nil : bytes[position]
    }

    /// Opens the next value, so that its parts are read next.
    ///
    /// - Parameters:
    ///   - tag: The identifier octet that the value must have.
    ///   - bytes: The bytes that the reader reads.
    /// - Returns: The enclosing value, which is the argument for ``close(_:_:)``.
    /// - Throws: When the value has another identifier octet, is truncated, or is nested too deeply.
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

    /// Closes the innermost open value, all of whose parts must have been read.
    ///
    /// - Parameters:
    ///   - outer: The enclosing value, which ``open(_:_:)`` returned.
    ///   - bytes: The bytes that the reader reads.
    /// - Throws: When the value has further parts, or is truncated.
    @inline(__always)
    mutating func close(_ outer: Frame, _ bytes: Span<UInt8>) throws(ParseError) {
        guard isAtEnd(bytes) else { throw ParseError(position < frame.end ? .excess : .truncated, at: position) }
        if frame.isIndefinite { position += 2 }
        frame = outer
        depth -= 1
    }

    /// Reads a primitive value with the identifier octet `tag`.
    ///
    /// - Returns: The range of the value's content.
    /// - Throws: When the value has another identifier octet, has an indefinite length, or is truncated.
    @inline(__always)
    mutating func primitive(_ tag: UInt8, _ bytes: Span<UInt8>) throws(ParseError) -> Range<Int> {
        let start = position
        let head = try head(bytes)
        guard head.tag == tag, head.length >= 0 else { throw ParseError(.type, at: start) }
        let content = position
        position += head.length
        return content..<position
    }

    /// Skips the next value, which can have any type.
    ///
    /// - Returns: The range of the value, including its identifier and length octets.
    mutating func skip(_ bytes: Span<UInt8>) throws(ParseError) -> Range<Int> {
        let start = position
        // Counts the open values of indefinite length. A value of definite length is skipped as a whole, so its parts are not visited.
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

    /// Reads an INTEGER of at most 64 bits.
    @inline(__always)
    mutating func integer(_ bytes: Span<UInt8>) throws(ParseError) -> Int64 {
        try Self.integer(primitive(BERTag.integer, bytes), bytes)
    }

    /// Returns the number that the content octets of an INTEGER represent.
    ///
    /// - Throws: When the number has more than 64 bits, or is not in its shortest form.
    @inline(__always)
    static func integer(_ content: Range<Int>, _ bytes: Span<UInt8>) throws(ParseError) -> Int64 {
        guard (1...8).contains(content.count) else { throw ParseError(.integer, at: content.lowerBound) }
        var value = Int64(Int8(bitPattern: bytes[content.lowerBound]))
        guard content.count > 1 else { return value }
        let second = bytes[content.lowerBound + 1]
        // The shortest form (X.690, 8.3.2): the first nine bits must not all be equal.
        guard value != (second & 0x80 == 0 ? 0 : -1) else { throw ParseError(.integer, at: content.lowerBound) }
        for place in content.lowerBound + 1..<content.upperBound {
            value = value << 8 | Int64(bytes[place])
        }
        return value
    }

    /// The number of unread bytes in the innermost open value of definite length.
    @inline(__always)
    var remaining: Int { frame.end - position }

    /// Continues reading at an offset, at which the caller has found the end of a value.
    @inline(__always)
    mutating func move(to place: Int) {
        position = place
    }

    /// Records that the bytes contain a string of chunks, so that ``isDefinite`` is false.
    mutating func markChunked() {
        isDefinite = false
    }

    private static let indefinite = -1

    /// Reads the identifier and length octets of the next value, and checks that the content lies within the innermost open value.
    ///
    /// The returned length is -1 for a value of indefinite length.
    @inline(__always)
    private mutating func head(_ bytes: Span<UInt8>) throws(ParseError) -> (tag: UInt8, length: Int) {
        let start = position
        guard frame.end - start >= 2 else { throw ParseError(.truncated, at: start) }
        let tag = bytes[start]
        let first = bytes[start + 1]
        // A zero byte is no identifier: two of them end a value of indefinite length. No supported type has a tag number above 30.
        guard tag != 0, tag & 0x1F != 0x1F else { throw ParseError(.type, at: start) }
        position = start + 2
        guard first >= 0x80 else {
            guard Int(first) <= frame.end - position else { throw ParseError(.truncated, at: start) }
            return (tag, Int(first))
        }
        return (tag, try longLength(first, tag, bytes))
    }

    /// Reads the rest of a length that has several octets or is indefinite, after its first octet.
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
    /// - Returns: The range of the content octets of the algorithm's OBJECT IDENTIFIER.
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
    /// Reads an attribute of a receipt's purchase, if it has the usual encoding.
    ///
    /// In the usual encoding, the type has two bytes of which the first is 6 (types 1536 to 1791), the version has one byte, the value is a
    /// primitive OCTET STRING, and all lengths have one byte:
    ///
    /// ```
    /// 30 LL  02 02 06 TT  02 01 VV  04 NN …
    /// ```
    ///
    /// The method returns the same values as the general code of ``ReceiptAttributes``, ten times as fast. A long receipt can have a
    /// million of these attributes.
    ///
    /// - Returns: The attribute; nil, without reading anything, when the attribute has another encoding.
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

/// The content of an OCTET STRING.
enum BEROctets {
    /// The content is a range of the bytes that a ``BERReader`` reads.
    case piece(Range<Int>)
    /// The content consists of several chunks, which were copied and joined.
    case joined([UInt8])
}

extension BERReader {
    /// Reads an OCTET STRING: a primitive one, or one of chunks, which can consist of chunks themselves.
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

    /// Appends the chunks of the next OCTET STRING to `octets`, which remain a range of the bytes as long as there is a single chunk.
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
