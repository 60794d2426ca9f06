/// A signer that no trusted root vouches for.
struct UntrustedChain: Error {
    /// What is wrong, in a sentence without anything from the certificates.
    let reason: String
}
