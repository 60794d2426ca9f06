import PurchaseModel
import PurchaseProtocol

/// The effects of the enabled faults (simulated failures) on one request to the store, or on one notification.
struct CallEffects: Hashable, Sendable {
    /// A response that the store sends instead of processing a request.
    enum Answer: Hashable, Sendable {
        /// An HTTP error status, and the seconds in the `Retry-After` header; nil omits the header.
        case status(code: Int, retryAfterSeconds: Int64?)
        /// A `status` of `verifyReceipt`, and the value of its member `is_retryable`; nil omits the member.
        case verifyReceipt(VerifyReceiptStatus, isRetryable: Bool?)
        /// The HTML error page that an overloaded `verifyReceipt` returns.
        case outage
        /// The refusal of a purchase with a code of `SKError`.
        case refusal(code: Int)
    }

    /// The time by which the response is delayed, in milliseconds.
    var delayMilliseconds: Int64 = 0
    /// Whether the store processes the request and then closes the connection without a response.
    var closesConnection = false
    /// The response that the store sends instead of processing the request; nil if the store processes the request.
    var answer: Answer?
    var signing = SigningEffects()
    var notification = NotificationEffects()
    /// The faults that affect the request or the notification, with the number of times that they still apply.
    var applied: [FaultsReply.EnabledFault] = []
}
