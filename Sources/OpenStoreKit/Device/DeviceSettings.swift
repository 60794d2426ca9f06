import PrivateFiles

/// The user's settings of a device, which persist across launches.
public struct DeviceSettings: Hashable, Sendable {
    /// Whether purchases are restricted: the app can request products, but the device refuses payments.
    public var restrictsPayments = false
    /// Whether the device is disconnected from every network.
    public var airplaneMode = false

    /// Creates the settings of a new device.
    public init() {}
}

/// A device's settings in the format of `settings.json`.
struct DeviceSettingsRecord: StoredRecord {
    static let currentVersion = 1

    let version: Int
    let restrictsPayments: Bool
    let airplaneMode: Bool

    init(_ settings: DeviceSettings) {
        version = Self.currentVersion
        restrictsPayments = settings.restrictsPayments
        airplaneMode = settings.airplaneMode
    }

    func value() throws -> DeviceSettings {
        try checkVersion()
        var settings = DeviceSettings()
        settings.restrictsPayments = restrictsPayments
        settings.airplaneMode = airplaneMode
        return settings
    }
}
