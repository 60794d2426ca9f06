/// How far the store is with putting off many renewals.
public struct MassExtendRenewalDateStatusResponse: Codable, Hashable, Sendable {
    /// What the developer calls the request.
    public var requestIdentifier: String
    /// Whether it is done; only then there are the fields below.
    public var complete: Bool
    /// When it was done.
    public var completeDate: Timestamp?
    /// How many were put off.
    public var succeededCount: Int64?
    /// How many could not be.
    public var failedCount: Int64?

    /// Creates an answer.
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
