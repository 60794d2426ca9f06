/// The reason for a renewal date extension.
public enum ExtendReason: Int, Codable, Hashable, Sendable, CaseIterable {
    /// The developer declared no reason.
    case undeclared = 0
    /// The extension is for customer satisfaction.
    case customerSatisfaction = 1
    /// The extension has another reason.
    case other = 2
    /// The extension compensates for a service issue or outage.
    case serviceIssue = 3
}
