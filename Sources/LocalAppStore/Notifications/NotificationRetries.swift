import PurchaseModel

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
    /// Three times, as the App Store does with notifications of the first version.
    static let version1 = NotificationRetries(hours: [6, 24, 48])

    /// The pattern for notifications of a version about purchases in an environment.
    ///
    /// - Parameter sandbox: Whether the sandbox tries again at all.
    static func pattern(version: Int, in environment: AppEnvironment, sandbox: NotificationRetries) -> NotificationRetries {
        let pattern = environment == .production ? .production : sandbox
        return version == 1 && pattern == .production ? .version1 : pattern
    }
}
