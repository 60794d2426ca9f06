import Foundation

extension Span<UInt8> {
    /// Returns whether the bytes in a range equal the bytes of another span.
    func holds(_ other: Span<UInt8>, at range: Range<Int>) -> Bool {
        guard range.count == other.count else { return false }
        for place in 0..<other.count where self[range.lowerBound + place] != other[place] { return false }
        return true
    }

    /// Returns whether the bytes in a range equal the bytes of an array.
    func holds(_ other: [UInt8], at range: Range<Int>) -> Bool {
        holds(other.span, at: range)
    }

    /// Returns whether the bytes in two ranges of this span are equal.
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

    /// Returns whether all bytes in a range are ASCII characters (below 128).
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

    /// Returns the eight bytes at an offset as a little-endian number.
    @inline(__always)
    func word(_ place: Int) -> UInt64 {
        // Safe: the call checks that the eight bytes are in the span, and every bit pattern is a valid UInt64.
        UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self))
    }
}

extension [UInt8] {
    /// Returns the first index in a range at which the array contains a byte; nil when the range does not contain the byte.
    ///
    /// The method uses `memchr`, which compares many bytes at once. A loop over the bytes of a JWS takes longer than decoding the JWS.
    package func first(_ byte: UInt8, in range: Range<Int>) -> Int? {
        unsafe withUnsafeBytes { all in
            // Safe: the range is limited to the indices of the array.
            let range = range.clamped(to: 0..<all.count)
            guard !range.isEmpty, let start = all.baseAddress,
                let found = unsafe memchr(start + range.lowerBound, Int32(byte), range.count)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - start
        }
    }
}

extension ArraySlice<UInt8> {
    /// Returns whether the slice contains the same bytes as an array.
    package func holds(_ bytes: [UInt8]) -> Bool {
        guard count == bytes.count else { return false }
        return unsafe withUnsafeBytes { mine in
            unsafe bytes.withUnsafeBytes { others in
                guard let mine = mine.baseAddress, let others = others.baseAddress else { return true }
                // Safe: the slice and the array both have `bytes.count` bytes.
                return unsafe memcmp(mine, others, bytes.count) == 0
            }
        }
    }
}
