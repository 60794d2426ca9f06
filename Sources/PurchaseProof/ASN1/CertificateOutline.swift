/// Where the parts of a certificate lie, for those who need no more than bytes.
///
/// ```
/// Certificate ::= SEQUENCE { SEQUENCE { [0] version, serialNumber, signature, issuer, SEQUENCE { notBefore, notAfter },
///   subject, subjectPublicKeyInfo, …, [3] extensions }, signatureAlgorithm, signature BIT STRING }
/// ```
struct CertificateOutline {
    /// What the issuer signed.
    let signed: Range<Int>
    /// The content of the serial number.
    let serial: Range<Int>
    /// The content of the OBJECT IDENTIFIER of the issuer's signature algorithm, as the issuer signed it.
    let signedAlgorithm: Range<Int>
    /// The issuer's name.
    let issuer: Range<Int>
    /// The value that holds both ends of its validity.
    let validity: Range<Int>
    /// The name of whoever it certifies.
    let subject: Range<Int>
    /// The key.
    let publicKey: Range<Int>
    /// What follows the key, the extensions among it.
    let rest: Range<Int>
    /// The same content, outside of what is signed.
    let algorithm: Range<Int>
    /// The issuer's signature.
    let signature: Range<Int>

    /// Reads the certificate that those bytes are, from end to end.
    init(_ range: Range<Int>, _ bytes: Span<UInt8>) throws(ReadFault) {
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
        // The first octet of a BIT STRING counts the bits that do not belong to it.
        guard let unused = bits.first, bytes[unused] == 0 else { throw ReadFault(.value, at: bits.lowerBound) }
        signature = bits.dropFirst()
        try reader.close(certificate, bytes)
        guard reader.isAtEnd(bytes) else { throw ReadFault(.excess, at: reader.position) }
    }
}
