import PurchaseModel
package import SwiftASN1
import X509

/// The rules that a certificate chain must meet in addition to RFC 5280.
///
/// Each function examines one rule, and returns the first defect of the chain, or nil when the chain meets the rule. ``MarkerPolicy`` and
/// ``UsagePolicy`` apply the rules while swift-certificates verifies a chain. ``ChainDiagnosis`` applies them to find the reason for a
/// refusal.
enum ChainRules {
    /// Returns the first defect of a chain that does not have exactly three certificates, or lacks Apple's marker extensions.
    static func markers(_ chain: [Certificate]) -> ChainDefect? {
        guard chain.count == 3 else {
            return ChainDefect(.chain, index: 0, "The chain must have exactly three certificates.")
        }
        if !Marker.isPresent(Marker.leaf, in: chain[0]) {
            return ChainDefect(.marker, index: 0, "The \(ChainDefect.role(0)) must have the marker extension \(Marker.leaf).")
        }
        if !Marker.isPresent(Marker.intermediate, in: chain[1]) {
            return ChainDefect(.marker, index: 1, "The \(ChainDefect.role(1)) must have the marker extension \(Marker.intermediate).")
        }
        return nil
    }

    /// Returns the first defect of a chain in which a certificate is not allowed to have its role.
    ///
    /// The leaf must be allowed to sign data, and must not be a certificate authority. The other certificates must be certificate
    /// authorities that are allowed to issue certificates. A certificate without a key usage may be used for every purpose (RFC 5280,
    /// 4.2.1.3).
    static func usage(_ chain: [Certificate]) -> ChainDefect? {
        for (index, certificate) in chain.enumerated() {
            let usage: KeyUsage?
            let constraints: BasicConstraints?
            do {
                usage = try certificate.extensions.keyUsage
                constraints = try certificate.extensions.basicConstraints
            } catch {
                return ChainDefect(.chain, index: index, "The extensions of the \(ChainDefect.role(index)) can't be read.")
            }
            if index == 0 {
                if let usage, !usage.digitalSignature {
                    return ChainDefect(.chain, index: 0, "The key usage of the \(ChainDefect.role(0)) does not allow signing data.")
                }
                // Xcode's certificate is self-signed.
                if chain.count > 1, case .isCertificateAuthority = constraints {
                    return ChainDefect(.chain, index: 0, "The \(ChainDefect.role(0)) is a certificate authority, which must not sign data.")
                }
                continue
            }
            if let usage, !usage.keyCertSign {
                return ChainDefect(
                    .chain, index: index, "The key usage of the \(ChainDefect.role(index)) does not allow signing certificates.")
            }
            guard case .isCertificateAuthority(let maximumPathLength) = constraints else {
                return ChainDefect(
                    .chain, index: index, "The \(ChainDefect.role(index)) is not a certificate authority, so it cannot issue certificates.")
            }
            if let maximumPathLength, maximumPathLength < index - 1 {
                return ChainDefect(
                    .chain, index: index,
                    "The path length of the \(ChainDefect.role(index)) does not allow the certificate authorities below it.")
            }
        }
        return nil
    }

    /// Returns the first defect of a chain in which a certificate is not valid at a time, which is in whole seconds.
    static func validity(_ chain: [ParsedCertificate], at time: Timestamp) -> ChainDefect? {
        for (index, certificate) in chain.enumerated() {
            let (start, end) = certificate.validity
            if time < start || time > end {
                let dates = "The \(ChainDefect.role(index)) was valid from \(start) to \(end)"
                return ChainDefect(.validity, index: index, "\(dates); the data states that it was signed at \(time).")
            }
        }
        return nil
    }
}

/// A rule that a certificate chain does not meet, with the certificate that has the defect.
struct ChainDefect: Equatable {
    let reason: Refusal.Reason
    /// The index in the chain of the certificate that has the defect; 0 is the leaf.
    let index: Int
    /// The defect as a sentence, which contains no values of the certificates except dates.
    let detail: String

    init(_ reason: Refusal.Reason, index: Int, _ detail: String) {
        self.reason = reason
        self.index = index
        self.detail = detail
    }

    /// Returns the name of a certificate's role in messages, from the certificate's index in the chain.
    static func role(_ index: Int) -> String {
        switch index {
        case 0: "signer's certificate"
        case 1: "intermediate certificate"
        default: "root certificate"
        }
    }
}

/// The extensions with which Apple marks the certificates that sign purchases.
///
/// Apple's authorities also issue certificates to developers. Without this rule, a developer could sign purchases with such a certificate.
package enum Marker {
    /// The extension of leaf certificates whose keys sign receipts and signed data.
    package static let leaf: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]
    /// The extension of Apple's intermediate certificates (Worldwide Developer Relations).
    package static let intermediate: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 1]

    /// Returns whether a certificate has a marker extension.
    ///
    /// The value of the extension has no meaning: it is a NULL in Apple's certificates, and an empty string in the test certificates of
    /// Apple's libraries.
    static func isPresent(_ marker: ASN1ObjectIdentifier, in certificate: Certificate) -> Bool {
        certificate.extensions[oid: marker] != nil
    }
}

/// A policy that requires a chain of leaf, intermediate and root, with Apple's marker extensions in the leaf and the intermediate.
struct MarkerPolicy: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = []

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        if let defect = ChainRules.markers(Array(chain)) { .failsToMeetPolicy(reason: .init(defect.detail)) } else { .meetsPolicy }
    }
}

/// A policy that requires that the key usage of the leaf allows signing data, and the key usages of the other certificates allow signing
/// certificates.
///
/// The policy for RFC 5280 of swift-certificates does not examine the key usage.
struct UsagePolicy: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier]

    /// Creates a policy for the key usage.
    ///
    /// - Parameter ignoringExtendedUsage: Whether to accept certificates with a critical extended key usage. The certificate of StoreKit
    ///   testing in Xcode has a critical extended key usage for code signing, which does not concern receipts.
    init(ignoringExtendedUsage: Bool = false) {
        verifyingCriticalExtensions = ignoringExtendedUsage ? [.X509ExtensionID.extendedKeyUsage] : []
    }

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        if let defect = ChainRules.usage(Array(chain)) { .failsToMeetPolicy(reason: .init(defect.detail)) } else { .meetsPolicy }
    }
}
