/// What people who run a store or a server look at; both conform, so one console shows either.
public protocol Backoffice: Sendable {
    /// The name over the page, such as `Local App Store`.
    var title: String { get }

    /// The newest transactions, newest first, at most `limit`.
    func transactions(limit: Int) async throws -> [BackofficeTransaction]

    /// The newest notifications, newest first, at most `limit`.
    func notifications(limit: Int) async throws -> [BackofficeNotification]
}
