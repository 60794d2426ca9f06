import CryptoExtras
package import PurchaseModel
package import SwiftASN1
import X509

/// Issues signed app receipts in the App Store's form or in Xcode's form.
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
    ///   - authority: The authority whose key and certificates sign the receipts.
    ///   - digest: The digest algorithm of the signatures; nil for the digest algorithm of the authority's certificates for receipts.
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

    /// Creates an issuer of receipts in the App Store's form that have one fault, so that verifiers must refuse them.
    ///
    /// - Parameters:
    ///   - authority: An authority with one root.
    ///   - fault: The fault of the receipts; its ``SigningFault/appliesToReceipts`` must be true.
    ///   - now: The store's time; the validity of an expired certificate ends a day before this time.
    ///   - random: The source of attributes 4, 6 and 7, which differ in each receipt.
    /// - Throws: ``IssuingError/missingKey`` for an authority with two roots, and ``IssuingError/unsupportedForReceipts`` for a fault that
    ///   a receipt cannot have.
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

    /// Creates an issuer of receipts in Xcode's form, which are BER, and have one certificate and few attributes.
    package init(xcode authority: XcodeAuthority, random: RandomBytes = .system) {
        form = .xcode
        key = authority.receiptKey
        certificates = [authority.receiptCertificate]
        signer = authority.receiptCertificate
        digest = .sha256
        self.random = random
        fault = nil
    }

    /// Issues a receipt with the given content, and returns the bytes of the receipt file.
    ///
    /// - Throws: ``IssuingError/deviceIsNotUUID`` when the content has no MAC address, and its device identifier is not a UUID.
    package func issue(_ content: ReceiptContent) throws -> [UInt8] {
        try sign(payload(of: content))
    }

    /// Encodes the content of a receipt as the payload that the signature covers, in the issuer's form.
    ///
    /// - Throws: ``IssuingError/deviceIsNotUUID`` when the content has no MAC address, and its device identifier is not a UUID.
    package func payload(of content: ReceiptContent) throws -> [UInt8] {
        switch form {
        case .appStore: try content.encoded(random: random)
        case .xcode: try content.encodedAsXcode(random: random)
        }
    }

    /// Signs a payload, and returns the bytes of the receipt file that contains it.
    ///
    /// The container has no signed attributes, so that the signature covers the payload itself.
    package func sign(_ payload: [UInt8]) throws -> [UInt8] {
        try container(for: payload).encoded
    }

    /// Returns the container with a payload and its signature before encoding, so that tests can change parts of it.
    package func container(for payload: [UInt8]) throws -> ReceiptContainer {
        ReceiptContainer(
            form: form, digests: [digest.identifier], payload: payload,
            certificates: fault == .noX5C ? nil : try certificates.map { try $0.derBytes },
            signers: [try signerInfo(of: fault == .changedPayload ? payload + [0] : payload)]
        )
    }

    /// Signs a payload, and returns the SignerInfo with the signature, so that tests can change parts of it.
    ///
    /// - Parameters:
    ///   - payload: The bytes to sign, which need not be a valid payload.
    ///   - digest: The digest algorithm of the signature; nil for the issuer's digest algorithm.
    ///   - hasAttributes: Whether the signature covers signed attributes that contain the payload's digest, as most CMS implementations
    ///     write them. Valid receipts have no signed attributes.
    package func signerInfo(of payload: [UInt8], digest: ReceiptDigest? = nil, hasAttributes: Bool = false) throws -> ReceiptSignerInfo {
        let digest = digest ?? self.digest
        let attributes = hasAttributes ? try ReceiptSignerInfo.attributes(for: payload, digest: digest) : nil
        return ReceiptSignerInfo(
            issuer: try signer.issuer.derBytes, serialNumber: Array(signer.serialNumber.bytes), digest: digest.identifier,
            signedAttributes: attributes,
            signatureAlgorithm: form == .xcode ? digest.signatureIdentifier : Self.rsaEncryption,
            signature: try digest.signature(of: attributes ?? payload, by: key)
        )
    }

    /// The object identifier of `rsaEncryption`, the signature algorithm in Apple's receipts, which names no digest algorithm.
    package static let rsaEncryption: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 1]
}
