/// Whether an account can pay for renewals.
public struct CardRequest: Codable, Hashable, Sendable {
    /// Whether the card works.
    public var works: Bool

    /// Creates a request.
    public init(works: Bool) {
        self.works = works
    }
}
