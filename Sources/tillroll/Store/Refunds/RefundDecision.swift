import ArgumentParser

/// The decision on a refund request.
enum RefundDecision: String, EnumerableFlag, Sendable {
    case grant, decline
}
