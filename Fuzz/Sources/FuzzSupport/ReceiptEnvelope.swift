/// A genuine receipt whose payload can be replaced.
///
/// With a replacement, only the signature is invalid.
///
/// With an envelope, fuzzing and mutation reach the parser of the payload without a search for a valid container.
public struct ReceiptEnvelope: Sendable {
    private let type: [UInt8]
    private let version: [UInt8]
    private let digests: [UInt8]
    private let dataType: [UInt8]
    private let certificates: [UInt8]
    private let signers: [UInt8]

    /// The payload of the genuine receipt.
    public let payload: [UInt8]

    /// Splits a receipt in Apple's form into its parts.
    ///
    /// Returns nil for another form.
    public init?(_ receipt: [UInt8]) {
        let outer = DER.values(in: DER.content(of: receipt))
        guard outer.count == 2 else { return nil }
        let parts = DER.values(in: DER.content(of: DER.content(of: outer[1])))
        guard parts.count == 5 else { return nil }
        let content = DER.values(in: DER.content(of: parts[2]))
        guard content.count == 2 else { return nil }
        type = outer[0]
        (version, digests, certificates, signers) = (parts[0], parts[1], parts[3], parts[4])
        dataType = content[0]
        payload = DER.content(of: DER.content(of: content[1]))
    }

    /// Returns the receipt with another payload.
    public func wrapping(_ payload: [UInt8]) -> [UInt8] {
        wrapping(octets: DER.value(0x04, payload))
    }

    /// Returns the receipt with another value in place of the payload's octet string, and optionally other certificates or signers.
    public func wrapping(octets: [UInt8], certificates: [UInt8]? = nil, signers: [UInt8]? = nil) -> [UInt8] {
        let content = DER.value(0x30, dataType + DER.value(0xA0, octets))
        let signedData = version + digests + content + (certificates ?? self.certificates) + (signers ?? self.signers)
        return DER.value(0x30, type + DER.value(0xA0, DER.value(0x30, signedData)))
    }

    /// Returns the encoded set of certificates, repeated `count` times.
    public func certificates(times count: Int) -> [UInt8] {
        DER.value(0xA0, Array(repeatElement(DER.content(of: certificates), count: count).joined()))
    }

    /// Returns the encoded set of signers, repeated `count` times.
    public func signers(times count: Int) -> [UInt8] {
        DER.value(0x31, Array(repeatElement(DER.content(of: signers), count: count).joined()))
    }
}
