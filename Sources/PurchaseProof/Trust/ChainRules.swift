import PurchaseModel
package import SwiftASN1
import X509

/// The rules for Apple's chains.
///
/// Each function returns the first defect, or nil.
///
/// ``MarkerPolicy`` and ``UsagePolicy`` apply them in the certificate library, and ``ChainDiagnosis`` finds the reason with them when the
/// library has refused a chain.
enum ChainRules {
    /// The chain has exactly three certificates, and leaf and intermediate have their markers.
    static func markers(_ chain: [Certificate]) -> ChainDefect? {
        guard chain.count == 3 else {
            return ChainDefect(.chain, index: 0, "The chain must have exactly three certificates.")
        }
        if !Marker.isPresent(Marker.leaf, in: chain[0]) {
            return ChainDefect(.marker, index: 0, "The \(ChainDefect.role(0)) must have extension \(Marker.leaf).")
        }
        if !Marker.isPresent(Marker.intermediate, in: chain[1]) {
            return ChainDefect(.marker, index: 1, "The \(ChainDefect.role(1)) must have extension \(Marker.intermediate).")
        }
        return nil
    }

    /// The leaf may sign and is no certificate authority; the others are authorities and may issue certificates.
    ///
    /// A certificate without a key usage may be used for every purpose (RFC 5280, 4.2.1.3).
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
                    return ChainDefect(.chain, index: 0, "The key usage of the \(ChainDefect.role(0)) does not allow signatures.")
                }
                // Xcode's certificate is self-signed.
                if chain.count > 1, case .isCertificateAuthority = constraints {
                    return ChainDefect(.chain, index: 0, "The \(ChainDefect.role(0)) is a certificate authority.")
                }
                continue
            }
            if let usage, !usage.keyCertSign {
                return ChainDefect(
                    .chain, index: index, "The key usage of the \(ChainDefect.role(index)) does not allow signing certificates.")
            }
            guard case .isCertificateAuthority(let maximumPathLength) = constraints else {
                return ChainDefect(.chain, index: index, "The \(ChainDefect.role(index)) is no certificate authority.")
            }
            if let maximumPathLength, maximumPathLength < index - 1 {
                return ChainDefect(.chain, index: index, "The \(ChainDefect.role(index)) allows no certificate authority below it.")
            }
        }
        return nil
    }

    /// Every certificate is valid at a time of whole seconds.
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

/// A defect of a chain, and the certificate that has it.
struct ChainDefect: Equatable {
    let reason: Refusal.Reason
    /// The index of the certificate in the chain; 0 is the leaf.
    let index: Int
    /// The defect as a sentence that contains no data except dates.
    let detail: String

    init(_ reason: Refusal.Reason, index: Int, _ detail: String) {
        self.reason = reason
        self.index = index
        self.detail = detail
    }

    /// The name of the certificate at an index of a chain.
    static func role(_ index: Int) -> String {
        switch index {
        case 0: "signer's certificate"
        case 1: "intermediate certificate"
        default: "root certificate"
        }
    }
}

/// Apple's marker extensions, which state the purpose of a chain.
///
/// Without them every developer certificate from Apple would be accepted.
package enum Marker {
    /// The extension of leaf certificates that sign receipts and signed data.
    package static let leaf: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]
    /// The extension of the intermediate certificate (Worldwide Developer Relations).
    package static let intermediate: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 1]

    /// Whether a certificate has a marker extension.
    ///
    /// The value of the extension is not examined. It is a NULL in Apple's certificates, and an empty string in those that Apple's
    /// libraries are tested with. The issuer's signature covers both.
    static func isPresent(_ marker: ASN1ObjectIdentifier, in certificate: Certificate) -> Bool {
        certificate.extensions[oid: marker] != nil
    }
}

/// Requires a chain of leaf, intermediate and root, the first two with Apple's markers for purchases.
struct MarkerPolicy: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = []

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        if let defect = ChainRules.markers(Array(chain)) { .failsToMeetPolicy(reason: .init(defect.detail)) } else { .meetsPolicy }
    }
}

/// Requires that the key usage of the leaf allows signatures, and that of the others certificates.
///
/// The library's RFC 5280 policy does not examine the key usage.
struct UsagePolicy: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier]

    /// Creates the policy.
    ///
    /// - Parameter ignoringExtendedUsage: Whether a critical extended key usage is accepted. The certificate of StoreKit testing has one
    ///   that does not concern receipts.
    init(ignoringExtendedUsage: Bool = false) {
        verifyingCriticalExtensions = ignoringExtendedUsage ? [.X509ExtensionID.extendedKeyUsage] : []
    }

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        if let defect = ChainRules.usage(Array(chain)) { .failsToMeetPolicy(reason: .init(defect.detail)) } else { .meetsPolicy }
    }
}
