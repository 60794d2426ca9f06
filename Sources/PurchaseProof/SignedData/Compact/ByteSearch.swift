import Foundation

extension [UInt8] {
    /// Where the byte is first found in a range of the array.
    ///
    /// `memchr` looks at many bytes at once; a plain loop over a token costs more than decoding it.
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
    /// Whether the slice holds those bytes and no others.
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
