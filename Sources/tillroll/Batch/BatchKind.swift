import ArgumentParser

/// What the items of a batch are.
enum BatchKind: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// Receipts or JWS; each shows by itself.
    case auto
    case receipt, jws
}
