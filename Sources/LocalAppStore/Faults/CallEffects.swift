import PurchaseIssuing
import PurchaseModel
import StoreProtocol

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
    var applied: [EnabledFault] = []
}

/// The effects of the enabled faults (simulated failures) on the data that the store signs for a request.
struct SigningEffects: Hashable, Sendable {
    /// The defect that the store's signatures have; nil if they have none.
    var fault: SigningFault?
    /// The seconds by which the dates of signatures are wrong; negative for dates in the past.
    var clockSeconds: Int64 = 0

    /// The effects on the data that the current task signs.
    @TaskLocal static var current = SigningEffects()

    /// Returns a date shifted by ``clockSeconds``.
    func date(_ now: Timestamp) -> Timestamp {
        clockSeconds == 0 ? now : now.adding(seconds: clockSeconds)
    }
}

/// The effects of the enabled faults (simulated failures) on the delivery of an App Store Server Notification.
struct NotificationEffects: Hashable, Sendable {
    /// The maximum time for which a held notification waits for the next notification, in seconds of the store's time.
    static let longestHold: Int64 = 3600

    /// Whether the notification is never sent, to simulate a lost notification.
    var isLost = false
    /// The number of times that the notification is sent; more than 1 simulates duplicate notifications.
    var copies = 1
    /// Whether the notification is held back until the next notification is sent, to simulate delivery in the wrong order.
    var isHeld = false
    /// The time by which the first attempt to send the notification is delayed, in seconds of the store's time.
    var delaySeconds: Int64 = 0
}
