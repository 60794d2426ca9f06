/// What kind of receipt is wanted; all false, except in tests (`SKReceiptProperty…`).
public struct ReceiptRequest: Codable, Hashable, Sendable {
    /// A receipt whose validity has ended.
    public var expired: Bool
    /// A receipt that was revoked.
    public var revoked: Bool
    /// A receipt of an app that an organisation bought in volume.
    public var volumePurchase: Bool
    /// The app's version on the device; nil for the one that the store knows.
    public var appVersion: String?

    /// Creates a request.
    public init(expired: Bool = false, revoked: Bool = false, volumePurchase: Bool = false, appVersion: String? = nil) {
        self.expired = expired
        self.revoked = revoked
        self.volumePurchase = volumePurchase
        self.appVersion = appVersion
    }

    /// Reads a request; what older devices do not state is false.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        expired = try container.decode(Bool.self, forKey: .expired)
        revoked = try container.decodeIfPresent(Bool.self, forKey: .revoked) ?? false
        volumePurchase = try container.decodeIfPresent(Bool.self, forKey: .volumePurchase) ?? false
        appVersion = try container.decodeIfPresent(String.self, forKey: .appVersion)
    }
}
