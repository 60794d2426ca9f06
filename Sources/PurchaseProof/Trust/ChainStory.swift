import PurchaseModel
import X509

/// Puts into words what was seen of a chain, for explanations.
enum ChainStory {
    /// Names and dates of certificates.
    static func certificates(_ certificates: [PlacedCertificate]) -> String {
        certificates.map { certificate in
            let (start, end) = certificate.validity
            return "\(certificate.place): \(printable(certificate.certificate.subject)), \(start) to \(end)"
        }
        .joined(separator: "; ")
    }

    /// Tells of a chain that was proven.
    static func tell(
        _ chain: [PlacedCertificate], root: TrustedRoot, in environment: AppEnvironment, at time: Timestamp, to trace: Trace
    ) {
        let owner = root.certificate == nil ? "pinned" : "configured"
        trace.passed(
            "root", "\(root.fingerprint.description), \(owner)",
            rule: "Its SHA-256 fingerprint is that of a root which counts for \(environment.rawValue)."
        )
        if chain.count == 3 {
            trace.passed(
                "chain", "root, intermediate, signer", rule: "Each signed the next and may; the signer may sign, and is no authority."
            )
            trace.passed(
                "markers", "\(Marker.leaf) and \(Marker.intermediate)", rule: "The signer has the first, the intermediate the second."
            )
        } else {
            trace.skipped("markers", "none", rule: "In StoreKit testing one certificate vouches for itself.")
        }
        trace.passed("validity", "signed at \(time)", rule: "Every certificate was valid when the data says it was signed.")
    }

    /// A name from a certificate, fit for a terminal: without control characters, and not longer than a line or two.
    private static func printable(_ name: DistinguishedName) -> String {
        let text = String(describing: name).filter { $0.isASCII ? !$0.isNewline && $0 >= " " && $0 != "\u{7F}" : $0.isLetter }
        return text.count > maximumName ? text.prefix(maximumName) + "…" : text
    }

    private static let maximumName = 200
}
