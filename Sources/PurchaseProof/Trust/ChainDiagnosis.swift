import PurchaseModel
import SwiftASN1
import X509

/// Finds the reason for a refusal after swift-certificates has rejected all chains of the certificates in signed data.
///
/// The possible reasons are examined in this order:
/// 1. No trusted root is among the certificates or is named as the issuer of a certificate: `untrustedRoot`.
/// 2. The issuer of the signer's certificate is not among the intermediates, or the intermediate's issuer does not match the root's
///    subject: `chain`.
/// 3. The signature of the signer's certificate or of the intermediate is invalid: `chain`. If the intermediate's signature is invalid and
///    the data does not contain the trusted root, another authority with the root's name can have issued the intermediate: `untrustedRoot`.
/// 4. A certificate's key usage does not allow its role: `chain`.
/// 5. The leaf or the intermediate lacks its marker extension: `marker`.
/// 6. A certificate was not valid at the time of signing: `validity`.
/// 7. The chain has any other defect, such as an unknown critical extension: `chain`.
///
/// When several certificates could be the intermediate, the refusal concerns the certificate that passes the most of these examinations.
struct ChainDiagnosis {
    /// The signer's certificate.
    let signer: ParsedCertificate
    /// The other certificates of the data, including trusted roots.
    let others: [ParsedCertificate]
    /// The certificates of the roots that are trusted in the environment of the data, from the data or from the configuration.
    let roots: [ParsedCertificate]
    /// The time of signing that the data states, in whole seconds.
    let time: Timestamp
    /// The path of the certificates in the data, such as `header.x5c`.
    let place: String

    private var all: [ParsedCertificate] { [signer] + others }

    /// Returns the refusal with the first reason that applies.
    func refusal() -> Refusal {
        let namesRoot = roots.contains { root in
            isIncluded(root) || all.contains { root.isNamed(asIssuerOf: $0) }
        }
        guard namesRoot else { return Refusal(.untrustedRoot, at: place) }
        let candidates = others.filter { other in
            other.isNamed(asIssuerOf: signer) && other.encoded != signer.encoded && !roots.contains { $0.encoded == other.encoded }
        }
        let findings = candidates.map(finding)
        guard let furthest = findings.map(\.rank).max(), let finding = findings.first(where: { $0.rank == furthest }) else {
            let isIssuedByRoot = roots.contains { $0.isNamed(asIssuerOf: signer) }
            let detail =
                isIssuedByRoot
                ? "The chain has no intermediate certificate." : "The issuer of the signer's certificate is not among the certificates."
            return Refusal(.chain, at: signer.place, detail)
        }
        return finding.refusal
    }

    /// Returns whether the certificate of a root is part of the data.
    private func isIncluded(_ root: ParsedCertificate) -> Bool {
        others.contains { $0.encoded == root.encoded }
    }

    /// Returns the refusal of the chain with a given intermediate, and a rank that is higher the more examinations the chain passes.
    private func finding(_ intermediate: ParsedCertificate) -> (rank: Int, refusal: Refusal) {
        let named = roots.filter { $0.isNamed(asIssuerOf: intermediate) }
        guard !named.isEmpty else {
            let isLong = others.contains { $0.isNamed(asIssuerOf: intermediate) && $0.encoded != intermediate.encoded }
            let detail =
                isLong
                ? "The chain has more than one intermediate certificate." : "The intermediate's issuer does not match the root's subject."
            return (0, Refusal(.chain, at: intermediate.place, detail))
        }
        guard intermediate.signed(signer) else {
            return (1, Refusal(.chain, at: signer.place, "The signature of the signer's certificate is invalid."))
        }
        guard let root = named.first(where: { $0.signed(intermediate) }) else {
            guard named.contains(where: isIncluded) else { return (2, Refusal(.untrustedRoot, at: place)) }
            return (2, Refusal(.chain, at: intermediate.place, "The signature of the intermediate certificate is invalid."))
        }
        let chain = [signer, intermediate, root]
        let certificates = chain.map(\.certificate)
        if let defect = ChainRules.usage(certificates) { return (3, refusal(defect, in: chain)) }
        if let defect = ChainRules.markers(certificates) { return (4, refusal(defect, in: chain)) }
        if let defect = ChainRules.validity(chain, at: time) { return (5, refusal(defect, in: chain)) }
        return (6, Refusal(.chain, at: signer.place, "A certificate has an unknown critical extension, or the chain violates RFC 5280."))
    }

    private func refusal(_ defect: ChainDefect, in chain: [ParsedCertificate]) -> Refusal {
        let place = chain.indices.contains(defect.index) ? chain[defect.index].place : place
        return Refusal(defect.reason, at: place, defect.detail)
    }
}
