import Crypto
import Foundation
import PurchaseModel
import SwiftASN1
import X509

/// Signed data in its compact form, read but not believed: `header.payload.signature`, ES256, with its chain in the header.
struct CompactJWS {
    /// The longest compact form that is read, in bytes.
    ///
    /// A notification with both parts inside has about 20,000.
    static let maximumSize = 512 << 10

    /// The JSON that was signed, or claims to have been.
    let payload: Data
    /// The certificate that is said to have signed.
    let signer: Certificate
    /// All of them as DER.
    let encoded: [[UInt8]]

    private let signedText: [UInt8]
    private let signature: P256.Signing.ECDSASignature

    init(_ compact: String) throws(Refusal) {
        guard compact.utf8.count <= Self.maximumSize else { throw Refusal(.malformed, at: "size") }
        let parts = compact.utf8.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw Refusal(.malformed, at: "parts") }
        guard let headerBytes = Base64URL.decode(parts[0]), let header = try? WireJSON.decode(JWSHeader.self, from: Data(headerBytes))
        else {
            throw Refusal(.malformed, at: "header")
        }
        guard header.algorithm == "ES256" else { throw Refusal(.algorithm(Self.printable(header.algorithm)), at: "header.alg") }
        if let member = header.refusedMember { throw Refusal(.algorithm(member), at: "header.\(member)") }
        guard header.certificates.count == 3 else { throw Refusal(.malformed, at: "header.x5c") }
        var certificates: [Certificate] = []
        var encoded: [[UInt8]] = []
        for text in header.certificates {
            guard let der = Data(base64Encoded: text), let certificate = try? Certificate(derEncoded: Array(der)) else {
                throw Refusal(.malformed, at: "header.x5c")
            }
            certificates.append(certificate)
            encoded.append(Array(der))
        }
        guard let payload = Base64URL.decode(parts[1]) else { throw Refusal(.malformed, at: "payload") }
        guard let signature = Base64URL.decode(parts[2]), let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
        else {
            throw Refusal(.malformed, at: "signature")
        }
        self.payload = Data(payload)
        self.signature = signature
        signer = certificates[0]
        self.encoded = encoded
        signedText = Array(parts[0]) + [UInt8(ascii: ".")] + Array(parts[1])
    }

    /// Throws unless the signer's key signed the payload.
    ///
    /// Says nothing about who the signer is.
    func checkSignature() throws(Refusal) {
        guard let key = P256.Signing.PublicKey(signer.publicKey), key.isValidSignature(signature, for: signedText) else {
            throw Refusal(.signature, at: "signature")
        }
    }

    /// The name of an algorithm if it looks like one, so that an error carries nothing else of the data.
    private static func printable(_ algorithm: String) -> String {
        let looksLikeOne =
            (1...10).contains(algorithm.utf8.count) && algorithm.utf8.allSatisfy { $0 < 128 }
            && algorithm.allSatisfy { $0.isLetter || $0.isNumber }
        return looksLikeOne ? algorithm : "unknown"
    }
}
