public import Foundation

/// Sets the customer that a purchase belongs to at the developer's own server.
public struct AppAccountTokenRequest: Codable, Hashable, Sendable {
    /// The customer.
    public var appAccountToken: CustomerID

    /// Creates a request.
    public init(appAccountToken: CustomerID) {
        self.appAccountToken = appAccountToken
    }

    /// Reads a body.
    ///
    /// - Throws: ``ServerAPIError/invalidAppAccountTokenUUID`` without a UUID.
    public init(json: Data) throws(ServerAPIError) {
        let fields = try ServerAPIFields(json)
        guard let text = try fields.string("appAccountToken", or: .invalidAppAccountTokenUUID) else { throw .invalidAppAccountTokenUUID }
        appAccountToken = CustomerID(text)
        guard appAccountToken.isWellFormed else { throw .invalidAppAccountTokenUUID }
    }
}
