import Foundation
package import PurchaseModel
import SwiftASN1
package import X509

/// Finds and verifies the chain from a signer's certificate to a trusted root, among the certificates that the signed data contains.
///
/// swift-certificates accepts or rejects a chain according to RFC 5280, ``UsagePolicy`` and ``MarkerPolicy``, without a reason. After a
/// rejection, ``ChainDiagnosis`` finds the reason for the refusal.
struct ChainVerification {
    /// The time of signing that the data states, in whole seconds.
    private let time: Timestamp
    /// The environment of the data.
    private let environment: DataEnvironment
    /// The path of the certificates in the data, such as `header.x5c`.
    private let place: String
    private let signer: ParsedCertificate
    private let others: [ParsedCertificate]
    /// The roots that are trusted in ``environment``, and whose certificates are part of the data or of the configuration.
    private let roots: [(certificate: ParsedCertificate, trusted: TrustedRoot)]
    /// The trusted root whose certificate is also the signer's, as in data from Xcode; nil for data with a chain.
    private let selfSignedRoot: TrustedRoot?

    /// Parses the certificates and finds the trusted roots among them.
    ///
    /// - Parameters:
    ///   - signer: The certificate whose key signed the data, as DER.
    ///   - others: The other certificates of the data as DER, in any order.
    ///   - trusted: The roots that are trusted in `environment`.
    ///   - environment: The environment of the data.
    ///   - time: The time of signing that the data states.
    ///   - place: The path of the certificates in the data, such as `header.x5c`.
    /// - Throws: When a certificate is malformed, when there are too many certificates, or when the time is not between 1970 and 2100.
    init(
        _ signer: [UInt8], _ others: [[UInt8]], to trusted: [TrustedRoot], in environment: DataEnvironment, at time: Timestamp,
        place: String
    ) throws(Refusal) {
        // swift-certificates traps on a year that a certificate cannot state, and an attacker can state any time of signing.
        guard Self.supportedTimes.contains(time) else {
            throw Refusal(.validity, at: place, "Invalid value: the time of signing must be between 1970 and 2100.")
        }
        guard others.count < Self.maximumCertificates else { throw Refusal(.tooLarge(limit: Self.maximumCertificates), at: place) }
        // Certificates state whole seconds. Without the fraction, a time within the last second of a certificate's validity is valid.
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
        let hasSingleCertificate = environment == .known(.xcode) && others.isEmpty
        selfSignedRoot = hasSingleCertificate ? trusted.first { $0.fingerprint == RootFingerprint(of: signer) } : nil
    }

    /// Returns the verified chain, and throws a refusal with the reason when there is none.
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
        // The bytes of the certificates are the key of the verified-chain cache. Only data with exactly the certificates of the chain, in
        // their order, adds an entry, so that the same chain cannot fill the cache under different keys.
        let isPlain = [signer.encoded] + others.map(\.encoded) == verified.encoded
        return isPlain ? root.cache.insert(verified) : verified
    }

    /// Returns the chain of the signer's certificate, one intermediate and one of the roots that swift-certificates accepts; nil when
    /// swift-certificates accepts no such chain.
    private func chain(to roots: [ParsedCertificate]) async -> [ParsedCertificate]? {
        // swift-certificates gets only the certificates that can be the intermediate, so that it does not try all combinations.
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

    /// Verifies the validity and the key usage of a self-signed certificate, as in StoreKit testing in Xcode.
    ///
    /// The certificate itself is a trusted root, identified by its fingerprint, so there is no chain to verify.
    private func verifySelfSigned(_ root: TrustedRoot, trace: Trace?) async throws(Refusal) -> VerifiedChain {
        var verifier = Verifier(rootCertificates: CertificateStore([signer.certificate])) {
            RFC5280Policy.at(time)
            UsagePolicy(ignoringExtendedUsage: true)
        }
        guard case .validCertificate = await verifier.validate(leaf: signer.certificate, intermediates: CertificateStore()),
            let verified = VerifiedChain([signer], root: root.fingerprint)
        else {
            let defect = ChainRules.usage([signer.certificate]) ?? ChainRules.validity([signer], at: time)
            throw Refusal(
                defect?.reason ?? .chain, at: signer.place,
                defect?.detail ?? "The self-signed certificate has an unknown critical extension, or violates RFC 5280.")
        }
        trace?.chain([signer], root: root, in: .known(.xcode), at: time)
        return root.cache.insert(verified)
    }

    /// The maximum number of certificates in signed data.
    ///
    /// Data from Apple has three certificates. More certificates would only make the search for the chain more expensive.
    private static let maximumCertificates = 8

    /// The times of signing that the verification supports: from the beginning of 1970 to the beginning of 2100.
    private static let supportedTimes = Timestamp(milliseconds: 0)...Timestamp(milliseconds: 4_102_444_800_000)
}

// swift-certificates deprecates the public initializers of its policies with a fixed time in favor of SPI. SPI can change in any release,
// while a deprecated public initializer remains until the next major release. Calling the deprecated initializers through the requirements
// of these protocols raises no deprecation warnings.

private protocol FixedTimePolicy {
    init(fixedValidationTime: Date?)
}

private protocol FixedTimeOCSPPolicy {
    associatedtype Requester

    init(failureMode: OCSPFailureMode, requester: Requester, fixedValidationTime: Date?)
}

extension RFC5280Policy: FixedTimePolicy {
    /// Returns the policy for RFC 5280 that compares the validity of certificates with a fixed time instead of the current time.
    package static func at(_ time: Timestamp) -> RFC5280Policy {
        func make<Policy: FixedTimePolicy>(_ type: Policy.Type) -> Policy {
            Policy(fixedValidationTime: time.date)
        }
        return make(RFC5280Policy.self)
    }
}

extension OCSPVerifierPolicy: FixedTimeOCSPPolicy {
    /// Returns the OCSP policy that compares the validity of responses with a fixed time instead of the current time.
    package static func at(_ time: Timestamp, failureMode: OCSPFailureMode, requester: Requester) -> OCSPVerifierPolicy {
        func make<Policy: FixedTimeOCSPPolicy>(_ type: Policy.Type, _ requester: Policy.Requester) -> Policy {
            Policy(failureMode: failureMode, requester: requester, fixedValidationTime: time.date)
        }
        return make(OCSPVerifierPolicy<Requester>.self, requester)
    }
}

/// A policy that accepts every chain whose critical extensions are defined by RFC 5280.
///
/// ``OCSPStatusRequest`` uses the policy for chains that are already verified, and whose revocation status alone is unknown.
struct VerifiedChainPolicy: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = [
        .X509ExtensionID.basicConstraints, .X509ExtensionID.nameConstraints, .X509ExtensionID.keyUsage,
    ]

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        .meetsPolicy
    }
}

extension Trace {
    /// Records the step in which the certificates of the data were parsed.
    func certificates(_ certificates: [ParsedCertificate]) {
        let observed = certificates.map { certificate in
            let (start, end) = certificate.validity
            return "\(certificate.place): \(Self.printable(certificate.certificate.subject)), \(start) to \(end)"
        }
        passed("certificates", observed.joined(separator: "; "), rule: "Each certificate must be DER in its canonical form.")
    }

    /// Records the steps in which a chain was verified.
    func chain(_ chain: [ParsedCertificate], root: TrustedRoot, in environment: DataEnvironment, at time: Timestamp) {
        let origin = root.certificate == nil ? "pinned" : "configured"
        passed(
            "root", "\(root.fingerprint.description), \(origin)",
            rule: "The SHA-256 fingerprint must be that of a root that is trusted in the environment \(environment.name)."
        )
        if chain.count == 3 {
            passed(
                "chain", "root, intermediate, leaf",
                rule: "The root must have issued the intermediate, and the intermediate the leaf. Each key usage must allow this."
            )
            passed(
                "markers", "\(Marker.leaf) and \(Marker.intermediate)",
                rule: "The leaf must have the marker extension \(Marker.leaf), and the intermediate \(Marker.intermediate)."
            )
        } else {
            skipped("markers", "none", rule: "A self-signed certificate of StoreKit testing needs no marker extensions.")
        }
        passed("validity", "signed at \(time)", rule: "Every certificate must have been valid at the time of signing.")
    }

    /// Returns a distinguished name as text of at most 200 characters, without control characters.
    private static func printable(_ name: DistinguishedName) -> String {
        let text = String(describing: name).filter { $0.isASCII ? !$0.isNewline && $0 >= " " && $0 != "\u{7F}" : $0.isLetter }
        return text.count > 200 ? text.prefix(200) + "…" : text
    }
}
