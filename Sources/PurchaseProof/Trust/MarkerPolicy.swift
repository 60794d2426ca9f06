import SwiftASN1
import X509

/// Demands the chain that Apple signs purchases with: leaf, intermediate and root, the first two with their markers.
struct MarkerPolicy: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = []

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        if let flaw = ChainRules.markers(Array(chain)) { .failsToMeetPolicy(reason: .init(flaw.detail)) } else { .meetsPolicy }
    }
}
