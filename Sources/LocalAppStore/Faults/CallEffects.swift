import PurchaseModel
import PurchaseProtocol

/// What faults do to one call, or to one notification.
struct CallEffects: Hashable, Sendable {
    /// What is answered instead of carrying the call out.
    enum Answer: Hashable, Sendable {
        /// An HTTP status, and when to ask again.
        case status(code: Int, retryAfterSeconds: Int64?)
        /// A status of `verifyReceipt`.
        case verifyReceipt(VerifyReceiptStatus, isRetryable: Bool?)
        /// The page of an overloaded `verifyReceipt`.
        case outage
        /// A purchase is refused.
        case refusal(code: Int)
    }

    /// How much later the call is answered.
    var delayMilliseconds: Int64 = 0
    /// The call is carried out and never answered.
    var losesReply = false
    /// Nil for carrying the call out.
    var answer: Answer?
    var signing = SigningEffects()
    var notification = NotificationEffects()
    /// The faults that had an effect, with what is left of them.
    var struck: [FaultsReply.Entry] = []
}
