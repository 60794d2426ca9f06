import PurchaseModel

extension CertificateOutline {
    /// From when to when it is valid.
    func validity(_ bytes: Span<UInt8>) throws(ReadFault) -> ClosedRange<Timestamp> {
        var reader = BERReader(validity)
        let outer = try reader.open(BERTag.sequence, bytes)
        let start = try Self.time(&reader, bytes)
        let end = try Self.time(&reader, bytes)
        try reader.close(outer, bytes)
        guard start <= end else { throw ReadFault(.value, at: validity.lowerBound) }
        return start...end
    }

    /// Whether it has that extension, holding a DER NULL.
    func hasMarker(_ marker: [UInt8], _ bytes: Span<UInt8>) -> Bool {
        (try? finds(marker, bytes)) ?? false
    }

    /// Reads `[3] SEQUENCE OF SEQUENCE { OBJECT IDENTIFIER, BOOLEAN critical, OCTET STRING value }`.
    private func finds(_ marker: [UInt8], _ bytes: Span<UInt8>) throws(ReadFault) -> Bool {
        var reader = BERReader(rest)
        while let tag = reader.peek(bytes), tag != BERTag.context(3) { _ = try reader.skip(bytes) }
        _ = try reader.open(BERTag.context(3), bytes)
        _ = try reader.open(BERTag.sequence, bytes)
        while !reader.isAtEnd(bytes) {
            let outer = try reader.open(BERTag.sequence, bytes)
            let identifier = try reader.primitive(BERTag.objectIdentifier, bytes)
            if reader.peek(bytes) == BERTag.boolean { _ = try reader.skip(bytes) }
            let value = try reader.primitive(BERTag.octetString, bytes)
            if bytes.holds(marker, at: identifier) { return bytes.holds([BERTag.null, 0], at: value) }
            try reader.close(outer, bytes)
        }
        return false
    }

    /// Reads a UTCTime, `YYMMDDhhmmssZ`, or a GeneralizedTime, whose year has four digits.
    private static func time(_ reader: inout BERReader, _ bytes: Span<UInt8>) throws(ReadFault) -> Timestamp {
        let start = reader.position
        let isShort = reader.peek(bytes) == BERTag.utcTime
        let content = try reader.primitive(isShort ? BERTag.utcTime : BERTag.generalizedTime, bytes)
        var text = ""
        for place in content { text.unicodeScalars.append(Unicode.Scalar(bytes[place])) }
        // RFC 5280, 4.1.2.5.1: years from 50 on are of the 20th century.
        if isShort { text = (text < "50" ? "20" : "19") + text }
        let digits = Array(text)
        guard digits.count == 15,
            let time = Timestamp(
                rfc3339: "\(String(digits[0..<4]))-\(String(digits[4..<6]))-\(String(digits[6..<8]))T"
                    + "\(String(digits[8..<10])):\(String(digits[10..<12])):\(String(digits[12...]))"
            )
        else { throw ReadFault(.date, at: start) }
        return time
    }
}
