import Crypto
import Foundation

/// The digest of an app's shared secret, which is compared in a time that does not depend on the position of a wrong character.
struct SharedSecret: Equatable, Sendable {
    private let digest: SHA256Digest

    /// Creates the digest of a secret; nil for a missing or empty one, which matches nothing.
    init?(_ text: String?) {
        guard let text, !text.isEmpty else { return nil }
        digest = SHA256.hash(data: Data(text.utf8))
    }
}
