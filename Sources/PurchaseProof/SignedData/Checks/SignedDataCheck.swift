/// One question about what a signed payload claims, answered by a small value.
///
/// The three texts are for people who ask why something passed; they must give no secrets away.
public protocol SignedDataCheck: Sendable {
    /// What is looked at, such as `bundle`.
    var name: String { get }

    /// The rule that the payload must meet, as a sentence.
    var rule: String { get }

    /// What is there to be seen.
    func saw(_ claims: SignedDataClaims) -> String

    /// Throws when the payload does not pass.
    func examine(_ claims: SignedDataClaims) throws(Refusal)
}
