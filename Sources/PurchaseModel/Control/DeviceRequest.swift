/// Whether purchases are allowed on a device.
public struct DeviceRequest: Codable, Hashable, Sendable {
    /// Whether they are forbidden.
    public var isRestricted: Bool

    /// Creates a request.
    public init(isRestricted: Bool) {
        self.isRestricted = isRestricted
    }
}
