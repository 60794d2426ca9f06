import PurchaseModel

/// A root certificate, where it counts, and the chains that were proven for it.
///
/// A class, because copying a certificate counts up its many parts one by one, and every verification goes through all roots.
final class TrustedRoot: Sendable {
    let fingerprint: RootFingerprint
    /// The certificate itself, where it was configured as such; Apple's come with what they vouch for.
    let certificate: PlacedCertificate?
    /// The chains that were proven, in whatever environment.
    let proven: ProvenChains

    // Not a set: looking into one hashes the text that an environment is on the wire, and this is asked for every verification.
    private let countsInProduction: Bool
    private let countsInSandbox: Bool
    private let countsInXcode: Bool
    private let countsInLocalTesting: Bool

    convenience init(_ fingerprint: RootFingerprint, in environments: Set<AppEnvironment>) {
        self.init(fingerprint, nil, in: environments, proven: ProvenChains())
    }

    convenience init(_ certificate: PlacedCertificate, in environments: Set<AppEnvironment>) {
        self.init(RootFingerprint(of: certificate.encoded), certificate, in: environments, proven: ProvenChains())
    }

    /// One root of two that have the same fingerprint: it counts where either does.
    convenience init(_ first: TrustedRoot, and second: TrustedRoot) {
        let environments = AppEnvironment.allCases.filter { first.counts(in: $0) || second.counts(in: $0) }
        self.init(first.fingerprint, first.certificate ?? second.certificate, in: Set(environments), proven: first.proven)
    }

    private init(
        _ fingerprint: RootFingerprint, _ certificate: PlacedCertificate?, in environments: Set<AppEnvironment>, proven: ProvenChains
    ) {
        self.fingerprint = fingerprint
        self.certificate = certificate
        self.proven = proven
        countsInProduction = environments.contains(.production)
        countsInSandbox = environments.contains(.sandbox)
        countsInXcode = environments.contains(.xcode)
        countsInLocalTesting = environments.contains(.localTesting)
    }

    /// Whether it counts where data says it was made.
    func counts(in environment: AppEnvironment) -> Bool {
        switch environment {
        case .production: countsInProduction
        case .sandbox: countsInSandbox
        case .xcode: countsInXcode
        case .localTesting: countsInLocalTesting
        }
    }

    /// The certificate, if it was configured or came with something that was proven, so that it need not be read again.
    var known: PlacedCertificate? {
        certificate ?? proven.first { _ in true }?.placed.last
    }
}
