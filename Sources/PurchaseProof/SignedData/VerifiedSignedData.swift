/// Signed data that a verifier has vouched for, of whichever kind.
public enum VerifiedSignedData: Hashable, Sendable {
    /// A transaction.
    case transaction(VerifiedTransaction)
    /// Renewal information.
    case renewalInfo(VerifiedRenewalInfo)
    /// An app transaction.
    case appTransaction(VerifiedAppTransaction)
    /// A notification and what is inside.
    case notification(VerifiedNotification)
    /// A request for an answer at once.
    case realtimeRequest(VerifiedRealtimeRequest)
    /// Something of a kind that is not known here; its JSON is in the report.
    case other(VerifiedOther)
}
