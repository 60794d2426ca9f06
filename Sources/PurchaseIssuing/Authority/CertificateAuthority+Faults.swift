import Crypto
import PurchaseModel
import X509

extension CertificateAuthority {
    /// The certificates of signed data with a fault.
    ///
    /// - Throws: ``IssuingError/noKey`` for an authority with two roots.
    func signedDataChain(with fault: SigningFault, now: Timestamp) throws -> SigningChain {
        guard let store else { throw IssuingError.noKey }
        let maker = store.maker(.signedData, now: now)
        return try chain(signedDataChain, with: fault, by: store.signedDataIssuer, makers: (maker, maker), of: store)
    }

    /// The certificates of a receipt with a fault.
    ///
    /// - Throws: ``IssuingError/noKey`` for an authority with two roots.
    func receiptChain(with fault: SigningFault, now: Timestamp) throws -> SigningChain {
        guard let store else { throw IssuingError.noKey }
        let makers = (store.maker(.receipts, now: now), store.receiptLeafMaker(now: now))
        return try chain(receiptChain, with: fault, by: store.receiptIssuer, makers: makers, of: store)
    }

    /// The chain in which the faulty certificate replaces the valid one.
    private func chain(
        _ chain: SigningChain, with fault: SigningFault, by issuer: CertificateIssuer,
        makers: (intermediate: CertificateMaker, leaf: CertificateMaker), of store: StoreKeys
    ) throws -> SigningChain {
        func intermediate(_ defects: AuthorityDefects, by root: CertificateIssuer) throws -> Certificate {
            try makers.intermediate.intermediate(
                for: chain.intermediate.publicKey, by: root, defects: defects, ocspURL: store.ocspURL,
                serialNumber: .derived(from: chain.intermediate.serialNumber, for: .fault(fault))
            )
        }
        func withIntermediate(_ defects: AuthorityDefects) throws -> SigningChain {
            SigningChain(leaf: chain.leaf, intermediate: try intermediate(defects, by: store.rootIssuer), root: chain.root)
        }
        func withLeaf(_ defects: AuthorityDefects) throws -> SigningChain {
            let leaf = try makers.leaf.leaf(
                for: chain.leaf.publicKey, by: issuer, defects: defects, ocspURL: store.ocspURL,
                serialNumber: .derived(from: chain.leaf.serialNumber, for: .fault(fault))
            )
            return SigningChain(leaf: leaf, intermediate: chain.intermediate, root: chain.root)
        }
        switch fault {
        case .expiredIntermediate: return try withIntermediate(.expiredIntermediate)
        case .intermediateWithoutMarker: return try withIntermediate(.noIntermediateMarker)
        case .expiredLeaf: return try withLeaf(.expiredLeaf)
        case .leafWithoutMarker: return try withLeaf(.noLeafMarker)
        case .revokedLeaf: return try withLeaf([])
        case .wrongRoot:
            let stranger = CertificateIssuer(name: chain.root.subject, key: .init(P384.Signing.PrivateKey.fresh()))
            return SigningChain(
                leaf: chain.leaf, intermediate: try intermediate([], by: stranger),
                root: try store.maker(.store, now: store.made).root(stranger)
            )
        case .swappedChain, .changedPayload, .wrongKey, .noX5C, .algNone: return chain
        }
    }
}
