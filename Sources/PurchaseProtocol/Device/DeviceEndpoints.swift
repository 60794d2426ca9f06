/// The device API between `OpenStoreKit` and `LocalAppStore`.
///
/// Every call except ``signIn`` has an `Authorization: Bearer` header with the token from the sign-in.
package enum DeviceEndpoints {
    /// The path of the account's events in the app, as server-sent events.
    package static let eventsPath = "/device/v1/events"
}
