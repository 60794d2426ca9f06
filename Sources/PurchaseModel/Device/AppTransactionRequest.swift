/// Asks for the statement that an account got an app.
public struct AppTransactionRequest: Codable, Hashable, Sendable {
    /// The app's version on the device; nil for the one that the store knows.
    public var appVersion: String?

    /// Creates a request.
    public init(appVersion: String? = nil) {
        self.appVersion = appVersion
    }
}
