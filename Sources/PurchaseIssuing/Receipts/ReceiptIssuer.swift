import CryptoExtras
package import PurchaseModel
package import SwiftASN1
import X509

/// Signs app receipts in the App Store's form or in Xcode's form.
package struct ReceiptIssuer: Sendable {
    private let form: ReceiptForm
    private let key: _RSA.Signing.PrivateKey
    private let certificates: [Certificate]
    private let signer: Certificate
    private let digest: ReceiptDigest
    private let random: RandomBytes
    private let fault: SigningFault?

    /// Creates an issuer of receipts in the App Store's form.
    ///
    /// - Parameters:
    ///   - authority: The authority whose receipt chain signs.
    ///   - digest: The digest that the signature covers; nil for the chain's digest.
    ///   - random: The source of attributes 4, 6 and 7, which differ in each receipt.
    package init(authority: CertificateAuthority, digest: ReceiptDigest? = nil, random: RandomBytes = .system) {
        form = .appStore
        key = authority.receiptKey
        certificates = authority.receiptChain.certificates
        signer = authority.receiptChain.leaf
        self.digest = digest ?? authority.generation.digest
        self.random = random
        fault = nil
    }

    /// Creates an issuer of receipts in the App Store's form with one fault.
    ///
    /// - Parameters:
    ///   - authority: An authority with one root.
    ///   - fault: The fault; ``SigningFault/appliesToReceipts`` must be true.
    ///   - now: The store's time, before which the validity of an expired certificate ended.
    ///   - random: The source of attributes 4, 6 and 7, which differ in each receipt.
    /// - Throws: ``IssuingError/missingKey`` for an authority with two roots, ``IssuingError/unsupportedForReceipts``.
    package init(authority: CertificateAuthority, fault: SigningFault, now: Timestamp, random: RandomBytes = .system) throws {
        guard let store = authority.store else { throw IssuingError.missingKey }
        guard fault.appliesToReceipts else { throw IssuingError.unsupportedForReceipts }
        let chain = try authority.receiptChain(with: fault, now: now)
        form = .appStore
        key = fault == .wrongKey ? store.receipts.intermediate : authority.receiptKey
        certificates = chain.certificates
        signer = chain.leaf
        digest = authority.generation.digest
        self.random = random
        self.fault = fault
    }

    /// Creates an issuer of receipts in Xcode's form: BER, one certificate, few attributes.
    package init(xcode authority: XcodeAuthority, random: RandomBytes = .system) {
        form = .xcode
        key = authority.receiptKey
        certificates = [authority.receiptCertificate]
        signer = authority.receiptCertificate
        digest = .sha256
        self.random = random
        fault = nil
    }

    /// Issues the receipt file.
    ///
    /// - Throws: ``IssuingError/deviceIsNotUUID``.
    package func issue(_ content: ReceiptContent) throws -> [UInt8] {
        try sign(payload(of: content))
    }

    /// The payload of a receipt, in the issuer's form.
    ///
    /// - Throws: ``IssuingError/deviceIsNotUUID``.
    package func payload(of content: ReceiptContent) throws -> [UInt8] {
        switch form {
        case .appStore: try content.encoded(random: random)
        case .xcode: try content.encodedAsXcode(random: random)
        }
    }

    /// Signs a payload in a container without signed attributes, so that the signature covers the payload itself.
    package func sign(_ payload: [UInt8]) throws -> [UInt8] {
        try container(for: payload).encoded
    }

    /// The container for a payload before encoding, for tests that change a part.
    package func container(for payload: [UInt8]) throws -> ReceiptContainer {
        ReceiptContainer(
            form: form, digests: [digest.identifier], payload: payload,
            certificates: fault == .noX5C ? nil : try certificates.map { try $0.derBytes },
            signers: [try signer(of: fault == .changedPayload ? payload + [0] : payload)]
        )
    }

    /// The signer info for a payload, for tests that change a part.
    ///
    /// - Parameters:
    ///   - payload: The signed bytes; any bytes.
    ///   - digest: The digest that the signature covers; nil for the issuer's digest.
    ///   - hasAttributes: Whether the signature covers attributes that contain the digest, as in most CMS implementations; receipts have
    ///     none.
    package func signer(of payload: [UInt8], digest: ReceiptDigest? = nil, hasAttributes: Bool = false) throws -> ReceiptSigner {
        let digest = digest ?? self.digest
        let attributes = hasAttributes ? try ReceiptSigner.attributes(for: payload, digest: digest) : nil
        return ReceiptSigner(
            issuer: try signer.issuer.derBytes, serialNumber: Array(signer.serialNumber.bytes), digest: digest.identifier,
            signedAttributes: attributes,
            signatureAlgorithm: form == .xcode ? digest.signatureIdentifier : Self.rsaEncryption,
            signature: try digest.signature(of: attributes ?? payload, by: key)
        )
    }

    /// The object identifier of Apple's signature algorithm, which does not name a digest.
    package static let rsaEncryption: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 1]
}
