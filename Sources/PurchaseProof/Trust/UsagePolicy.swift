import SwiftASN1
import X509

/// Demands that the leaf may sign and the others may certify, which the certificate library's own policy only claims to police.
struct UsagePolicy: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier]

    /// Creates the policy; the StoreKit test certificate has a critical extended key usage, which says nothing about receipts.
    init(ignoringExtendedUsage: Bool = false) {
        verifyingCriticalExtensions = ignoringExtendedUsage ? [.X509ExtensionID.extendedKeyUsage] : []
    }

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        if let flaw = ChainRules.usage(Array(chain)) { .failsToMeetPolicy(reason: .init(flaw.detail)) } else { .meetsPolicy }
    }
}
