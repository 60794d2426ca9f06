/// A parent's decision about a payment.
public struct DecisionRequest: Codable, Hashable, Sendable {
    /// Whether the child may buy.
    public var approve: Bool

    /// Creates a request.
    public init(approve: Bool) {
        self.approve = approve
    }
}
