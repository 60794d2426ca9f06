/// The protocol between a device and a store: what `OpenStoreKit` asks and `LocalAppStore` answers.
///
/// Every call but ``signIn`` carries `Authorization: Bearer` with the token of the sign-in.
package enum DeviceEndpoints {
    /// What happens to the account in the app, as server-sent events.
    package static let eventsPath = "/device/v1/events"
}
