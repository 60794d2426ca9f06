/// The user's settings of a device, which persist across launches.
public struct DeviceSettings: Hashable, Sendable {
    /// Whether purchases are restricted: the app can request products, but the device refuses payments.
    public var restrictsPayments = false
    /// Whether the device is disconnected from every network.
    public var airplaneMode = false

    /// Creates the settings of a new device.
    public init() {}
}
