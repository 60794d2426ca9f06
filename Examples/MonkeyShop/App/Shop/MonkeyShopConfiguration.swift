package import OpenStoreKit
package import PurchaseKit
package import PurchaseModel

/// The configuration of the sample app: its device, its server and its user.
package struct MonkeyShopConfiguration: Sendable {
    /// The device on which the app runs.
    package var device: Device
    /// The base address of the developer's server.
    package var serverURL: HTTPURL
    /// The app's user as a customer of the developer's server.
    package var customer: CustomerID
    /// The credentials of the app and of its user on the developer's server.
    package var credentials: ServerCredentials
    /// Whether the contents of an existing vault are discarded, for example because the vault can't be trusted.
    package var resetsVault = false
    /// The clock of the device.
    package var wallClock: any WallClock = SystemWallClock()
    /// Replaces the calls of the developer's server, for example to record them.
    package var wrapServer: @Sendable (any PurchaseService) -> any PurchaseService = { $0 }
    /// Called with the number of bytes after each received part of content, and may wait, as on a slow network.
    package var throttle: @Sendable (Int) async throws -> Void = { _ in }
    /// Called after a purchase is delivered and before its transaction is finished, so that a test can end the process there.
    package var afterDelivery: @Sendable (ProductID) async -> Void

    /// Creates a configuration.
    package init(
        device: Device,
        serverURL: HTTPURL,
        customer: CustomerID,
        credentials: ServerCredentials,
        afterDelivery: @escaping @Sendable (ProductID) async -> Void = { _ in }
    ) {
        self.device = device
        self.serverURL = serverURL
        self.customer = customer
        self.credentials = credentials
        self.afterDelivery = afterDelivery
    }
}
