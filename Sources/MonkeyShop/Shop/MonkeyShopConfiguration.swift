package import OpenStoreKit
package import PurchaseModel

/// On which device the shop runs, which server is its own, and who its customer is.
package struct MonkeyShopConfiguration: Sendable {
    /// The device.
    package var device: Device
    /// The base address of the shop's own server.
    package var serverURL: HTTPURL
    /// The customer at that server.
    package var customer: CustomerID
    /// Whether a vault that can't be trusted is thrown away, as the user decides.
    package var startsVaultAnew = false
    /// Is told when a purchase has had its effect and is about to be finished; tests kill the app there.
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
