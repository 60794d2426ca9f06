import GRDB
import PurchaseModel

/// A notification as the notification history (Get Notification History) lists it, with its send attempts.
struct SentNotification: Decodable, Sendable, FetchableRecord {
    /// The maximum number of send attempts that a response contains.
    private static let attemptLimit = 6

    var rowid: Int64
    var signedDate: Timestamp
    var signedPayload: SignedNotification
    /// All attempts to send the notification, oldest first.
    var sendAttempts: [SendAttempt]

    /// The send attempts that a response contains, oldest first.
    var attempts: [SendAttempt] { Array(sendAttempts.prefix(Self.attemptLimit)) }
}
