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
