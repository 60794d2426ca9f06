/// Why renewal dates are put off.
public enum ExtendReason: Int, Codable, Hashable, Sendable, CaseIterable {
    /// Not said.
    case undeclared = 0
    /// To please the customer.
    case customerSatisfaction = 1
    /// Another reason.
    case other = 2
    /// The service was down.
    case serviceIssue = 3
}
