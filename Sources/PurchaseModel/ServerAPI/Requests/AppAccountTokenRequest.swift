public import Foundation

/// A request to set the `appAccountToken` of a purchase.
public struct AppAccountTokenRequest: Codable, Hashable, Sendable {
    /// The UUID with which the developer's server identifies the customer.
    public var appAccountToken: CustomerID

    /// Creates a request.
    public init(appAccountToken: CustomerID) {
        self.appAccountToken = appAccountToken
    }

    /// Parses a request body.
    ///
    /// - Throws: ``ServerAPIError/generalBadRequest`` when the body is not a JSON object, and ``ServerAPIError/invalidAppAccountTokenUUID``
    ///   when the token is missing or not a UUID.
    public init(json: Data) throws(ServerAPIError) {
        let fields = try ServerAPIFields(json)
        guard let text = try fields.string("appAccountToken", or: .invalidAppAccountTokenUUID) else { throw .invalidAppAccountTokenUUID }
        appAccountToken = CustomerID(text)
        guard appAccountToken.isWellFormed else { throw .invalidAppAccountTokenUUID }
    }
}
