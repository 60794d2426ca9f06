import PurchaseModel
import SwiftASN1
import X509

/// The rules of Apple's chains, each as the first flaw against it; nil for none.
///
/// ``MarkerPolicy`` and ``UsagePolicy`` have the certificate library ask them, and ``ChainDiagnosis`` asks them to say what was
/// wrong when the library has refused a chain.
enum ChainRules {
    /// Leaf and intermediate carry their markers, and there are exactly three certificates.
    static func markers(_ chain: [Certificate]) -> ChainFlaw? {
        guard chain.count == 3 else {
            return ChainFlaw(.chain, index: 0, "The chain must have exactly three certificates.")
        }
        if !Marker.isPresent(Marker.leaf, in: chain[0]) {
            return ChainFlaw(.marker, index: 0, "The \(ChainFlaw.role(0)) must have extension \(Marker.leaf).")
        }
        if !Marker.isPresent(Marker.intermediate, in: chain[1]) {
            return ChainFlaw(.marker, index: 1, "The \(ChainFlaw.role(1)) must have extension \(Marker.intermediate).")
        }
        return nil
    }

    /// The leaf may sign and is no authority; the others are authorities and may certify.
    ///
    /// A certificate without a key usage may be used for anything (RFC 5280, 4.2.1.3).
    static func usage(_ chain: [Certificate]) -> ChainFlaw? {
        for (index, certificate) in chain.enumerated() {
            let usage: KeyUsage?
            let constraints: BasicConstraints?
            do {
                usage = try certificate.extensions.keyUsage
                constraints = try certificate.extensions.basicConstraints
            } catch {
                return ChainFlaw(.chain, index: index, "The extensions of the \(ChainFlaw.role(index)) can't be read.")
            }
            if index == 0 {
                if let usage, !usage.digitalSignature {
                    return ChainFlaw(.chain, index: 0, "The key usage of the \(ChainFlaw.role(0)) does not allow signatures.")
                }
                // Xcode's signer vouches for itself.
                if chain.count > 1, case .isCertificateAuthority = constraints {
                    return ChainFlaw(.chain, index: 0, "The \(ChainFlaw.role(0)) is one of an authority.")
                }
                continue
            }
            if let usage, !usage.keyCertSign {
                return ChainFlaw(.chain, index: index, "The key usage of the \(ChainFlaw.role(index)) does not allow to certify.")
            }
            guard case .isCertificateAuthority(let maximumPathLength) = constraints else {
                return ChainFlaw(.chain, index: index, "The \(ChainFlaw.role(index)) is not one of an authority.")
            }
            if let maximumPathLength, maximumPathLength < index - 1 {
                return ChainFlaw(.chain, index: index, "The \(ChainFlaw.role(index)) allows no other authority below it.")
            }
        }
        return nil
    }

    /// Every certificate was valid at that time, which is one of whole seconds.
    static func validity(_ chain: [PlacedCertificate], at time: Timestamp) -> ChainFlaw? {
        for (index, certificate) in chain.enumerated() {
            let (start, end) = certificate.validity
            if time < start || time > end {
                let dates = "The \(ChainFlaw.role(index)) was valid from \(start) to \(end)"
                return ChainFlaw(.validity, index: index, "\(dates); it says it was signed at \(time).")
            }
        }
        return nil
    }
}
