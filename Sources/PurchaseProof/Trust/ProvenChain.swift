import Crypto
import Foundation
import PurchaseModel
import X509

/// A chain that was proven: its root counts somewhere, every link is signed, markers and uses are right.
///
/// All of that holds for ever. What must be asked each time is whether the root counts for an environment and whether the time
/// of signing lies within ``validity``.
final class ProvenChain: Sendable {
    /// Leaf, intermediate and root; Xcode's is alone.
    let certificates: [Certificate]
    /// The same with what was read of them besides.
    let placed: [PlacedCertificate]
    /// The same as DER, byte for byte as they came.
    let encoded: [[UInt8]]
    /// The same as text in standard base64, as `x5c` has it.
    let base64: [[UInt8]]
    /// The root's fingerprint.
    let root: RootFingerprint
    /// The time within which every certificate is valid, in whole seconds.
    let validity: ClosedRange<Timestamp>
    /// The key that signs.
    let key: SignerKey
    /// The name of the leaf's issuer in DER, as it stands in the leaf.
    let issuer: [UInt8]
    /// The content of the INTEGER that is the leaf's serial number.
    let serial: [UInt8]
    /// A digest of what the issuers signed: the same for every spelling of their signatures.
    let identity: [UInt8]

    /// Takes over what was proven; nil when there is no time at which all certificates are valid.
    init?(_ certificates: [PlacedCertificate], root: RootFingerprint) {
        guard let leaf = certificates.first else { return nil }
        var start = leaf.validity.start
        var end = leaf.validity.end
        for certificate in certificates.dropFirst() {
            start = max(start, certificate.validity.start)
            end = min(end, certificate.validity.end)
        }
        guard start <= end else { return nil }
        validity = start...end
        placed = certificates
        self.certificates = certificates.map(\.certificate)
        encoded = certificates.map(\.encoded)
        base64 = certificates.map { Array(Data($0.encoded).base64EncodedData()) }
        self.root = root
        key = SignerKey(leaf.certificate.publicKey)
        issuer = leaf.issuer
        serial = leaf.serial
        var digest = SHA256()
        for certificate in certificates { digest.update(data: certificate.certificate.tbsCertificateBytes) }
        identity = Array(digest.finalize())
    }

    /// Whether a chain of this form may be one of that environment: a certificate may vouch for itself in Xcode only.
    func isOfForm(of environment: AppEnvironment) -> Bool {
        encoded.count == 3 || environment == .xcode
    }
}
