import PurchaseModel

/// The certificate of a transaction receipt, and the time at which it is judged.
struct TransactionSigner {
    let outline: CertificateOutline
    /// The earliest moment at which the receipt can have been signed.
    let time: Timestamp

    private let signature: TransactionSignature
    private let validity: ClosedRange<Timestamp>

    init(_ signature: TransactionSignature, at purchase: Timestamp) throws(Refusal) {
        let bytes = signature.certificate
        do throws(ReadFault) {
            outline = try CertificateOutline(0..<bytes.count, bytes.span)
            validity = try outline.validity(bytes.span)
        } catch { throw Refusal(error, at: Self.place) }
        time = max(purchase.wholeSeconds, validity.lowerBound)
        self.signature = signature
    }

    /// Throws unless one of those authorities certified the signer for receipts of this kind, and both were valid at that time.
    ///
    /// - Returns: The one that did.
    func prove(by anchors: [TransactionAnchor]) throws(Refusal) -> TransactionAnchor {
        let bytes = signature.certificate
        let named = anchors.filter { $0.name == Array(bytes[outline.issuer]) }
        guard !named.isEmpty else { throw Refusal(.untrustedRoot, at: Self.place) }
        // Authorities of one name may have one key, like those of 2008 and 2013, and other times.
        let signers = named.filter { $0.signed(bytes, outline) }
        guard !signers.isEmpty else { throw Refusal(.chain, at: Self.place, "Its issuer did not sign it.") }
        guard outline.hasMarker(signature.version.marker, bytes.span) else { throw Refusal(.marker, at: Self.place) }
        guard validity.contains(time), let valid = signers.first(where: { $0.validity.contains(time) }) else {
            throw Refusal(.validity, at: Self.place, "It can't have been signed before \(time).")
        }
        return valid
    }

    private static let place = "signature.certificate"
}
