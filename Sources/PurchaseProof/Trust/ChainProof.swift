import PurchaseModel
@_spi(FixedExpiryValidationTime) import X509

/// One attempt to prove a chain, from certificates that came with signed data.
///
/// The certificate library decides, by its own rules and ours; then it is said why.
struct ChainProof {
    /// When the data says it was signed, in whole seconds.
    private let time: Timestamp
    /// Where it says it was made.
    private let environment: AppEnvironment
    /// Where the certificates lie in it.
    private let place: String
    private let signer: PlacedCertificate
    private let others: [PlacedCertificate]
    /// The roots that count there, if they came or were configured as certificates.
    private let roots: [(certificate: PlacedCertificate, trusted: TrustedRoot)]
    /// The root that the signer itself is.
    private let own: TrustedRoot?

    /// Reads the certificates.
    ///
    /// - Parameter trusted: The roots that count in the environment.
    init(
        _ signer: [UInt8], _ others: [[UInt8]], to trusted: [TrustedRoot], in environment: AppEnvironment, at time: Timestamp, place: String
    ) throws(Refusal) {
        // The certificate library traps on years that a certificate cannot state, and this time is not proven yet.
        guard Self.judgeable.contains(time) else { throw Refusal(.validity, at: place, "It says it was signed at an impossible time.") }
        guard others.count < Self.maximumCertificates else { throw Refusal(.tooLarge(limit: Self.maximumCertificates), at: place) }
        // Fractions are cut off because certificates have none: the last second of a validity counts to its end.
        self.time = time.wholeSeconds
        self.environment = environment
        self.place = place
        self.signer = try PlacedCertificate(signer, at: "\(place)[0]")
        var read: [PlacedCertificate] = []
        var roots: [(certificate: PlacedCertificate, trusted: TrustedRoot)] = []
        for (index, other) in others.enumerated() {
            let place = "\(place)[\(index + 1)]"
            let fingerprint = RootFingerprint(of: other)
            let root = trusted.first { $0.fingerprint == fingerprint }
            let certificate =
                if let known = root?.known { PlacedCertificate(known, at: place) } else { try PlacedCertificate(other, at: place) }
            read.append(certificate)
            if let root { roots.append((certificate, root)) }
        }
        self.others = read
        for root in trusted {
            guard let certificate = root.certificate, !roots.contains(where: { $0.trusted.fingerprint == root.fingerprint }) else {
                continue
            }
            roots.append((PlacedCertificate(certificate, at: place), root))
        }
        self.roots = roots
        let isAlone = environment == .xcode && others.isEmpty
        own = isAlone ? trusted.first { $0.fingerprint == RootFingerprint(of: signer) } : nil
    }

    /// Finds the chain, if there is one.
    func run(trace: Trace?) async throws(Refusal) -> ProvenChain {
        trace?.passed("certificates", ChainStory.certificates([signer] + others), rule: "Each can be read and has one spelling.")
        if let own { return try await proveAlone(own, trace: trace) }
        guard let chain = await chain(to: roots.map(\.certificate)),
            let root = roots.first(where: { $0.certificate.encoded == chain.last?.encoded })?.trusted,
            let proven = ProvenChain(chain, root: root.fingerprint)
        else {
            let diagnosis = ChainDiagnosis(signer: signer, others: others, roots: roots.map(\.certificate), time: time, place: place)
            throw diagnosis.refusal()
        }
        if let trace { ChainStory.tell(chain, root: root, in: environment, at: time, to: trace) }
        // Anything besides the chain, or another order, would make further keys for the same thing.
        let isPlain = [signer.encoded] + others.map(\.encoded) == proven.encoded
        return isPlain ? root.proven.keep(proven) : proven
    }

    /// The chain of leaf, one intermediate and one of the roots that the library accepts; nil when it accepts none.
    private func chain(to roots: [PlacedCertificate]) async -> [PlacedCertificate]? {
        // Only what can be the one intermediate is handed over: so the library has nothing to combine, whatever came.
        let intermediates = others.filter { other in
            other.isNamed(asIssuerOf: signer) && !other.isNamed(asIssuerOf: other)
                && !roots.contains { $0.encoded == other.encoded } && roots.contains { $0.isNamed(asIssuerOf: other) }
        }
        guard !intermediates.isEmpty else { return nil }
        var verifier = Verifier(rootCertificates: CertificateStore(roots.map(\.certificate))) {
            RFC5280Policy(fixedExpiryValidationTime: time.date)
            UsagePolicy()
            MarkerPolicy()
        }
        let store = CertificateStore(intermediates.map(\.certificate))
        guard case .validCertificate(let chain) = await verifier.validate(leaf: signer.certificate, intermediates: store) else {
            return nil
        }
        let all = [signer] + intermediates + roots
        let placed = chain.compactMap { certificate in all.first { $0.certificate == certificate } }
        return placed.count == 3 ? placed : nil
    }

    /// Proves a certificate that vouches for itself, as in StoreKit testing: it is pinned, so only its times and uses are open.
    private func proveAlone(_ root: TrustedRoot, trace: Trace?) async throws(Refusal) -> ProvenChain {
        var verifier = Verifier(rootCertificates: CertificateStore([signer.certificate])) {
            RFC5280Policy(fixedExpiryValidationTime: time.date)
            UsagePolicy(ignoringExtendedUsage: true)
        }
        guard case .validCertificate = await verifier.validate(leaf: signer.certificate, intermediates: CertificateStore()),
            let proven = ProvenChain([signer], root: root.fingerprint)
        else {
            let flaw = ChainRules.usage([signer.certificate]) ?? ChainRules.validity([signer], at: time)
            throw Refusal(flaw?.reason ?? .chain, at: signer.place, flaw?.detail ?? "It may not vouch for itself.")
        }
        if let trace { ChainStory.tell([signer], root: root, in: .xcode, at: time, to: trace) }
        return root.proven.keep(proven)
    }

    /// More only make finding a chain dearer; Apple sends three.
    private static let maximumCertificates = 8

    /// 1970 to 2100.
    private static let judgeable = Timestamp(milliseconds: 0)...Timestamp(milliseconds: 4_102_444_800_000)
}
