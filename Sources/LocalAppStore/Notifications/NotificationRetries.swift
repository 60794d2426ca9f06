import PurchaseModel

/// The retry schedule of a notification that no server accepted.
public struct NotificationRetries: Hashable, Sendable {
    /// The hours between one attempt and the next, in the store's time.
    public let hours: [Int64]

    private init(hours: [Int64]) {
        self.hours = hours
    }

    /// Five retries, as the App Store does in production.
    public static let production = NotificationRetries(hours: [1, 12, 24, 48, 72])
    /// No retries, as in Apple's sandbox.
    public static let sandbox = NotificationRetries(hours: [])
    /// Three retries, as the App Store does with version 1 notifications.
    static let version1 = NotificationRetries(hours: [6, 24, 48])

    /// The retry schedule for a notification version and an environment.
    ///
    /// - Parameter sandbox: The schedule of the sandbox environment, which may have no retries.
    static func pattern(version: Int, in environment: AppEnvironment, sandbox: NotificationRetries) -> NotificationRetries {
        let pattern = environment == .production ? .production : sandbox
        return version == 1 && pattern == .production ? .version1 : pattern
    }
}
