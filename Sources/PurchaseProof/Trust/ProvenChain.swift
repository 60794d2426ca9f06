import PurchaseModel
import X509

/// A chain that was proven: its root counts somewhere, every link is signed, markers and uses are right.
///
/// All of that holds for ever. What must be asked each time is whether the root counts for an environment and whether the time
/// of signing lies within ``validity``.
final class ProvenChain: Sendable {
    /// Leaf, intermediate and root; Xcode's is alone.
    let certificates: [Certificate]
    /// The same as DER, byte for byte as they came.
    let encoded: [[UInt8]]
    /// The root's fingerprint.
    let root: RootFingerprint
    /// The time within which every certificate is valid.
    let validity: ClosedRange<Timestamp>
    /// The key that signs.
    let key: SignerKey

    init(certificates: [Certificate], encoded: [[UInt8]], root: RootFingerprint, validity: ClosedRange<Timestamp>) {
        self.certificates = certificates
        self.encoded = encoded
        self.root = root
        self.validity = validity
        key = certificates.first.map { SignerKey($0.publicKey) } ?? .other
    }
}
