/// A response with the progress of a request to extend the renewal dates of many subscriptions.
public struct MassExtendRenewalDateStatusResponse: Codable, Hashable, Sendable {
    /// The developer's identifier of the request.
    public var requestIdentifier: String
    /// Whether the request is complete; only the response to a complete request has a completion date and counts.
    public var complete: Bool
    /// The date when the request was completed.
    public var completeDate: Timestamp?
    /// The number of subscriptions whose renewal dates were extended.
    public var succeededCount: Int64?
    /// The number of subscriptions whose renewal dates could not be extended.
    public var failedCount: Int64?

    /// Creates a response.
    public init(
        requestIdentifier: String, complete: Bool, completeDate: Timestamp? = nil, succeededCount: Int64? = nil, failedCount: Int64? = nil
    ) {
        self.requestIdentifier = requestIdentifier
        self.complete = complete
        self.completeDate = completeDate
        self.succeededCount = succeededCount
        self.failedCount = failedCount
    }
}
