import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Disables purchases on an account's device.
struct StoreRestrictCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "restrict",
        abstract: "Forbid purchases on a device, or allow them again.",
        discussion: """
              tillroll store restrict 00112233-4455-6677-8899-aabbccddeeff
              tillroll store restrict 00112233-4455-6677-8899-aabbccddeeff --lift

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @Argument(help: "The device's identifier for the vendor, a UUID.") var device: String
    @Flag(help: "Allow purchases again.") var lift = false
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> Empty {
        try await store.call(ControlEndpoints.setDevice, DeviceRequest(isRestricted: !lift), ["device": device])
    }

    func lines(_ answer: Empty, _ style: TerminalStyle) -> [String] {
        [lift ? "Purchases are allowed there again." : "Purchases are forbidden there."]
    }
}
