import Foundation
import MonkeyShop
import OpenStoreKit
import PurchaseKit
package import PurchaseModel
import StoreKit

/// The script of an app in its own process, which can be killed: a file that `tillroll app` runs.
package struct AppScript: Codable, Sendable {
    /// The store's base address.
    package var storeURL: HTTPURL
    /// The store's root certificates.
    package var rootsPEM: String
    /// The server's base address.
    package var serverURL: HTTPURL
    /// The customer on the server.
    package var customer: CustomerID
    /// The account that signs in.
    package var account: AccountID
    /// The account's password, a test fixture.
    package var password: String
    /// The phone's folder.
    package var folder: String
    /// The product to buy; nil for no purchase.
    package var productToBuy: ProductID?
    /// The quantity to buy.
    package var quantity = 1
    /// Whether the network becomes unavailable after the prices are loaded and before the payment is added.
    package var losesNetworkBeforePurchase = false
    /// Whether the app hangs between the delivery of a purchase and its finishing.
    package var hangsBeforeFinish = false
    /// Whether the app continues to run after the script, until it is killed.
    package var keepsRunning = false

    /// Runs the script until it ends or hangs, and reports each output value.
    package func play(report: @escaping @Sendable (AppOutput) -> Void) async throws {
        let hangs = hangsBeforeFinish
        let device = try Device(
            DeviceConfiguration(
                storeURL: storeURL,
                bundleID: MonkeyShopSample.bundleID,
                appVersion: MonkeyShopSample.version,
                folder: folder,
                rootsPEM: rootsPEM,
                interface: AutomaticInterface(Credentials(account: account, password: password))
            )
        )
        let shop = try await MonkeyShop(
            MonkeyShopConfiguration(device: device, serverURL: serverURL, customer: customer) { product in
                report(.delivered(product))
                if hangs { await Self.suspendForever() }
            }
        )
        if let productToBuy {
            guard let product = try await shop.loadProducts()[productToBuy] else { throw MonkeyShopError.notSold }
            if losesNetworkBeforePurchase {
                try device.change { $0.airplaneMode = true }
            }
            shop.add(product, quantity: quantity)
        }
        await shop.waitUntilIdle()
        report(.idle(balance: await shop.vault.balance, queue: device.paymentQueue.transactions.map(\.transactionState.rawValue)))
        if keepsRunning { await Self.suspendForever() }
        withExtendedLifetime(shop) {}
    }

    /// Waits until the process is killed.
    package static func suspendForever() async {
        let (stream, _) = AsyncStream.makeStream(of: Never.self)
        for await _ in stream {}
    }
}
