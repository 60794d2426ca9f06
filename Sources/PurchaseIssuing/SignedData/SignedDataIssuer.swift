import Crypto
import Foundation
package import PurchaseModel
import PurchaseProof
import X509

/// Signs transactions, renewal information, notifications and app transactions in the App Store's form or in Xcode's form.
package struct SignedDataIssuer: Sendable {
    private let key: SigningKey
    private let certificates: [Certificate]
    private let isXcode: Bool
    private let fault: SigningFault?
    /// The encoded ``header`` of each JWS, encoded once, because with its certificates it is longer than most payloads.
    private let encodedHeader: Result<String, any Error>

    /// Creates an issuer for the App Store's form: ES256 with three certificates in `x5c`.
    package init(authority: CertificateAuthority) {
        self.init(key: authority.signedDataSigner, certificates: authority.signedDataChain.certificates)
    }

    /// Creates an issuer for the App Store's form with one fault.
    ///
    /// The cost is up to two milliseconds, for certificates.
    ///
    /// - Parameters:
    ///   - authority: An authority with one root.
    ///   - fault: The fault of the signed data.
    ///   - now: The store's time, before which the validity of an expired certificate ended.
    /// - Throws: ``IssuingError/missingKey`` for an authority with two roots.
    package init(authority: CertificateAuthority, fault: SigningFault, now: Timestamp) throws {
        let chain = try authority.signedDataChain(with: fault, now: now)
        self.init(
            key: fault == .wrongKey ? .p256(P256.Signing.PrivateKey()) : authority.signedDataSigner,
            certificates: fault == .swappedChain ? [chain.intermediate, chain.leaf, chain.root] : chain.certificates, fault: fault
        )
    }

    /// Creates an issuer for Xcode's form: ES256 with one certificate in `x5c`, a key ID and a type.
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

    /// The header of each JWS.
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

    /// Signs a payload.
    package func sign<Payload: Encodable>(_ payload: Payload) throws -> Signed<Payload> {
        Signed(try sign(json: Array(WireJSON.encode(payload))))
    }

    /// Signs a payload for one device, as the store does for the device that sends the request.
    package func sign<Payload: Encodable>(_ payload: Payload, for device: DeviceBinding) throws -> Signed<Payload> {
        Signed(try sign(json: Array(WireJSON.encode(DeviceBoundPayload(payload: payload, deviceBinding: device)))))
    }

    /// Signs any bytes as a payload and returns the compact serialization.
    ///
    /// - Parameters:
    ///   - json: The payload; it is not checked to be JSON.
    ///   - header: The header of the JWS; nil for ``header``.
    ///   - signature: Creates the signature of the first two parts with their dot; nil for a valid signature, regardless of the header.
    package func sign(
        json: [UInt8], header: SignedDataHeader? = nil, signature: (([UInt8]) throws -> [UInt8])? = nil
    ) throws -> String {
        let header = try header.map { Base64URL.encode(try $0.encoded) } ?? encodedHeader.get()
        let octets = Array((header + "." + Base64URL.encode(json)).utf8)
        let sent = fault == .changedPayload ? json.dropLast() + Array(#","changed":true}"#.utf8) : json
        let signed = try signature?(octets) ?? (fault == .algNone ? [] : Array(key.jwsSignature(for: octets)))
        return header + "." + Base64URL.encode(sent) + "." + Base64URL.encode(signed)
    }
}
