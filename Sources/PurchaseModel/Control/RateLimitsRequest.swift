/// Switches the limits of the App Store Server API on or off.
public struct RateLimitsRequest: Codable, Hashable, Sendable {
    /// Whether apps may call only as often as the App Store lets them.
    public var isOn: Bool

    /// Creates a request.
    public init(isOn: Bool) {
        self.isOn = isOn
    }
}
