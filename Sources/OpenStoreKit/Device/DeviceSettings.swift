/// What the user of a device has set in its settings; kept across launches.
public struct DeviceSettings: Codable, Hashable, Sendable {
    /// Whether purchases are restricted: prices can be asked for, payments are refused.
    public var restrictsPayments = false
    /// Whether the device is cut off from every network.
    public var airplaneMode = false

    /// Creates the settings of a new device.
    public init() {}
}
