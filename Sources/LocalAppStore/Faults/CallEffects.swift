import PurchaseModel
import PurchaseProtocol

/// The effects of faults on one request, or on one notification.
struct CallEffects: Hashable, Sendable {
    /// The response that replaces the execution of a request.
    enum Answer: Hashable, Sendable {
        /// An HTTP status, with an optional time after which to retry.
        case status(code: Int, retryAfterSeconds: Int64?)
        /// A status of `verifyReceipt`.
        case verifyReceipt(VerifyReceiptStatus, isRetryable: Bool?)
        /// The error page of an overloaded `verifyReceipt`.
        case outage
        /// The refusal of a purchase.
        case refusal(code: Int)
    }

    /// The delay of the response.
    var delayMilliseconds: Int64 = 0
    /// Whether the request is executed but gets no response.
    var closesConnection = false
    /// The replacement response; nil if the request is executed.
    var answer: Answer?
    var signing = SigningEffects()
    var notification = NotificationEffects()
    /// The faults that had an effect, with their remaining counts.
    var applied: [FaultsReply.EnabledFault] = []
}
