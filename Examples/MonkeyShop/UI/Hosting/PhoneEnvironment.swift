import Logging
import MonkeyShop
import MonkeyShopBackend
import OpenStoreKit
import PurchaseKit
import PurchaseModel

/// The environment of the app on a phone: the App Store, the developer's server and the phone's files.
struct PhoneEnvironment: Sendable {
    let person: ShopWorld.Person
    let folder: String
    let storeURL: HTTPURL
    let serverURL: HTTPURL
    let rootsPEM: String
    /// The credentials of the app and the person on the developer's server; nil if the person has no account on the server.
    let credentials: ServerCredentials?
    let clock: any WallClock
    let messages: Messages
    let logger: Logger

    /// Launches the app.
    ///
    /// - Parameters:
    ///   - interface: The sheets of the phone.
    ///   - resetsVault: Whether the contents of the vault are discarded.
    ///   - speed: The speed of the phone's network.
    func launch(_ interface: PageInterface, resetsVault: Bool = false, speed: NetworkSpeed) async throws -> LaunchedApp {
        let device = try Device(
            DeviceConfiguration(
                storeURL: storeURL, bundleID: MonkeyShopSample.bundleID, appVersion: MonkeyShopSample.version, folder: folder,
                rootsPEM: rootsPEM, interface: interface),
            transport: RecordingTransport(transport: HTTPStoreTransport(storeURL: storeURL), messages: messages, speed: speed),
            logger: logger)
        speed.isDown = device.settings.airplaneMode
        guard let credentials else { throw MonkeyShopError.refused("This person has no account on the server.") }
        var configuration = MonkeyShopConfiguration(
            folder: folder, serverURL: serverURL, customer: person.customer, credentials: credentials, extraRoots: rootsPEM)
        configuration.resetsVault = resetsVault
        configuration.wallClock = clock
        configuration.throttle = { try await speed.wait(for: $0) }
        configuration.observe = { [messages] in messages.add($0) }
        return try await LaunchedApp(on: device, configuration)
    }
}
