import Foundation
import Logging
import MonkeyShop
import OpenStoreKit
package import PurchaseKit
package import PurchaseModel
import StoreKit

/// A script for the sample app in a separate process, stored as a JSON file that `monkeyshop app` runs.
package struct AppScript: Codable, Sendable {
    /// The store's base address.
    package var storeURL: HTTPURL
    /// The store's root certificates in PEM.
    package var rootsPEM: String
    /// The server's base address.
    package var serverURL: HTTPURL
    /// The customer of the developer's server.
    package var customer: CustomerID
    /// The credentials of the app and of its user on the developer's server.
    package var credentials: ServerCredentials
    /// The store account that signs in.
    package var account: AccountID
    /// The account's password, a test fixture.
    package var password: String
    /// The folder with the phone's files.
    package var folder: String
    /// The product to buy; nil for no purchase.
    package var productToBuy: ProductID?
    /// The quantity to buy.
    package var quantity = 1
    /// Whether the network becomes unavailable after the prices are loaded and before the payment is added.
    package var losesNetworkBeforePurchase = false
    /// Whether the app hangs after it has delivered a purchase and before it finishes the transaction.
    package var hangsBeforeFinish = false
    /// Whether the app continues to run after the script, until it is killed.
    package var keepsRunning = false

    /// Runs the script until it ends or hangs, and passes each line of output to `report`.
    package func play(report: @escaping @Sendable (AppOutput) -> Void) async throws {
        let hangs = hangsBeforeFinish
        // The output of the process is that of the tour, which shows no log.
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
        let shop = try await MonkeyShop(
            MonkeyShopConfiguration(device: device, serverURL: serverURL, customer: customer, credentials: credentials) { product in
                report(.delivered(product))
                if hangs { await Self.suspendForever() }
            }
        )
        if let productToBuy {
            guard try await shop.loadProducts().product(productToBuy) != nil else { throw MonkeyShopError.productUnavailable }
            if losesNetworkBeforePurchase {
                try await device.change { $0.airplaneMode = true }
            }
            shop.add(productToBuy, quantity: quantity)
        }
        await shop.waitUntilIdle()
        report(.idle(balance: await shop.balance(), queue: device.paymentQueue.transactions.map(\.transactionState.rawValue)))
        if keepsRunning { await Self.suspendForever() }
        withExtendedLifetime(shop) {}
    }

    /// Waits forever; only killing the process ends the wait.
    package static func suspendForever() async {
        let (stream, _) = AsyncStream.makeStream(of: Never.self)
        for await _ in stream {}
    }
}
