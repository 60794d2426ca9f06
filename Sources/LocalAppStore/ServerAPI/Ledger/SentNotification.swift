import GRDB
import PurchaseModel

/// A notification with what became of it, as histories tell of it.
struct SentNotification: Decodable, Sendable, FetchableRecord {
    /// The most attempts that are told of.
    private static let attemptLimit = 6

    var rowid: Int64
    var signedDate: Timestamp
    var signedPayload: SignedNotification
    /// Stored as JSON.
    var sendAttempts: [SendAttempt]

    /// The attempts that are told of.
    var attempts: [SendAttempt] { Array(sendAttempts.prefix(Self.attemptLimit)) }
}
