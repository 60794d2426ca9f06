/// What happens to a notification on its way.
struct NotificationEffects: Hashable, Sendable {
    /// How long one that was held back waits for another one to overtake it, in seconds of the store's time.
    static let longestHold: Int64 = 3600

    /// It is never sent.
    var isLost = false
    /// How often it is sent.
    var copies = 1
    /// It waits until another one has overtaken it.
    var isHeld = false
    /// How much later than it should it is sent.
    var delaySeconds: Int64 = 0
}
