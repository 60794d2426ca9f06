import PurchaseModel

/// The schedule of repeated attempts to send a notification that the developer's server did not accept.
public struct NotificationRetries: Hashable, Sendable {
    /// The hours of the store's time between each attempt and the next; empty for a single attempt.
    public let hours: [Int64]

    private init(hours: [Int64]) {
        self.hours = hours
    }

    /// The App Store's schedule in production: five repeated attempts within 157 hours.
    public static let production = NotificationRetries(hours: [1, 12, 24, 48, 72])
    /// The schedule of Apple's sandbox: no repeated attempts.
    public static let sandbox = NotificationRetries(hours: [])
    /// The App Store's schedule for version 1 notifications in production: three repeated attempts.
    static let version1 = NotificationRetries(hours: [6, 24, 48])

    /// Returns the schedule for a notification version and an environment.
    ///
    /// - Parameters:
    ///   - version: The version of App Store Server Notifications: 1 or 2.
    ///   - sandbox: The configured schedule of the sandbox environment.
    static func pattern(version: Int, in environment: AppEnvironment, sandbox: NotificationRetries) -> NotificationRetries {
        let pattern = environment == .production ? .production : sandbox
        return version == 1 && pattern == .production ? .version1 : pattern
    }
}
