/// The settings that the user of a device has changed; they persist across launches.
public struct DeviceSettings: Hashable, Sendable {
    /// Whether purchases are restricted: products can be requested, payments are refused.
    public var restrictsPayments = false
    /// Whether the device is disconnected from every network.
    public var airplaneMode = false

    /// Creates the settings of a new device.
    public init() {}
}
