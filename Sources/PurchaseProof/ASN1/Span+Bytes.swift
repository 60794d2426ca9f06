extension Span<UInt8> {
    /// Whether those bytes lie there.
    func holds(_ other: Span<UInt8>, at range: Range<Int>) -> Bool {
        guard range.count == other.count else { return false }
        for place in 0..<other.count where self[range.lowerBound + place] != other[place] { return false }
        return true
    }

    /// Whether those octets lie there.
    func holds(_ other: [UInt8], at range: Range<Int>) -> Bool {
        holds(other.span, at: range)
    }

    /// Whether the same bytes lie in both places.
    @inline(__always)
    func isSame(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        guard one.count == other.count else { return false }
        guard one.count >= 8 else {
            for place in 0..<one.count where self[one.lowerBound + place] != self[other.lowerBound + place] { return false }
            return true
        }
        var place = 0
        while place < one.count - 8 {
            guard word(one.lowerBound + place) == word(other.lowerBound + place) else { return false }
            place += 8
        }
        return word(one.upperBound - 8) == word(other.upperBound - 8)
    }

    /// Whether all bytes there are below 128.
    @inline(__always)
    func isASCII(_ range: Range<Int>) -> Bool {
        var place = range.lowerBound
        while range.upperBound - place >= 8 {
            guard word(place) & 0x8080_8080_8080_8080 == 0 else { return false }
            place += 8
        }
        while place < range.upperBound {
            guard self[place] < 0x80 else { return false }
            place += 1
        }
        return true
    }

    /// The eight bytes that begin there as a number, the first of them in its lowest bits.
    @inline(__always)
    func word(_ place: Int) -> UInt64 {
        // Checks its bounds; it is called unsafe for types to which not every bit pattern is a value.
        UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self))
    }
}
