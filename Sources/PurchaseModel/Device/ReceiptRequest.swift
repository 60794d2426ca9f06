/// What kind of receipt is wanted; all false, except in tests (`SKReceiptProperty…`).
public struct ReceiptRequest: Codable, Hashable, Sendable {
    /// A receipt whose validity has ended.
    public var expired: Bool
    /// A receipt that was revoked.
    public var revoked: Bool
    /// A receipt of an app that an organisation bought in volume.
    public var volumePurchase: Bool

    /// Creates a request.
    public init(expired: Bool = false, revoked: Bool = false, volumePurchase: Bool = false) {
        self.expired = expired
        self.revoked = revoked
        self.volumePurchase = volumePurchase
    }

    /// Reads a request; what older devices do not state is false.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        expired = try container.decode(Bool.self, forKey: .expired)
        revoked = try container.decodeIfPresent(Bool.self, forKey: .revoked) ?? false
        volumePurchase = try container.decodeIfPresent(Bool.self, forKey: .volumePurchase) ?? false
    }
}
