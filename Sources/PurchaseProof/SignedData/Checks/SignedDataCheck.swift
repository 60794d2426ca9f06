/// One question about what a signed payload claims, answered by a small value.
public protocol SignedDataCheck: Sendable {
    /// Throws when the payload does not pass.
    func examine(_ claims: SignedDataClaims) throws(Refusal)
}
