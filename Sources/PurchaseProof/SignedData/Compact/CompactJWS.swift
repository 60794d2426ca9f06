import Crypto
import Foundation

/// Signed data in its compact form, read by the rules of this field but not believed: ES256, with its chain in the header.
struct CompactJWS {
    /// The JSON that was signed, or claims to have been.
    let payload: [UInt8]
    /// The texts of `x5c`.
    private let certificates: [ArraySlice<UInt8>]
    private let signature: P256.Signing.ECDSASignature
    private let signedText: ArraySlice<UInt8>

    init(_ compact: String) throws(Refusal) {
        try self.init(CompactForm(compact))
    }

    init(_ form: CompactForm) throws(Refusal) {
        certificates = try JWSHeader(form.header, form.headerMembers).certificates
        // RFC 7518, section 3.4: r and s, 32 bytes each; a DER signature has about 71.
        guard form.signature.count == 64, let signature = try? P256.Signing.ECDSASignature(rawRepresentation: form.signature) else {
            throw Refusal(.malformed, at: "signature", "It has not the 64 bytes of r and s.")
        }
        self.signature = signature
        payload = form.payload
        signedText = form.signedText
    }

    /// Whether the certificate is alone, as Xcode's is.
    var isAlone: Bool { certificates.count == 1 }

    /// Whether the certificates are those of the chain, byte for byte.
    ///
    /// Base64 has one spelling for bytes, so text is compared.
    func carries(_ chain: ProvenChain) -> Bool {
        certificates.count == chain.base64.count && zip(certificates, chain.base64).allSatisfy { $0.holds($1) }
    }

    /// The certificates as DER, the signer's first.
    func encodedCertificates() throws(Refusal) -> [[UInt8]] {
        var encoded: [[UInt8]] = []
        for (index, text) in certificates.enumerated() {
            // RFC 7515, section 4.1.6: standard base64, here with the padding that it must have. Foundation overlooks stray bits.
            let text = Data(text)
            guard let der = Data(base64Encoded: text), !der.isEmpty, der.base64EncodedData() == text else {
                throw Refusal(.malformed, at: "header.x5c[\(index)]", "It is not standard base64.")
            }
            encoded.append(Array(der))
        }
        return encoded
    }

    /// Whether that key signed the payload.
    ///
    /// Says nothing about whose key it is.
    func isSigned(by key: SignerKey) -> Bool {
        guard case .p256(let key) = key else { return false }
        return key.isValidSignature(signature, for: signedText)
    }
}
