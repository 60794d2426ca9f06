import PurchaseModel

/// The ranges of the fields of an X.509 certificate in DER, parsed and not verified.
///
/// ```
/// Certificate ::= SEQUENCE { SEQUENCE { [0] version, serialNumber, signature, issuer, SEQUENCE { notBefore, notAfter },
///   subject, subjectPublicKeyInfo, …, [3] extensions }, signatureAlgorithm, signature BIT STRING }
/// ```
struct CertificateOutline {
    /// The range of the part that the issuer's signature covers (`tbsCertificate`).
    let signed: Range<Int>
    /// The range of the content octets of the serial number.
    let serial: Range<Int>
    /// The range of the content octets of the signature algorithm's OBJECT IDENTIFIER, as the signed part states it.
    let signedAlgorithm: Range<Int>
    /// The range of the issuer's name.
    let issuer: Range<Int>
    /// The range of the SEQUENCE with the two dates between which the certificate is valid.
    let validity: Range<Int>
    /// The range of the subject's name.
    let subject: Range<Int>
    /// The range of the subject's public key (`subjectPublicKeyInfo`).
    let publicKey: Range<Int>
    /// The range of the fields after the public key, including the extensions.
    let rest: Range<Int>
    /// The range of the content octets of the signature algorithm's OBJECT IDENTIFIER, as stated after the signed part.
    let algorithm: Range<Int>
    /// The range of the octets of the issuer's signature.
    let signature: Range<Int>

    /// Parses the certificate that occupies a range of the bytes.
    ///
    /// - Throws: When the bytes are not a certificate, or when bytes follow the certificate in the range.
    init(_ range: Range<Int>, _ bytes: Span<UInt8>) throws(ParseError) {
        var reader = BERReader(range)
        let certificate = try reader.open(BERTag.sequence, bytes)
        let start = reader.position
        let toBeSigned = try reader.open(BERTag.sequence, bytes)
        if reader.peek(bytes) == BERTag.context(0) { _ = try reader.skip(bytes) }
        serial = try reader.primitive(BERTag.integer, bytes)
        signedAlgorithm = try reader.algorithm(bytes)
        issuer = try reader.skip(bytes)
        validity = try reader.skip(bytes)
        subject = try reader.skip(bytes)
        publicKey = try reader.skip(bytes)
        let end = reader.position
        while !reader.isAtEnd(bytes) { _ = try reader.skip(bytes) }
        rest = end..<reader.position
        try reader.close(toBeSigned, bytes)
        signed = start..<reader.position
        algorithm = try reader.algorithm(bytes)
        let bits = try reader.primitive(BERTag.bitString, bytes)
        // The first octet of a BIT STRING is the number of unused bits in its last octet. A signature has none.
        guard let unused = bits.first, bytes[unused] == 0 else { throw ParseError(.value, at: bits.lowerBound) }
        signature = bits.dropFirst()
        try reader.close(certificate, bytes)
        guard reader.isAtEnd(bytes) else { throw ParseError(.excess, at: reader.position) }
    }
}

extension CertificateOutline {
    /// Returns the period in which the certificate is valid, in whole seconds.
    func validity(_ bytes: Span<UInt8>) throws(ParseError) -> ClosedRange<Timestamp> {
        var reader = BERReader(validity)
        let outer = try reader.open(BERTag.sequence, bytes)
        let start = try Self.time(&reader, bytes)
        let end = try Self.time(&reader, bytes)
        try reader.close(outer, bytes)
        guard start <= end else { throw ParseError(.value, at: validity.lowerBound) }
        return start...end
    }

    /// Returns whether the certificate has the extension `marker`, with a DER NULL as its value.
    ///
    /// - Parameters:
    ///   - marker: The content octets of the extension's OBJECT IDENTIFIER.
    ///   - bytes: The bytes from which the certificate was parsed.
    func hasMarker(_ marker: [UInt8], _ bytes: Span<UInt8>) -> Bool {
        (try? findMarker(marker, bytes)) ?? false
    }

    /// Returns whether the certificate has the extension `marker`, with a DER NULL as its value.
    ///
    /// The extensions are `[3] SEQUENCE OF SEQUENCE { OBJECT IDENTIFIER, BOOLEAN critical, OCTET STRING value }`.
    private func findMarker(_ marker: [UInt8], _ bytes: Span<UInt8>) throws(ParseError) -> Bool {
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
    private static func time(_ reader: inout BERReader, _ bytes: Span<UInt8>) throws(ParseError) -> Timestamp {
        let start = reader.position
        let isShort = reader.peek(bytes) == BERTag.utcTime
        let content = try reader.primitive(isShort ? BERTag.utcTime : BERTag.generalizedTime, bytes)
        var text = ""
        for place in content { text.unicodeScalars.append(Unicode.Scalar(bytes[place])) }
        // RFC 5280, 4.1.2.5.1: a UTCTime with the year 50 or later is a date of the 20th century.
        if isShort { text = (text < "50" ? "20" : "19") + text }
        let digits = Array(text)
        guard digits.count == 15,
            let time = Timestamp(
                rfc3339: "\(String(digits[0..<4]))-\(String(digits[4..<6]))-\(String(digits[6..<8]))T"
                    + "\(String(digits[8..<10])):\(String(digits[10..<12])):\(String(digits[12...]))"
            )
        else { throw ParseError(.date, at: start) }
        return time
    }
}
