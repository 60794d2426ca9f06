import ArgumentParser

/// The kind of a batch's items.
enum BatchKind: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// Receipts or JWS; the kind of each item is detected from its bytes.
    case auto
    case receipt, jws
}
