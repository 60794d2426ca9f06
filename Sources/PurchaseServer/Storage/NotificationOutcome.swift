/// The outcome of a notification; the console shows the raw values.
enum NotificationOutcome: String, Sendable {
    /// The notification changed the state of a purchase.
    case applied
    /// The notification was stored; it concerns no purchase.
    case stored
    /// The notification was received before.
    case known
}
