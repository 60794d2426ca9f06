import Foundation
package import PurchaseModel
import SwiftASN1
package import X509

/// The verification of a chain, from the certificates that came with signed data.
///
/// The certificate library decides, by RFC 5280 and by ``UsagePolicy`` and ``MarkerPolicy``. ``ChainDiagnosis`` then finds the reason for
/// a refusal.
struct ChainVerification {
    /// The time of signing, in whole seconds.
    private let time: Timestamp
    /// The environment that the data states.
    private let environment: AppEnvironment
    /// The place of the certificates in the data.
    private let place: String
    private let signer: ParsedCertificate
    private let others: [ParsedCertificate]
    /// The roots that are trusted in the environment and whose certificates are in the data or in the configuration.
    private let roots: [(certificate: ParsedCertificate, trusted: TrustedRoot)]
    /// The root that the signer itself is.
    private let selfSignedRoot: TrustedRoot?

    /// Reads the certificates.
    ///
    /// - Parameter trusted: The roots that are trusted in the environment.
    init(
        _ signer: [UInt8], _ others: [[UInt8]], to trusted: [TrustedRoot], in environment: AppEnvironment, at time: Timestamp, place: String
    ) throws(Refusal) {
        // The certificate library traps on years that a certificate cannot state, and the time is not authentic yet.
        guard Self.supportedTimes.contains(time) else {
            throw Refusal(.validity, at: place, "Invalid value: the time of signing must be between 1970 and 2100.")
        }
        guard others.count < Self.maximumCertificates else { throw Refusal(.tooLarge(limit: Self.maximumCertificates), at: place) }
        // Certificates have no fractions of seconds: without them the last second of a validity counts to its end.
        self.time = time.wholeSeconds
        self.environment = environment
        self.place = place
        self.signer = try ParsedCertificate(signer, at: "\(place)[0]")
        var read: [ParsedCertificate] = []
        var roots: [(certificate: ParsedCertificate, trusted: TrustedRoot)] = []
        for (index, other) in others.enumerated() {
            let place = "\(place)[\(index + 1)]"
            let fingerprint = RootFingerprint(of: other)
            let root = trusted.first { $0.fingerprint == fingerprint }
            let certificate =
                if let known = root?.known { ParsedCertificate(known, at: place) } else { try ParsedCertificate(other, at: place) }
            read.append(certificate)
            if let root { roots.append((certificate, root)) }
        }
        self.others = read
        for root in trusted {
            guard let certificate = root.certificate, !roots.contains(where: { $0.trusted.fingerprint == root.fingerprint }) else {
                continue
            }
            roots.append((ParsedCertificate(certificate, at: place), root))
        }
        self.roots = roots
        let hasSingleCertificate = environment == .xcode && others.isEmpty
        selfSignedRoot = hasSingleCertificate ? trusted.first { $0.fingerprint == RootFingerprint(of: signer) } : nil
    }

    /// Finds and verifies the chain.
    func run(trace: Trace?) async throws(Refusal) -> VerifiedChain {
        trace?.certificates([signer] + others)
        if let selfSignedRoot { return try await verifySelfSigned(selfSignedRoot, trace: trace) }
        guard let chain = await chain(to: roots.map(\.certificate)),
            let root = roots.first(where: { $0.certificate.encoded == chain.last?.encoded })?.trusted,
            let verified = VerifiedChain(chain, root: root.fingerprint)
        else {
            let diagnosis = ChainDiagnosis(signer: signer, others: others, roots: roots.map(\.certificate), time: time, place: place)
            throw diagnosis.refusal()
        }
        trace?.chain(chain, root: root, in: environment, at: time)
        // Additional certificates, or another order, would make further keys for the same chain.
        let isPlain = [signer.encoded] + others.map(\.encoded) == verified.encoded
        return isPlain ? root.cache.insert(verified) : verified
    }

    /// The chain of leaf, one intermediate and one of the roots that the library accepts; nil when it accepts none.
    private func chain(to roots: [ParsedCertificate]) async -> [ParsedCertificate]? {
        // The library gets only certificates that can be the intermediate, so it has no combinations to try.
        let intermediates = others.filter { other in
            other.isNamed(asIssuerOf: signer) && !other.isNamed(asIssuerOf: other)
                && !roots.contains { $0.encoded == other.encoded } && roots.contains { $0.isNamed(asIssuerOf: other) }
        }
        guard !intermediates.isEmpty else { return nil }
        var verifier = Verifier(rootCertificates: CertificateStore(roots.map(\.certificate))) {
            RFC5280Policy.at(time)
            UsagePolicy()
            MarkerPolicy()
        }
        let store = CertificateStore(intermediates.map(\.certificate))
        guard case .validCertificate(let chain) = await verifier.validate(leaf: signer.certificate, intermediates: store) else {
            return nil
        }
        let all = [signer] + intermediates + roots
        let parsed = chain.compactMap { certificate in all.first { $0.certificate == certificate } }
        return parsed.count == 3 ? parsed : nil
    }

    /// Verifies the self-signed certificate of StoreKit testing: it is pinned, so only validity and key usage remain.
    private func verifySelfSigned(_ root: TrustedRoot, trace: Trace?) async throws(Refusal) -> VerifiedChain {
        var verifier = Verifier(rootCertificates: CertificateStore([signer.certificate])) {
            RFC5280Policy.at(time)
            UsagePolicy(ignoringExtendedUsage: true)
        }
        guard case .validCertificate = await verifier.validate(leaf: signer.certificate, intermediates: CertificateStore()),
            let verified = VerifiedChain([signer], root: root.fingerprint)
        else {
            let defect = ChainRules.usage([signer.certificate]) ?? ChainRules.validity([signer], at: time)
            throw Refusal(defect?.reason ?? .chain, at: signer.place, defect?.detail ?? "The self-signed certificate is invalid.")
        }
        trace?.chain([signer], root: root, in: .xcode, at: time)
        return root.cache.insert(verified)
    }

    /// The limit for the certificates besides the signer's; more certificates would only make chain building more expensive.
    ///
    /// Apple's data has three certificates.
    private static let maximumCertificates = 8

    /// The supported times of signing: 1970 to 2100.
    private static let supportedTimes = Timestamp(milliseconds: 0)...Timestamp(milliseconds: 4_102_444_800_000)
}

// The certificate library deprecates its public initializers with a fixed time in favor of SPI. SPI can change in any release, while a
// deprecated public initializer stays until the next major release. A call through a protocol requirement raises no deprecation warning.

private protocol FixedTimePolicy {
    init(fixedValidationTime: Date?)
}

private protocol FixedTimeOCSPPolicy {
    associatedtype Requester

    init(failureMode: OCSPFailureMode, requester: Requester, fixedValidationTime: Date?)
}

extension RFC5280Policy: FixedTimePolicy {
    /// The policy, with certificate expiry at a fixed time.
    package static func at(_ time: Timestamp) -> RFC5280Policy {
        func make<Policy: FixedTimePolicy>(_ type: Policy.Type) -> Policy {
            Policy(fixedValidationTime: time.date)
        }
        return make(RFC5280Policy.self)
    }
}

extension OCSPVerifierPolicy: FixedTimeOCSPPolicy {
    /// The policy, with the validity of OCSP responses at a fixed time.
    package static func at(_ time: Timestamp, failureMode: OCSPFailureMode, requester: Requester) -> OCSPVerifierPolicy {
        func make<Policy: FixedTimeOCSPPolicy>(_ type: Policy.Type, _ requester: Policy.Requester) -> Policy {
            Policy(failureMode: failureMode, requester: requester, fixedValidationTime: time.date)
        }
        return make(OCSPVerifierPolicy<Requester>.self, requester)
    }
}

/// Accepts every chain, and declares the critical extensions that RFC 5280 defines as known.
///
/// For chains that are verified already and only need their revocation status.
struct VerifiedChainPolicy: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = [
        .X509ExtensionID.basicConstraints, .X509ExtensionID.nameConstraints, .X509ExtensionID.keyUsage,
    ]

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        .meetsPolicy
    }
}

extension Trace {
    /// Records the certificates of the data.
    func certificates(_ certificates: [ParsedCertificate]) {
        let observed = certificates.map { certificate in
            let (start, end) = certificate.validity
            return "\(certificate.place): \(Self.printable(certificate.certificate.subject)), \(start) to \(end)"
        }
        passed("certificates", observed.joined(separator: "; "), rule: "Each certificate is DER in its canonical form.")
    }

    /// Records the steps of a verified chain.
    func chain(_ chain: [ParsedCertificate], root: TrustedRoot, in environment: AppEnvironment, at time: Timestamp) {
        let origin = root.certificate == nil ? "pinned" : "configured"
        passed(
            "root", "\(root.fingerprint.description), \(origin)",
            rule: "The SHA-256 fingerprint is that of a root that is trusted in the environment \(environment.rawValue)."
        )
        if chain.count == 3 {
            passed(
                "chain", "root, intermediate, leaf",
                rule: "Each certificate issued the next and may do so. The leaf may sign and is no certificate authority."
            )
            passed(
                "markers", "\(Marker.leaf) and \(Marker.intermediate)", rule: "The leaf has the first marker, the intermediate the second."
            )
        } else {
            skipped("markers", "none", rule: "In StoreKit testing the certificate is self-signed.")
        }
        passed("validity", "signed at \(time)", rule: "Every certificate was valid at the time of signing.")
    }

    /// A distinguished name without control characters, shortened to a line or two.
    private static func printable(_ name: DistinguishedName) -> String {
        let text = String(describing: name).filter { $0.isASCII ? !$0.isNewline && $0 >= " " && $0 != "\u{7F}" : $0.isLetter }
        return text.count > 200 ? text.prefix(200) + "…" : text
    }
}
