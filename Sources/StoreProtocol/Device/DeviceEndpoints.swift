/// The device API between `OpenStoreKit` and `LocalAppStore`.
///
/// Calls other than ``signIn`` and ``products`` require an `Authorization: Bearer` header with the token from the sign-in.
package enum DeviceEndpoints {
    /// The path of the event stream with an account's events in an app.
    package static let eventsPath = "/device/v1/events"
    /// The path template of the content that the store hosts for a transaction.
    package static let contentPath = "/device/v1/content/{transaction}"
}
