public import OpenStoreKit
public import PurchaseModel

/// On which device the shop runs, which server is its own, and who its customer is.
public struct MonkeyShopConfiguration: Sendable {
    /// The device.
    public var device: Device
    /// The base address of the shop's own server.
    public var serverURL: HTTPURL
    /// The customer at that server.
    public var customer: CustomerID
    /// Whether a vault that can't be trusted is thrown away, as the user decides.
    public var startsVaultAnew = false
    /// Is told when a purchase has had its effect and is about to be finished; tests kill the app there.
    public var afterDelivery: @Sendable (ProductID) async -> Void

    /// Creates a configuration.
    public init(
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
