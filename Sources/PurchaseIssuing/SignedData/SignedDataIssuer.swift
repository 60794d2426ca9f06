import Crypto
import Foundation
import FoundationExtras
package import PurchaseModel
import PurchaseProof
import X509

/// Signs transactions, renewal information, notifications and app transactions in the App Store's form or in Xcode's form.
package struct SignedDataIssuer: Sendable {
    private let key: SigningKey
    private let certificates: [Certificate]
    private let isXcode: Bool
    private let fault: SigningFault?
    /// The ``header`` in base64url, which is the same for each JWS.
    ///
    /// The header is encoded once, because with its certificates it is longer than most payloads.
    private let encodedHeader: Result<String, any Error>

    /// Creates an issuer of signed data in the App Store's form: ES256 with three certificates in `x5c`.
    package init(authority: CertificateAuthority) {
        self.init(key: authority.signedDataSigner, certificates: authority.signedDataChain.certificates)
    }

    /// Creates an issuer of signed data in the App Store's form that has one fault, so that verifiers must refuse the data.
    ///
    /// The initializer takes up to two milliseconds, because it issues certificates with the fault.
    ///
    /// - Parameters:
    ///   - authority: An authority with one root.
    ///   - fault: The fault of the signed data.
    ///   - now: The store's time; the validity of an expired certificate ends a day before this time.
    /// - Throws: ``IssuingError/missingKey`` for an authority with two roots.
    package init(authority: CertificateAuthority, fault: SigningFault, now: Timestamp) throws {
        let chain = try authority.signedDataChain(with: fault, now: now)
        self.init(
            key: fault == .wrongKey ? .p256(P256.Signing.PrivateKey()) : authority.signedDataSigner,
            certificates: fault == .swappedChain ? [chain.intermediate, chain.leaf, chain.root] : chain.certificates, fault: fault
        )
    }

    /// Creates an issuer of signed data in Xcode's form: ES256 with one certificate in `x5c`, a key ID and a type.
    package init(xcode authority: XcodeAuthority) {
        self.init(key: .p256(authority.signedDataKey), certificates: [authority.signedDataCertificate], isXcode: true)
    }

    private init(key: SigningKey, certificates: [Certificate], isXcode: Bool = false, fault: SigningFault? = nil) {
        self.key = key
        self.certificates = certificates
        self.isXcode = isXcode
        self.fault = fault
        encodedHeader = Result {
            Base64URL.encode(try Self.header(key: key, certificates: certificates, isXcode: isXcode, fault: fault).encoded)
        }
    }

    /// The header of each JWS that the issuer signs.
    package var header: SignedDataHeader {
        get throws { try Self.header(key: key, certificates: certificates, isXcode: isXcode, fault: fault) }
    }

    private static func header(
        key: SigningKey, certificates: [Certificate], isXcode: Bool, fault: SigningFault?
    ) throws -> SignedDataHeader {
        SignedDataHeader(
            algorithm: fault == .algNone ? "none" : key.jwsAlgorithm, keyID: isXcode ? "Apple_Xcode_Key" : nil,
            type: isXcode ? "JWT" : nil,
            certificates: fault == .noX5C ? nil : try certificates.map { try $0.derBytes }
        )
    }

    /// Encodes a payload as JSON, signs it, and returns the JWS.
    package func sign<Payload: Encodable>(_ payload: Payload) throws -> Signed<Payload> {
        Signed(try sign(json: Array(WireJSON.encode(payload))))
    }

    /// Adds a device binding to a payload, signs the payload, and returns the JWS, as the App Store does for a device that requests the
    /// data.
    package func sign<Payload: Encodable>(_ payload: Payload, for device: DeviceBinding) throws -> Signed<Payload> {
        Signed(try sign(json: Array(WireJSON.encode(DeviceBoundPayload(payload: payload, deviceBinding: device)))))
    }

    /// Signs any bytes as a payload, and returns the compact JWS.
    ///
    /// - Parameters:
    ///   - json: The bytes of the payload, which need not be JSON.
    ///   - header: The header of the JWS; nil for ``header``.
    ///   - signature: Returns the signature of the bytes that it receives, which are the encoded header and payload with the dot between
    ///     them; nil for the signature of the issuer's key.
    package func sign(
        json: [UInt8], header: SignedDataHeader? = nil, signature: (([UInt8]) throws -> [UInt8])? = nil
    ) throws -> String {
        let header = try header.map { Base64URL.encode(try $0.encoded) } ?? encodedHeader.get()
        var text = header + "." + Base64URL.encode(json)
        let octets = Array(text.utf8)
        let signed = try signature?(octets) ?? (fault == .algNone ? [] : Array(key.jwsSignature(for: octets)))
        if fault == .changedPayload {
            text = header + "." + Base64URL.encode(json.dropLast() + Array(#","changed":true}"#.utf8))
        }
        return text + "." + Base64URL.encode(signed)
    }
}
