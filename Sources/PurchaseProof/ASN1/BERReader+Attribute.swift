extension BERReader {
    /// Reads an attribute of a purchase in the form that nearly all of them have: a type of two bytes, a version of one, and
    /// octets in one piece, so few that every length is one byte.
    ///
    /// ```
    /// 30 LL  02 02 06 TT  02 01 VV  04 NN …
    /// ```
    ///
    /// It is what ``ReceiptAttributes`` would read step by step, ten times as fast: a long receipt has a million of them.
    ///
    /// - Returns: Nil, with nothing read, when the attribute has another form.
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
