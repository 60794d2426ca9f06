import Crypto
import PurchaseModel
import X509

extension CertificateAuthority {
    /// Returns the certificate chain for signed data with a fault.
    ///
    /// - Parameters:
    ///   - fault: The fault of the signed data. Faults that do not concern certificates return the valid chain.
    ///   - now: The store's time; the validity of an expired certificate ends a day before this time.
    /// - Throws: ``IssuingError/missingKey`` for an authority with two roots.
    func signedDataChain(with fault: SigningFault, now: Timestamp) throws -> SigningChain {
        guard let store else { throw IssuingError.missingKey }
        let builder = store.builder(.signedData, now: now)
        return try chain(signedDataChain, with: fault, by: store.signedDataIssuer, builders: (builder, builder), of: store)
    }

    /// Returns the certificate chain for a receipt with a fault.
    ///
    /// - Parameters:
    ///   - fault: The fault of the receipt. Faults that do not concern certificates return the valid chain.
    ///   - now: The store's time; the validity of an expired certificate ends a day before this time.
    /// - Throws: ``IssuingError/missingKey`` for an authority with two roots.
    func receiptChain(with fault: SigningFault, now: Timestamp) throws -> SigningChain {
        guard let store else { throw IssuingError.missingKey }
        let builders = (store.builder(.receipts, now: now), store.receiptLeafBuilder(now: now))
        return try chain(receiptChain, with: fault, by: store.receiptIssuer, builders: builders, of: store)
    }

    /// Returns a chain in which a certificate with the fault replaces a valid certificate of `chain`.
    ///
    /// - Parameters:
    ///   - chain: The valid chain of the authority.
    ///   - fault: The fault of the new certificate. Faults that do not concern certificates return the valid chain.
    ///   - issuer: The intermediate as an issuer, which issues a leaf with the fault.
    ///   - builders: The builders of a new intermediate and of a new leaf.
    ///   - store: The keys of the authority, with which the root issues an intermediate with the fault.
    private func chain(
        _ chain: SigningChain, with fault: SigningFault, by issuer: CertificateIssuer,
        builders: (intermediate: CertificateBuilder, leaf: CertificateBuilder), of store: StoreKeys
    ) throws -> SigningChain {
        func intermediate(_ defects: AuthorityDefects, by root: CertificateIssuer) throws -> Certificate {
            try builders.intermediate.intermediate(
                for: chain.intermediate.publicKey, by: root, defects: defects, ocspURL: store.ocspURL,
                serialNumber: .derived(from: chain.intermediate.serialNumber, for: .fault(fault))
            )
        }
        func withIntermediate(_ defects: AuthorityDefects) throws -> SigningChain {
            SigningChain(leaf: chain.leaf, intermediate: try intermediate(defects, by: store.rootIssuer), root: chain.root)
        }
        func withLeaf(_ defects: AuthorityDefects) throws -> SigningChain {
            let leaf = try builders.leaf.leaf(
                for: chain.leaf.publicKey, by: issuer, defects: defects, ocspURL: store.ocspURL,
                serialNumber: .derived(from: chain.leaf.serialNumber, for: .fault(fault))
            )
            return SigningChain(leaf: leaf, intermediate: chain.intermediate, root: chain.root)
        }
        switch fault {
        case .expiredIntermediate: return try withIntermediate(.expiredIntermediate)
        case .intermediateWithoutMarker: return try withIntermediate(.intermediateWithoutMarker)
        case .expiredLeaf: return try withLeaf(.expiredLeaf)
        case .leafWithoutMarker: return try withLeaf(.leafWithoutMarker)
        case .revokedLeaf: return try withLeaf([])
        case .wrongRoot:
            let unknownIssuer = CertificateIssuer(name: chain.root.subject, key: .init(P384.Signing.PrivateKey.generate()))
            return SigningChain(
                leaf: chain.leaf, intermediate: try intermediate([], by: unknownIssuer),
                root: try store.builder(.store, now: store.creationDate).root(unknownIssuer)
            )
        case .swappedChain, .changedPayload, .wrongKey, .noX5C, .algNone: return chain
        }
    }
}
