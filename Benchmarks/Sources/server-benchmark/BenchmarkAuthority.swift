import Crypto
import Foundation
import PurchaseModel
import SwiftASN1
import X509

/// Signs transactions and notifications with a chain of the same form as the App Store's.
struct BenchmarkAuthority: Sendable {
    /// The root certificate, in PEM.
    let rootPEM: String
    private let key = P256.Signing.PrivateKey()
    /// The encoded header, which is the same for each JWS.
    private let header: String

    /// Creates the keys and the certificates.
    init() throws {
        let (root, intermediate) = (P384.Signing.PrivateKey(), P384.Signing.PrivateKey())
        let rootCertificate = try Self.certificate("Root", for: .init(root.publicKey), by: "Root", .init(root)) {
            Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
            Critical(KeyUsage(keyCertSign: true, cRLSign: true))
        }
        let intermediateCertificate = try Self.certificate("Intermediate", for: .init(intermediate.publicKey), by: "Root", .init(root)) {
            Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
            Critical(KeyUsage(keyCertSign: true, cRLSign: true))
            Certificate.Extension(oid: [1, 2, 840, 113635, 100, 6, 2, 1], critical: false, value: [0x05, 0x00])
        }
        let leaf = try Self.certificate("Leaf", for: .init(key.publicKey), by: "Intermediate", .init(intermediate)) {
            Critical(BasicConstraints.notCertificateAuthority)
            Critical(KeyUsage(digitalSignature: true))
            Certificate.Extension(oid: [1, 2, 840, 113635, 100, 6, 11, 1], critical: false, value: [0x05, 0x00])
        }
        let chain = try [leaf, intermediateCertificate, rootCertificate].map { certificate in
            var serializer = DER.Serializer()
            try serializer.serialize(certificate)
            return Data(serializer.serializedBytes).base64EncodedString()
        }
        rootPEM = try rootCertificate.serializeAsPEM().pemString
        header = Self.base64URL(try JSONSerialization.data(withJSONObject: ["alg": "ES256", "x5c": chain]))
    }

    /// Signs a payload, and returns the JWS.
    func sign(_ payload: some Encodable) throws -> String {
        let text = header + "." + Self.base64URL(try JSONEncoder().encode(payload))
        return text + "." + Self.base64URL(try key.signature(for: Data(text.utf8)).rawRepresentation)
    }

    private static func certificate(
        _ subject: String, for key: Certificate.PublicKey, by issuer: String, _ issuerKey: Certificate.PrivateKey,
        @ExtensionsBuilder extensions: () throws -> Result<Certificate.Extensions, any Error>
    ) throws -> Certificate {
        let now = Date()
        return try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key, notValidBefore: now.addingTimeInterval(-86_400 * 3_650),
            notValidAfter: now.addingTimeInterval(86_400 * 3_650), issuer: try DistinguishedName { CommonName("Benchmark \(issuer)") },
            subject: try DistinguishedName { CommonName("Benchmark \(subject)") }, signatureAlgorithm: .ecdsaWithSHA384,
            extensions: try Certificate.Extensions(builder: extensions), issuerPrivateKey: issuerKey)
    }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
