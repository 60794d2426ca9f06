import Crypto
import Foundation
package import PurchaseModel
import PurchaseProof
import X509

/// Signs transactions, renewal information, notifications and app transactions as the App Store does, or as Xcode does.
package struct SignedDataIssuer: Sendable {
    private let key: SigningKey
    private let certificates: [Certificate]
    private let isXcode: Bool
    private let fault: SigningFault?
    /// ``header`` as each JWS begins with it, written once: with its certificates it is longer than most payloads.
    private let firstPart: Result<String, any Error>

    /// Creates an issuer of the App Store's form: ES256 with three certificates in `x5c`.
    package init(authority: CertificateAuthority) {
        self.init(key: authority.signedDataSigner, certificates: authority.signedDataChain.certificates)
    }

    /// Creates an issuer of the App Store's form that does one thing wrong.
    ///
    /// Costs up to a millisecond or two, for certificates.
    ///
    /// - Parameters:
    ///   - authority: One of one root.
    ///   - fault: What is wrong.
    ///   - now: The store's time, before which a validity has ended where the fault is that.
    /// - Throws: ``IssuingError/noKey`` for an authority that is not of one root.
    package init(authority: CertificateAuthority, fault: SigningFault, now: Timestamp) throws {
        let chain = try authority.signedDataChain(with: fault, now: now)
        self.init(
            key: fault == .wrongKey ? .p256(P256.Signing.PrivateKey()) : authority.signedDataSigner,
            certificates: fault == .swappedChain ? [chain.intermediate, chain.leaf, chain.root] : chain.certificates, fault: fault
        )
    }

    /// Creates an issuer of Xcode's form: ES256 with one certificate in `x5c`, the name of a key and a type.
    package init(xcode authority: XcodeAuthority) {
        self.init(key: .p256(authority.signedDataKey), certificates: [authority.signedDataCertificate], isXcode: true)
    }

    private init(key: SigningKey, certificates: [Certificate], isXcode: Bool = false, fault: SigningFault? = nil) {
        self.key = key
        self.certificates = certificates
        self.isXcode = isXcode
        self.fault = fault
        firstPart = Result {
            Base64URL.encode(try Self.header(key: key, certificates: certificates, isXcode: isXcode, fault: fault).encoded)
        }
    }

    /// What a JWS begins with.
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

    /// Signs a payload for one device, as the store does for the device that asked.
    package func sign<Payload: Encodable>(_ payload: Payload, for device: DeviceSeal) throws -> Signed<Payload> {
        Signed(try sign(json: Array(WireJSON.encode(SealedPayload(payload: payload, seal: device)))))
    }

    /// Signs any bytes as a payload and returns the compact form.
    ///
    /// - Parameters:
    ///   - json: The payload; nobody looks whether it is JSON.
    ///   - header: What to begin with; nil for ``header``.
    ///   - signature: Makes the signature of the first two parts with their dot; nil to sign properly, whatever the header says.
    package func sign(
        json: [UInt8], header: SignedDataHeader? = nil, signature: (([UInt8]) throws -> [UInt8])? = nil
    ) throws -> String {
        let header = try header.map { Base64URL.encode(try $0.encoded) } ?? firstPart.get()
        let octets = Array((header + "." + Base64URL.encode(json)).utf8)
        let sent = fault == .changedPayload ? json.dropLast() + Array(#","changed":true}"#.utf8) : json
        let made = try signature?(octets) ?? (fault == .algNone ? [] : Array(key.jwsSignature(for: octets)))
        return header + "." + Base64URL.encode(sent) + "." + Base64URL.encode(made)
    }
}
