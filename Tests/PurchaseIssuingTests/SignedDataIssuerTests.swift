import Crypto
import CryptoExtras
import Foundation
import FoundationExtras
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import SwiftASN1
import Testing
import X509

@testable import PurchaseIssuing

@Suite struct SignedDataIssuerTests {
    private let issuer = TestAuthority.shared.signedData

    /// Returns the three decoded parts of a JWS and the signed text.
    private func parts(_ compact: String) throws -> (header: [String: Any], payload: [UInt8], signature: [UInt8], signed: Data) {
        let texts = compact.split(separator: ".", omittingEmptySubsequences: false)
        try #require(texts.count == 3)
        let bytes = texts.compactMap { Base64URL.decode($0.utf8) }
        try #require(bytes.count == 3)
        let header = try #require(try JSONSerialization.jsonObject(with: Data(bytes[0])) as? [String: Any])
        return (header, bytes[1], bytes[2], Data("\(texts[0]).\(texts[1])".utf8))
    }

    @Test func `any JSON is signed with ES256 and three certificates`() throws {
        let json = Array(#"{"receiptType":"Sandbox","bundleId":"com.example"}"#.utf8)
        let (header, payload, signature, signed) = try parts(issuer.sign(json: json))
        #expect(Set(header.keys) == ["alg", "x5c"])
        #expect(header["alg"] as? String == "ES256")
        let chain = try #require(header["x5c"] as? [String])
        #expect(
            chain == (try TestAuthority.shared.authority.signedDataChain.certificates.map { try Data($0.derBytes).base64EncodedString() }))
        #expect(payload == json)
        #expect(signature.count == 64)
        let leaf = try Certificate(derEncoded: Array(try #require(Data(base64Encoded: chain[0]))))
        let key = try #require(P256.Signing.PublicKey(leaf.publicKey))
        #expect(key.isValidSignature(try P256.Signing.ECDSASignature(rawRepresentation: signature), for: signed))
    }

    @Test func `a header in Xcode's form has one certificate, a key identifier and a type`() throws {
        let issuer = SignedDataIssuer(xcode: TestAuthority.xcode)
        let (header, _, signature, signed) = try parts(issuer.sign(TransactionPayload.sample(environment: .xcode)).compact)
        #expect(Set(header.keys) == ["alg", "kid", "typ", "x5c"])
        #expect(header["kid"] as? String == "Apple_Xcode_Key")
        #expect(header["typ"] as? String == "JWT")
        let chain = try #require(header["x5c"] as? [String])
        #expect(chain.count == 1)
        let certificate = try Certificate(derEncoded: Array(try #require(Data(base64Encoded: chain[0]))))
        #expect(certificate.subject == certificate.issuer)
        #expect(certificate.subject.description.contains("CN=StoreKit Testing in Xcode"))
        #expect(certificate.publicKey.isValidSignature(certificate.signature, for: certificate))
        let key = try #require(P256.Signing.PublicKey(certificate.publicKey))
        #expect(key.isValidSignature(try P256.Signing.ECDSASignature(rawRepresentation: signature), for: signed))
    }

    @Test func `keys of other types sign with the matching algorithm`() throws {
        let p384 = try TestAuthority.shared.defective(.p384SignedDataLeaf)
        let one = try parts(p384.signedData.sign(json: []))
        let elliptic = try #require(P384.Signing.PublicKey(p384.authority.signedDataChain.leaf.publicKey))
        #expect(elliptic.isValidSignature(try P384.Signing.ECDSASignature(rawRepresentation: one.signature), for: one.signed))
        let rsa = try TestAuthority.shared.defective(.rsaSignedDataLeaf)
        let two = try parts(rsa.signedData.sign(json: []))
        let key = try #require(_RSA.Signing.PublicKey(rsa.authority.signedDataChain.leaf.publicKey))
        let signature = _RSA.Signing.RSASignature(rawRepresentation: two.signature)
        #expect(key.isValidSignature(signature, for: SHA256.hash(data: two.signed), padding: .insecurePKCS1v1_5))
    }

    @Test func `a header can be changed before encoding`() throws {
        var header = try issuer.header
        header.algorithm = "none"
        header.type = "JWT"
        header.certificates = nil
        header.additionalMembers = #","jku":"https://example.com","alg":"HS256""#
        let text = try String(decoding: header.encoded, as: UTF8.self)
        #expect(text == #"{"alg":"none","typ":"JWT","jku":"https://example.com","alg":"HS256"}"#)
        let compact = try issuer.sign(json: [1, 2, 3], header: header) { signed in Array(SHA256.hash(data: signed)) }
        let expected = Base64URL.encode(Array(text.utf8)) + "." + Base64URL.encode([1, 2, 3])
        #expect(compact == expected + "." + Base64URL.encode(Array(SHA256.hash(data: Data(expected.utf8)))))
        #expect(try issuer.sign(json: [], header: header) { _ in [] }.hasSuffix("."))
    }

    @Test func `a payload for a device has the nonce and the hash`() throws {
        let deviceBinding = DeviceBinding(
            nonce: try #require(UUID(uuidString: "ABCDEF01-2222-3333-4444-555555555555")),
            deviceVerificationID: try #require(UUID(uuidString: "AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE"))
        )
        // Computed by another program from the lowercase nonce and device identifier.
        let hash = "n8twWaIJ+n6d/IEmp2MVIbfJHSjIvP6MVoarsy971vrEwGrtiQr92vzRVTfTtcMQ"
        #expect(deviceBinding.deviceVerification == hash)
        let payload = try parts(issuer.sign(TransactionPayload.sample(), for: deviceBinding).compact).payload
        var object = try #require(try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any])
        #expect(object.removeValue(forKey: "deviceVerification") as? String == hash)
        #expect(object.removeValue(forKey: "deviceVerificationNonce") as? String == "abcdef01-2222-3333-4444-555555555555")
        let plain = try JSONSerialization.jsonObject(with: WireJSON.encode(TransactionPayload.sample())) as? [String: Any]
        #expect(Set(object.keys) == Set(try #require(plain).keys))
    }
}
