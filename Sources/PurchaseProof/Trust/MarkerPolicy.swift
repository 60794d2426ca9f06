import SwiftASN1
import X509

/// Demands the chain that Apple signs purchases with: leaf, intermediate and root, the first two with their markers.
struct MarkerPolicy: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = []

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        let certificates = Array(chain)
        guard certificates.count == 3 else { return .failsToMeetPolicy(reason: "The chain does not have three certificates.") }
        guard certificates[0].extensions[oid: Marker.leaf] != nil else {
            return .failsToMeetPolicy(reason: "The signer's certificate lacks the marker for purchases.")
        }
        guard certificates[1].extensions[oid: Marker.intermediate] != nil else {
            return .failsToMeetPolicy(reason: "The intermediate certificate lacks its marker.")
        }
        return .meetsPolicy
    }
}
