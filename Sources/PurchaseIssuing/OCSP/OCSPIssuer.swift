import PurchaseModel
import X509

/// A root or an intermediate that issued certificates of an authority, with the OCSP responder for the issued certificates.
struct OCSPIssuer: Sendable {
    let certificate: Certificate
    let responder: ResponderIdentity
    /// The leaf of a chain that contains the issuer, for ``OCSPAnomalies/signedByLeaf``.
    let leaf: Certificate
    let leafKey: SigningKey
    /// The issued certificates whose status a caller can set, by serial number.
    private let issued: [[UInt8]: AuthorityCertificate]
    /// The statuses of issued certificates whose status a caller cannot set, by serial number.
    private var otherStatuses: [[UInt8]: CertificateStatus] = [:]
    /// The first bytes of the serial numbers of the TLS certificates that the issuer issued; nil for an issuer of no TLS certificates.
    private var tlsNumberPrefix: [UInt8]?

    private init(
        _ certificate: Certificate, _ responder: ResponderIdentity, issued: [AuthorityCertificate: Certificate], leaf: Certificate,
        key: SigningKey
    ) {
        self.certificate = certificate
        self.responder = responder
        self.leaf = leaf
        leafKey = key
        self.issued = Dictionary(issued.map { (Array($1.serialNumber.bytes), $0) }) { first, _ in first }
    }

    /// Returns the status of the certificate with a serial number; ``CertificateStatus/unknown`` when the issuer did not issue one.
    ///
    /// - Parameters:
    ///   - number: The bytes of the serial number.
    ///   - statuses: The statuses that the caller sets; the other certificates are good.
    func status(of number: [UInt8], with statuses: [AuthorityCertificate: CertificateStatus]) -> CertificateStatus {
        if let certificate = issued[number] { return statuses[certificate] ?? .good }
        if let status = otherStatuses[number] { return status }
        if let tlsNumberPrefix, number.starts(with: tlsNumberPrefix) { return .good }
        return .unknown
    }

    /// Returns the issuers of all certificates of an authority, each with its OCSP responder.
    ///
    /// - Throws: ``IssuingError/missingKey`` for an authority that was restored from an archive of an earlier version, which lacks the keys
    ///   of responders.
    static func all(of authority: CertificateAuthority) throws -> [OCSPIssuer] {
        if let store = authority.store { return try all(of: authority, store) }
        guard let receipts = authority.receiptResponders, let signedData = authority.signedDataResponders else {
            throw IssuingError.missingKey
        }
        let (receiptChain, dataChain) = (authority.receiptChain, authority.signedDataChain)
        let (receiptKey, dataKey) = (SigningKey.rsa(authority.receiptKey), authority.signedDataSigner)
        return [
            OCSPIssuer(
                receiptChain.intermediate, receipts.forLeaf, issued: [.receiptLeaf: receiptChain.leaf], leaf: receiptChain.leaf,
                key: receiptKey
            ),
            OCSPIssuer(
                receiptChain.root, receipts.forIntermediate, issued: [.receiptIntermediate: receiptChain.intermediate],
                leaf: receiptChain.leaf, key: receiptKey
            ),
            OCSPIssuer(
                dataChain.intermediate, signedData.forLeaf, issued: [.signedDataLeaf: dataChain.leaf], leaf: dataChain.leaf,
                key: dataKey
            ),
            OCSPIssuer(
                dataChain.root, signedData.forIntermediate, issued: [.signedDataIntermediate: dataChain.intermediate],
                leaf: dataChain.leaf, key: dataKey
            ),
        ]
    }

    private static func all(of authority: CertificateAuthority, _ store: StoreKeys) throws -> [OCSPIssuer] {
        let (receipts, data) = (authority.receiptChain, authority.signedDataChain)
        var receiptIssuer = OCSPIssuer(
            receipts.intermediate,
            try ResponderIdentity(store.receiptLeafBuilder(), for: receipts.intermediate, key: store.receiptIssuer.key),
            issued: [.receiptLeaf: receipts.leaf], leaf: receipts.leaf, key: .rsa(authority.receiptKey)
        )
        receiptIssuer.addFaults(of: receipts.leaf, revoked: .revokedLeaf, at: store.creationDate)
        var dataIssuer = OCSPIssuer(
            data.intermediate, try ResponderIdentity(store.builder(.signedData), for: data.intermediate, key: store.signedDataIssuer.key),
            issued: [.signedDataLeaf: data.leaf], leaf: data.leaf, key: authority.signedDataSigner
        )
        dataIssuer.addFaults(of: data.leaf, revoked: .revokedLeaf, at: store.creationDate)
        var root = OCSPIssuer(
            data.root, try ResponderIdentity(store.builder(.store), for: data.root, key: store.rootIssuer.key),
            issued: [.receiptIntermediate: receipts.intermediate, .signedDataIntermediate: data.intermediate], leaf: data.leaf,
            key: authority.signedDataSigner
        )
        root.addFaults(of: receipts.intermediate, revoked: nil, at: store.creationDate)
        root.addFaults(of: data.intermediate, revoked: nil, at: store.creationDate)
        root.otherStatuses[number(.derived(from: data.root.serialNumber, for: .transactionReceipts))] = .good
        root.tlsNumberPrefix = authority.tlsNumberPrefix
        return [receiptIssuer, dataIssuer, root]
    }

    /// Adds the statuses of the certificates that replace `good` in data with a ``SigningFault``.
    ///
    /// - Parameters:
    ///   - good: The valid certificate, from whose serial number those of its replacements are derived.
    ///   - revoked: The fault whose certificate is revoked; nil for none.
    ///   - time: The time of the revocation.
    private mutating func addFaults(of good: Certificate, revoked: SigningFault?, at time: Timestamp) {
        for fault in SigningFault.allCases {
            let status = fault == revoked ? CertificateStatus.revoked(at: time, reason: .keyCompromise) : .good
            otherStatuses[Self.number(.derived(from: good.serialNumber, for: .fault(fault)))] = status
        }
    }

    private static func number(_ number: Certificate.SerialNumber) -> [UInt8] { Array(number.bytes) }
}
