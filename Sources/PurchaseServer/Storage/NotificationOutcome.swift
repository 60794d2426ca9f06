/// What became of a notification; the raw values are what the console shows.
enum NotificationOutcome: String, Sendable {
    /// It stated something about a purchase, which counts from now on.
    case applied
    /// It is kept; it states nothing about a purchase.
    case stored
    /// It had come before; nothing was done.
    case known
}
