import PurchaseProtocol

/// The credentials with which an app sends requests to the developer's server.
public struct ServerCredentials: Codable, Hashable, Sendable {
    /// The publishable API key of the app, which is not a secret.
    public var publishableKey: String
    /// The token that proves to the server that the app acts for its customer; keep it in the keychain.
    public var customerToken: String

    /// Creates credentials.
    public init(publishableKey: String, customerToken: String) {
        self.publishableKey = publishableKey
        self.customerToken = customerToken
    }

    /// The request headers with the customer token.
    package var headers: [String: String] { [ServerHeader.customerToken: customerToken] }
}
