package import OpenStoreKit
package import PurchaseModel

/// The device, the server and the customer of the shop.
package struct MonkeyShopConfiguration: Sendable {
    /// The device.
    package var device: Device
    /// The base address of the shop's server.
    package var serverURL: HTTPURL
    /// The customer of the server.
    package var customer: CustomerID
    /// Whether an existing vault is discarded, as the user decides when it can't be trusted.
    package var resetsVault = false
    /// Called after a purchase was delivered and before it is finished; tests end the app session there.
    package var afterDelivery: @Sendable (ProductID) async -> Void

    /// Creates a configuration.
    package init(
        device: Device,
        serverURL: HTTPURL,
        customer: CustomerID,
        afterDelivery: @escaping @Sendable (ProductID) async -> Void = { _ in }
    ) {
        self.device = device
        self.serverURL = serverURL
        self.customer = customer
        self.afterDelivery = afterDelivery
    }
}
