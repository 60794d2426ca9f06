import PurchaseStorage

extension AppStoreRequest {
    /// Returns the pause in seconds after a failed attempt: a minute, doubled for each further attempt, and at most an hour.
    static func pause(afterAttempt attempt: Int) -> Int64 {
        min(60 << Int64(min(max(attempt - 1, 0), 6)), 3_600)
    }
}
