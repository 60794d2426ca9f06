import ArgumentParser
import PurchaseModel
import StoreProtocol
import Wire

/// Lists the devices on which accounts signed in, and the devices with restricted purchases.
struct StoreDevicesCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List the devices on which accounts signed in.",
        discussion: """
            The device with the newest sign-in is first. The store keeps the date of a device's latest request until the store stops.

              tillroll store devices
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> DevicesReply {
        try await store.call(ControlEndpoints.devices)
    }

    func lines(_ output: DevicesReply, _ style: TerminalStyle) -> [String] {
        var table = TextTable(["device", "accounts", "apps", "purchases", "last seen"])
        for device in output.devices {
            table.add([
                device.device.rawValue, device.accounts.map(\.rawValue).joined(separator: ", "),
                device.bundleIDs.map(\.rawValue).joined(separator: ", "), device.isRestricted ? "restricted" : "allowed",
                device.lastSeen.map { "\($0)" } ?? "",
            ])
        }
        return table.isEmpty ? [style.faint("no devices")] : table.lines(style, indent: "")
    }
}

/// Restricts purchases on a device, or lifts the restriction.
struct StoreRestrictCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "restrict",
        abstract: "Restrict purchases on a device, or lift the restriction.",
        discussion: """
              tillroll store restrict 00112233-4455-6677-8899-aabbccddeeff
              tillroll store restrict 00112233-4455-6677-8899-aabbccddeeff --lift
            """,
        exitCodes: .store
    )

    @Argument(help: "The device's identifierForVendor, a UUID.") var device: String
    @Flag(help: "Lift the restriction.") var lift = false
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> Empty {
        try await store.call(ControlEndpoints.setDevice, DeviceRestrictionRequest(isRestricted: !lift), ["device": device])
    }

    func lines(_ output: Empty, _ style: TerminalStyle) -> [String] {
        [lift ? "Purchases are allowed on the device." : "Purchases are restricted on the device."]
    }
}
