import CryptoExtras
package import PurchaseModel
package import SwiftASN1
import X509

/// Signs app receipts as the App Store does, or as Xcode does.
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
    ///   - authority: Whose receipt chain signs.
    ///   - digest: What is signed; nil for the digest that goes with the chain.
    ///   - random: Fills attributes 4, 6 and 7, which differ in each receipt.
    package init(authority: CertificateAuthority, digest: ReceiptDigest? = nil, random: RandomBytes = .system) {
        form = .appStore
        key = authority.receiptKey
        certificates = authority.receiptChain.certificates
        signer = authority.receiptChain.leaf
        self.digest = digest ?? authority.generation.digest
        self.random = random
        fault = nil
    }

    /// Creates an issuer of receipts in the App Store's form that does one thing wrong.
    ///
    /// - Parameters:
    ///   - authority: One of one root.
    ///   - fault: What is wrong; one that ``SigningFault/concernsReceipts``.
    ///   - now: The store's time, before which a validity has ended where the fault is that.
    ///   - random: Fills attributes 4, 6 and 7, which differ in each receipt.
    /// - Throws: ``IssuingError/noKey`` for an authority that is not of one root, ``IssuingError/notForReceipts``.
    package init(authority: CertificateAuthority, fault: SigningFault, now: Timestamp, random: RandomBytes = .system) throws {
        guard let store = authority.store else { throw IssuingError.noKey }
        guard fault.concernsReceipts else { throw IssuingError.notForReceipts }
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

    /// The receipt file.
    ///
    /// - Throws: ``IssuingError/deviceIsNoUUID``.
    package func issue(_ content: ReceiptContent) throws -> [UInt8] {
        try sign(payload(of: content))
    }

    /// The payload of a receipt, in the issuer's form.
    ///
    /// - Throws: ``IssuingError/deviceIsNoUUID``.
    package func payload(of content: ReceiptContent) throws -> [UInt8] {
        switch form {
        case .appStore: try content.encoded(random: random)
        case .xcode: try content.encodedAsXcode(random: random)
        }
    }

    /// Wraps a payload: no signed attributes, the signature over the payload itself.
    package func sign(_ payload: [UInt8]) throws -> [UInt8] {
        try container(for: payload).encoded
    }

    /// The container for a payload before it is written, for tests that want it otherwise.
    package func container(for payload: [UInt8]) throws -> ReceiptContainer {
        ReceiptContainer(
            form: form, digests: [digest.identifier], payload: payload,
            certificates: fault == .noX5C ? nil : try certificates.map { try $0.derBytes },
            signers: [try signer(of: fault == .changedPayload ? payload + [0] : payload)]
        )
    }

    /// The signature of a payload with what is said about it, for tests that want it otherwise.
    ///
    /// - Parameters:
    ///   - payload: What is signed; any bytes.
    ///   - digest: What is signed of it; nil for the issuer's.
    ///   - hasAttributes: Signs attributes that hold the digest, as most of the world's CMS does and receipts do not.
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

    /// The name that Apple gives the algorithm of its signatures; it leaves the digest open.
    package static let rsaEncryption: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 1]
}
