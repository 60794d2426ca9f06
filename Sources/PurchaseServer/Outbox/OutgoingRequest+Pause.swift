import FoundationExtras
import PurchaseStorage

extension OutgoingRequest {
    /// Returns the pause in seconds after a failed attempt: a minute, doubled for each further attempt, and at most an hour.
    static func pause(afterAttempt attempt: Int) -> Int64 {
        Backoff(from: .seconds(60), upTo: .seconds(3_600)).delay(after: attempt).components.seconds
    }
}
