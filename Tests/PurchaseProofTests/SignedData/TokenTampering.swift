import Testing

@testable import PurchaseProof

/// A change to a genuine token, with the reason and the place of the expected refusal.
struct TokenTampering: Sendable, CustomTestStringConvertible {
    let name: String
    let reason: Refusal.Reason
    let place: String
    let apply: @Sendable (inout TokenBuilder) throws -> Void

    init(
        _ name: String, _ reason: Refusal.Reason, at place: String, _ apply: @escaping @Sendable (inout TokenBuilder) throws -> Void
    ) {
        self.name = name
        self.reason = reason
        self.place = place
        self.apply = apply
    }

    var testDescription: String { name }
}
