/// The effect of a received notification; the console shows the raw values.
enum NotificationOutcome: String, Sendable {
    /// The notification changed the state of a purchase.
    case applied
    /// The notification was stored and has no further effect, because it contains no transaction.
    case stored
    /// The notification was received before.
    case known
}
