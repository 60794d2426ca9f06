import PurchaseModel

extension TrustedRoots {
    /// The authorities that may certify signers of transaction receipts in that environment: Apple's intermediates where Apple's
    /// root counts, and the roots that were configured.
    func anchors(in environment: AppEnvironment) -> [TransactionAnchor] {
        roots.filter { $0.counts(in: environment) }.flatMap { root in
            if root.fingerprint == .appleRootCA { return AppleIntermediates.all }
            let certificate = root.certificate.flatMap { TransactionAnchor($0.encoded, title: "a configured root") }
            return certificate.map { [$0] } ?? []
        }
    }
}
