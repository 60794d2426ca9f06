/// When a notification that no server took is sent again.
public struct NotificationRetries: Hashable, Sendable {
    /// Hours of the store's time between one attempt and the next.
    public let hours: [Int64]

    private init(hours: [Int64]) {
        self.hours = hours
    }

    /// Five times, as the App Store does for real purchases.
    public static let production = NotificationRetries(hours: [1, 12, 24, 48, 72])
    /// Never, as Apple's sandbox does.
    public static let sandbox = NotificationRetries(hours: [])
}
