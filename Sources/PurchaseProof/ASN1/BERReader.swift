/// Reads BER from left to right, a value at a time, and takes nothing from the bytes but numbers.
///
/// Apple's receipts are DER. Xcode's have indefinite lengths, which end with two zero bytes, and strings in chunks. Both are read
/// in one pass: no byte is looked at twice, nothing is allocated, and values lie in each other at most ``maximumDepth`` deep.
///
/// The bytes are an argument of each call, because a `Span` can't be kept in a value yet; they must be the same in all of them.
struct BERReader {
    /// How many values may lie in each other; the certificates of Apple's containers are at 4.
    static let maximumDepth = 16

    /// Where the next value begins.
    private(set) var position: Int
    /// Whether all lengths were definite and all strings in one piece so far.
    private(set) var isDefinite = true

    private var frame: Frame
    private var depth = 0

    /// The value that is being read the parts of.
    struct Frame {
        /// Where it ends, or where the definite one around it ends.
        fileprivate var end: Int
        /// Whether two zero bytes end it.
        fileprivate var isIndefinite = false
    }

    /// Starts at the beginning of those bytes.
    init(_ range: Range<Int>) {
        position = range.lowerBound
        frame = Frame(end: range.upperBound)
    }

    /// Whether the value that was opened last has no further part.
    @inline(__always)
    func isAtEnd(_ bytes: Span<UInt8>) -> Bool {
        guard frame.isIndefinite else { return position == frame.end }
        return frame.end - position >= 2 && bytes[position] == 0 && bytes[position + 1] == 0
    }

    /// The identifier octet of the next part; nil when there is none.
    func peek(_ bytes: Span<UInt8>) -> UInt8? {
        isAtEnd(bytes) || position >= frame.end ? nil : bytes[position]
    }

    /// Goes into the next value, which is of that type.
    ///
    /// - Returns: What ``close(_:_:)`` needs to come out again.
    @inline(__always)
    mutating func open(_ tag: UInt8, _ bytes: Span<UInt8>) throws(ReadFault) -> Frame {
        let start = position
        let head = try head(bytes)
        guard head.tag == tag else { throw ReadFault(.type, at: start) }
        guard depth < Self.maximumDepth else { throw ReadFault(.depth, at: start) }
        depth += 1
        let outer = frame
        if head.length == Self.indefinite {
            frame.isIndefinite = true
        } else {
            frame = Frame(end: position + head.length)
        }
        return outer
    }

    /// Comes out of a value, in which nothing must be left.
    @inline(__always)
    mutating func close(_ outer: Frame, _ bytes: Span<UInt8>) throws(ReadFault) {
        guard isAtEnd(bytes) else { throw ReadFault(position < frame.end ? .excess : .truncated, at: position) }
        if frame.isIndefinite { position += 2 }
        frame = outer
        depth -= 1
    }

    /// Reads a value of that type which is in one piece.
    ///
    /// - Returns: Where its content lies.
    @inline(__always)
    mutating func primitive(_ tag: UInt8, _ bytes: Span<UInt8>) throws(ReadFault) -> Range<Int> {
        let start = position
        let head = try head(bytes)
        guard head.tag == tag, head.length >= 0 else { throw ReadFault(.type, at: start) }
        let content = position
        position += head.length
        return content..<position
    }

    /// Passes a value by, whatever it is.
    ///
    /// - Returns: Where it lies, identifier and length included.
    mutating func skip(_ bytes: Span<UInt8>) throws(ReadFault) -> Range<Int> {
        let start = position
        // Definite values are passed by unread, so only indefinite ones can lie in each other here.
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
                guard depth + open <= Self.maximumDepth else { throw ReadFault(.depth, at: position) }
            } else {
                position += head.length
            }
        } while open > 0
        return start..<position
    }

    /// Reads an INTEGER of 64 bits.
    @inline(__always)
    mutating func integer(_ bytes: Span<UInt8>) throws(ReadFault) -> Int64 {
        try Self.integer(primitive(BERTag.integer, bytes), bytes)
    }

    /// What the content of an INTEGER says.
    @inline(__always)
    static func integer(_ content: Range<Int>, _ bytes: Span<UInt8>) throws(ReadFault) -> Int64 {
        guard (1...8).contains(content.count) else { throw ReadFault(.integer, at: content.lowerBound) }
        var value = Int64(Int8(bitPattern: bytes[content.lowerBound]))
        guard content.count > 1 else { return value }
        let second = bytes[content.lowerBound + 1]
        // The first nine bits must not all be the same.
        guard value != (second & 0x80 == 0 ? 0 : -1) else { throw ReadFault(.integer, at: content.lowerBound) }
        for place in content.lowerBound + 1..<content.upperBound {
            value = value << 8 | Int64(bytes[place])
        }
        return value
    }

    /// How many bytes there are to the end of the innermost value whose length is known.
    @inline(__always)
    var remaining: Int { frame.end - position }

    /// Goes on from a place that the caller has found to be the end of a whole value.
    @inline(__always)
    mutating func move(to place: Int) {
        position = place
    }

    /// Takes down that a string came in chunks.
    mutating func isInChunks() {
        isDefinite = false
    }

    private static let indefinite = -1

    /// Reads identifier and length, after which the content lies whole within the bytes.
    @inline(__always)
    private mutating func head(_ bytes: Span<UInt8>) throws(ReadFault) -> (tag: UInt8, length: Int) {
        let start = position
        guard frame.end - start >= 2 else { throw ReadFault(.truncated, at: start) }
        let tag = bytes[start]
        let first = bytes[start + 1]
        // Zero ends an indefinite length and is no value. Nothing that is read here has a type number above 30.
        guard tag != 0, tag & 0x1F != 0x1F else { throw ReadFault(.type, at: start) }
        position = start + 2
        guard first >= 0x80 else {
            guard Int(first) <= frame.end - position else { throw ReadFault(.truncated, at: start) }
            return (tag, Int(first))
        }
        return (tag, try longLength(first, tag, bytes))
    }

    /// Reads a length of more than one byte.
    private mutating func longLength(_ first: UInt8, _ tag: UInt8, _ bytes: Span<UInt8>) throws(ReadFault) -> Int {
        let start = position - 2
        let count = Int(first & 0x7F)
        guard count > 0 else {
            // Only what is made of parts can have an indefinite length.
            guard tag & 0x20 != 0 else { throw ReadFault(.length, at: start) }
            isDefinite = false
            return Self.indefinite
        }
        guard count <= 8 else { throw ReadFault(.length, at: start) }
        guard count <= frame.end - position else { throw ReadFault(.truncated, at: start) }
        var length: UInt64 = 0
        for place in position..<position + count {
            length = length << 8 | UInt64(bytes[place])
        }
        position += count
        guard length <= UInt64(frame.end - position) else { throw ReadFault(.truncated, at: start) }
        return Int(length)
    }
}
