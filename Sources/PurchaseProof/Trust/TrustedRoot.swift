import PurchaseModel

/// A root certificate, where it counts, and the chains that were proven for it.
struct TrustedRoot: Sendable {
    let fingerprint: RootFingerprint
    /// Where it counts.
    let environments: Set<AppEnvironment>
    /// The certificate itself, where it was configured as such; Apple's come with what they vouch for.
    let certificate: PlacedCertificate?
    /// The chains that were proven, in whatever environment.
    let proven: ProvenChains

    init(_ fingerprint: RootFingerprint, in environments: Set<AppEnvironment>) {
        self.fingerprint = fingerprint
        self.environments = environments
        certificate = nil
        proven = ProvenChains()
    }

    init(_ certificate: PlacedCertificate, in environments: Set<AppEnvironment>) {
        fingerprint = RootFingerprint(of: certificate.encoded)
        self.environments = environments
        self.certificate = certificate
        proven = ProvenChains()
    }

    /// One root of two that have the same fingerprint: it counts where either does.
    init(_ first: TrustedRoot, and second: TrustedRoot) {
        fingerprint = first.fingerprint
        environments = first.environments.union(second.environments)
        certificate = first.certificate ?? second.certificate
        proven = first.proven
    }
}
