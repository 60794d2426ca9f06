/// That the store will put off the renewals of many subscriptions.
public struct MassExtendRenewalDateResponse: Codable, Hashable, Sendable {
    /// What the developer calls the request.
    public var requestIdentifier: String

    /// Creates an answer.
    public init(requestIdentifier: String) {
        self.requestIdentifier = requestIdentifier
    }
}
