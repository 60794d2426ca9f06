/// Why a key can't be used.
package enum BackendKeyError: Error, Hashable, Sendable {
    /// The text is no private P-256 key in PEM form.
    case notAPrivateKey
    /// The text is no P-256 key in PEM form, neither public nor private.
    case notAKey
    /// The machine has no random numbers to sign with.
    case cannotSign
}
