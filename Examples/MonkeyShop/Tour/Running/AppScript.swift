import Foundation
import Logging
import MonkeyShop
import MonkeyShopBackend
import OpenStoreKit
public import PurchaseKit
public import PurchaseModel
import StoreKit

/// A script for the sample app in a separate process, stored as a JSON file that `monkeyshop app` runs.
public struct AppScript: Codable, Sendable {
    /// The store's base address.
    public var storeURL: HTTPURL
    /// The store's root certificates in PEM.
    public var rootsPEM: String
    /// The server's base address.
    public var serverURL: HTTPURL
    /// The customer ID of the app's user on the developer's server.
    public var customer: CustomerID
    /// The credentials of the app and of its user on the developer's server.
    public var credentials: ServerCredentials
    /// The store account that signs in.
    public var account: AccountID
    /// The account's password, a test fixture.
    public var password: String
    /// The path of the folder with the phone's files.
    public var folder: String
    /// The product to buy; nil for no purchase.
    public var productToBuy: ProductID?
    /// The quantity to buy.
    public var quantity = 1
    /// Whether the network becomes unavailable after the prices are loaded and before the payment is added.
    public var losesNetworkBeforePurchase = false
    /// Whether the app hangs after it has delivered a purchase and before it finishes the transaction.
    public var hangsBeforeFinish = false
    /// Whether the app continues to run after the script, until it is killed.
    public var keepsRunning = false

    /// Runs the script.
    ///
    /// The function does not return if ``keepsRunning`` is true, or if ``hangsBeforeFinish`` is true and a purchase is delivered.
    ///
    /// - Parameter report: Called with each line of output.
    /// - Throws: `MonkeyShopError` if the app can't be launched or can't load the product, or an error of the device.
    public func play(report: @escaping @Sendable (AppOutput) -> Void) async throws {
        let hangs = hangsBeforeFinish
        // Log critical messages only, because the process shares the tour's standard error.
        var logger = Logger(label: "OpenStoreKit")
        logger.logLevel = .critical
        let device = try Device(
            DeviceConfiguration(
                storeURL: storeURL,
                bundleID: MonkeyShopSample.bundleID,
                appVersion: MonkeyShopSample.version,
                folder: folder,
                rootsPEM: rootsPEM,
                interface: AutomaticInterface(Credentials(account: account, password: password))
            ),
            logger: logger
        )
        var configuration = MonkeyShopConfiguration(
            folder: folder, serverURL: serverURL, customer: customer, credentials: credentials, extraRoots: rootsPEM)
        configuration.afterDelivery = { product in
            report(.delivered(product))
            if hangs { await Self.suspendForever() }
        }
        let app = try await LaunchedApp(on: device, configuration)
        if let productToBuy {
            let state = try await app.run { shop async throws(MonkeyShopError) in try await shop.loadProducts() }
            guard state.product(productToBuy) != nil else { throw MonkeyShopError.productUnavailable }
            if losesNetworkBeforePurchase {
                try await device.change { $0.airplaneMode = true }
            }
            app.call { $0.add(productToBuy, quantity: quantity) }
        }
        await app.waitUntilIdle()
        report(.idle(balance: await app.shop.balance(), queue: app.paymentQueue.transactions.map(\.transactionState.rawValue)))
        if keepsRunning { await Self.suspendForever() }
        withExtendedLifetime(app) {}
    }

    /// Waits until the process is killed.
    public static func suspendForever() async {
        let (stream, _) = AsyncStream.makeStream(of: Never.self)
        for await _ in stream {}
    }
}
