import Testing

@testable import PurchaseProof

/// Something done to a good token, and what must come of it.
struct TokenTrick: Sendable, CustomTestStringConvertible {
    let name: String
    let reason: Refusal.Reason
    let place: String
    let play: @Sendable (inout TokenBuilder) throws -> Void

    init(
        _ name: String, _ reason: Refusal.Reason, at place: String, _ play: @escaping @Sendable (inout TokenBuilder) throws -> Void
    ) {
        self.name = name
        self.reason = reason
        self.place = place
        self.play = play
    }

    var testDescription: String { name }
}
