/// What is to be said of signed data whose kind was not known before.
public struct SignedDataReport: Sendable {
    /// Its kind; nil when it is none that is known, or can't be read.
    public let kind: SignedDataKind?
    /// What it is worth.
    public let verdict: Verdict<VerifiedSignedData>
    /// The payload's JSON as it was signed, not written anew, so nothing is lost; nil when it can't be read.
    ///
    /// Believe it only when the verdict says so.
    public let payload: [UInt8]?
    /// How the verdict was found out; empty unless it was asked for.
    public let explanation: Explanation
}
