import ArgumentParser

/// What becomes of a customer's request for a refund.
enum RefundDecision: String, EnumerableFlag, Sendable {
    case grant, decline
}
