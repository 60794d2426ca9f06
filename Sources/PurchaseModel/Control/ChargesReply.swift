/// What an account was charged.
public struct ChargesReply: Codable, Hashable, Sendable {
    /// Every line, oldest first.
    public var charges: [Charge]

    /// Creates a reply.
    public init(charges: [Charge]) {
        self.charges = charges
    }
}
