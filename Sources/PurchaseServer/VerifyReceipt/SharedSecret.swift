import Crypto
import Foundation

/// The digest of an app's shared secret, for comparisons in constant time.
struct SharedSecret: Equatable, Sendable {
    private let digest: SHA256Digest

    /// Creates the digest of a secret; returns nil for a missing or empty secret.
    init?(_ text: String?) {
        guard let text, !text.isEmpty else { return nil }
        digest = SHA256.hash(data: Data(text.utf8))
    }
}
