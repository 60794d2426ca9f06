import GRDB
import PurchaseModel

/// A notification with its send attempts, as the notification history lists it.
struct SentNotification: Decodable, Sendable, FetchableRecord {
    /// The maximum number of listed attempts.
    private static let attemptLimit = 6

    var rowid: Int64
    var signedDate: Timestamp
    var signedPayload: SignedNotification
    /// The send attempts, stored as JSON.
    var sendAttempts: [SendAttempt]

    /// The listed attempts.
    var attempts: [SendAttempt] { Array(sendAttempts.prefix(Self.attemptLimit)) }
}
