/// What can go wrong on purpose.
///
/// On the wire an object with one key: `{"delay":{"milliseconds":500}}`, `{"lostReply":{}}`.
public enum FaultKind: Codable, Hashable, Sendable {
    /// The answer to a call comes late, by the machine's time.
    case delay(milliseconds: Int64)
    /// A call is carried out; then the connection is closed instead of an answer.
    case lostReply
    /// A call is not carried out, and answered with this HTTP status, and when to ask again in its protocol's words.
    case status(code: Int, retryAfterSeconds: Int64?)
    /// `verifyReceipt` answers with this status and nothing else.
    case verifyReceiptStatus(code: Int, isRetryable: Bool?)
    /// `verifyReceipt` answers as it does when it is overloaded: with a page instead of JSON.
    case verifyReceiptOutage
    /// What is signed and answered is dated by a clock that is wrong by some seconds.
    case wrongClock(seconds: Int64)
    /// A purchase is refused, with a code of `SKError`'s.
    case purchaseRefused(code: Int)
    /// A notification is never sent.
    case notificationLost
    /// A notification is sent twice.
    case notificationDoubled
    /// A notification waits until another one has overtaken it, or an hour has passed.
    case notificationShuffled
    /// A notification is sent later, by the store's time.
    case notificationLate(seconds: Int64)
    /// What is signed is signed wrongly; the name is one of `expiredIntermediate`, `expiredLeaf`, `revokedLeaf`, `leafWithoutMarker`,
    /// `intermediateWithoutMarker`, `wrongRoot`, `swappedChain`, `changedPayload`, `wrongKey`, `noX5C` and `algNone`.
    ///
    /// Concerns every call that is answered with something signed: of devices, all of purchases, what is unfinished, restores, receipts,
    /// histories, redeemed codes, managed subscriptions and app transactions.
    case signing(fault: String)
}
