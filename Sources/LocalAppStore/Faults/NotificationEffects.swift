/// The effects of faults on the delivery of a notification.
struct NotificationEffects: Hashable, Sendable {
    /// The maximum time for which a held notification waits for a later one to overtake it, in seconds of the store's time.
    static let longestHold: Int64 = 3600

    /// Whether the notification is never sent.
    var isLost = false
    /// The number of times that the notification is sent.
    var copies = 1
    /// Whether the notification waits until a later notification has overtaken it.
    var isHeld = false
    /// The delay of the notification, in seconds.
    var delaySeconds: Int64 = 0
}
