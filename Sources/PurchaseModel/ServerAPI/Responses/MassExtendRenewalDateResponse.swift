/// A response to a request to extend the renewal dates of many subscriptions.
public struct MassExtendRenewalDateResponse: Codable, Hashable, Sendable {
    /// The developer's identifier of the request.
    public var requestIdentifier: String

    /// Creates a response.
    public init(requestIdentifier: String) {
        self.requestIdentifier = requestIdentifier
    }
}
