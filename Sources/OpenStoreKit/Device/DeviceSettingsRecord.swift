import PrivateFiles

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
