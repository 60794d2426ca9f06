/// What kind of receipt is wanted; all false, except in tests.
public struct ReceiptRequest: Codable, Hashable, Sendable {
    /// A receipt whose validity has ended.
    public var expired: Bool

    /// Creates a request.
    public init(expired: Bool = false) {
        self.expired = expired
    }
}
