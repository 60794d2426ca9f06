import Foundation

extension Span<UInt8> {
    /// Whether the bytes at a range equal others.
    func holds(_ other: Span<UInt8>, at range: Range<Int>) -> Bool {
        guard range.count == other.count else { return false }
        for place in 0..<other.count where self[range.lowerBound + place] != other[place] { return false }
        return true
    }

    /// Whether the bytes at a range equal octets.
    func holds(_ other: [UInt8], at range: Range<Int>) -> Bool {
        holds(other.span, at: range)
    }

    /// Whether the bytes at two ranges are equal.
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

    /// Whether all bytes at a range are below 128.
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

    /// Eight bytes as a number, the first of them in its lowest bits.
    @inline(__always)
    func word(_ place: Int) -> UInt64 {
        // The call checks its bounds. It is unsafe only for types with invalid bit patterns.
        UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self))
    }
}

extension [UInt8] {
    /// The first index of a byte in a range of the array.
    ///
    /// `memchr` compares many bytes at once. A plain loop over a token costs more than decoding it.
    func first(_ byte: UInt8, in range: Range<Int>) -> Int? {
        unsafe withUnsafeBytes { all in
            // Safe: the range is cut to the array.
            let range = range.clamped(to: 0..<all.count)
            guard !range.isEmpty, let start = all.baseAddress,
                let found = unsafe memchr(start + range.lowerBound, Int32(byte), range.count)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - start
        }
    }
}

extension ArraySlice<UInt8> {
    /// Whether the slice equals an array.
    func holds(_ bytes: [UInt8]) -> Bool {
        guard count == bytes.count else { return false }
        return unsafe withUnsafeBytes { mine in
            unsafe bytes.withUnsafeBytes { others in
                guard let mine = mine.baseAddress, let others = others.baseAddress else { return true }
                // Safe: both have that many bytes.
                return unsafe memcmp(mine, others, bytes.count) == 0
            }
        }
    }
}
