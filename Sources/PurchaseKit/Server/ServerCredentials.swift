public import Foundation
import ServerProtocol

/// The credentials with which an app sends requests to the developer's server.
public struct ServerCredentials: Codable, Hashable, Sendable {
    /// The publishable API key of the app, which is not a secret.
    public var publishableKey: String
    /// The token that proves to the server that the app acts for its customer; store the token in the keychain.
    public var customerToken: String
    /// The server's public keys as a JWK set (RFC 7517), which the app contains as a constant; nil to accept unsigned answers.
    ///
    /// `tillroll-server keys verification` prints the set.
    public var verificationKeys: Data?

    /// Creates credentials.
    public init(publishableKey: String, customerToken: String, verificationKeys: Data?) {
        self.publishableKey = publishableKey
        self.customerToken = customerToken
        self.verificationKeys = verificationKeys
    }

    /// The request headers with the customer token.
    package var headers: [String: String] { [ServerHeader.customerToken: customerToken] }
}
