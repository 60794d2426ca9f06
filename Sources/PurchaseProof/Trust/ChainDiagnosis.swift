import PurchaseModel
import SwiftASN1
import X509

/// Says why no chain was found, after the certificate library has said that there is none.
///
/// The order is always the same, from whose word it is to what and when it was given for:
/// 1. No root that counts came or is named as an issuer: `untrustedRoot`.
/// 2. Nobody, or the root, is named as the signer's issuer, or the named one is not named to be issued by the root: `chain`.
/// 3. The signature of the signer's certificate, then that of the intermediate: `chain`; `untrustedRoot` when the root that is
///    named did not come, for then a stranger took its name.
/// 4. What the certificates may be used for: `chain`.
/// 5. Markers, the leaf's first: `marker`.
/// 6. Times, the leaf's first: `validity`.
/// 7. What only the library knows, such as critical extensions that nobody knows: `chain`.
///
/// Where several certificates could be the intermediate, the one that came furthest is spoken of.
struct ChainDiagnosis {
    /// The signer's certificate.
    let signer: PlacedCertificate
    /// What came with it, roots that count among them.
    let others: [PlacedCertificate]
    /// The roots that count, whether they came or were configured.
    let roots: [PlacedCertificate]
    /// When the data says it was signed, in whole seconds.
    let time: Timestamp
    /// Where the certificates lie in the data.
    let place: String

    private var came: [PlacedCertificate] { [signer] + others }

    /// Why there is no chain.
    func refusal() -> Refusal {
        let isConcerned = roots.contains { root in
            isThere(root) || came.contains { root.isNamed(asIssuerOf: $0) }
        }
        guard isConcerned else { return Refusal(.untrustedRoot, at: place) }
        let candidates = others.filter { other in
            other.isNamed(asIssuerOf: signer) && other.encoded != signer.encoded && !roots.contains { $0.encoded == other.encoded }
        }
        let findings = candidates.map(finding)
        guard let furthest = findings.map(\.rank).max(), let finding = findings.first(where: { $0.rank == furthest }) else {
            let isRoots = roots.contains { $0.isNamed(asIssuerOf: signer) }
            let detail =
                isRoots ? "An intermediate certificate must stand between signer and root." : "The signer's issuer is not among them."
            return Refusal(.chain, at: signer.place, detail)
        }
        return finding.refusal
    }

    /// Whether a root came, rather than being configured only.
    private func isThere(_ root: PlacedCertificate) -> Bool {
        others.contains { $0.encoded == root.encoded }
    }

    /// What is wrong with the chain through that intermediate, and how far it came.
    private func finding(_ intermediate: PlacedCertificate) -> (rank: Int, refusal: Refusal) {
        let named = roots.filter { $0.isNamed(asIssuerOf: intermediate) }
        guard !named.isEmpty else {
            let isLong = others.contains { $0.isNamed(asIssuerOf: intermediate) && $0.encoded != intermediate.encoded }
            let detail = isLong ? "More than one intermediate certificate stands below the root." : "The root is not named as its issuer."
            return (0, Refusal(.chain, at: intermediate.place, detail))
        }
        guard intermediate.signed(signer) else {
            return (1, Refusal(.chain, at: signer.place, "The intermediate certificate's key did not sign the signer's certificate."))
        }
        guard let root = named.first(where: { $0.signed(intermediate) }) else {
            guard named.contains(where: isThere) else { return (2, Refusal(.untrustedRoot, at: place)) }
            return (2, Refusal(.chain, at: intermediate.place, "The root's key did not sign the intermediate certificate."))
        }
        let chain = [signer, intermediate, root]
        let certificates = chain.map(\.certificate)
        if let flaw = ChainRules.usage(certificates) { return (3, refusal(flaw, in: chain)) }
        if let flaw = ChainRules.markers(certificates) { return (4, refusal(flaw, in: chain)) }
        if let flaw = ChainRules.validity(chain, at: time) { return (5, refusal(flaw, in: chain)) }
        return (6, Refusal(.chain, at: signer.place, "Its certificates hold something critical that nobody here knows."))
    }

    private func refusal(_ flaw: ChainFlaw, in chain: [PlacedCertificate]) -> Refusal {
        let place = chain.indices.contains(flaw.index) ? chain[flaw.index].place : place
        return Refusal(flaw.reason, at: place, flaw.detail)
    }
}
