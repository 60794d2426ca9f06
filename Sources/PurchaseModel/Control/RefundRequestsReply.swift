/// Customers' requests for refunds.
public struct RefundRequestsReply: Codable, Hashable, Sendable {
    /// Oldest first.
    public var requests: [RefundRequestDescription]

    /// Creates a reply.
    public init(requests: [RefundRequestDescription]) {
        self.requests = requests
    }
}
