import Foundation
import MonkeyShop
import OpenStoreKit
import PurchaseKit
package import PurchaseModel
import StoreKit

/// What an app does in a process of its own, so that it can be killed: a script in a file, played by `tillroll app`.
package struct AppRun: Codable, Sendable {
    /// The store's base address.
    package var storeURL: HTTPURL
    /// The store's root certificates.
    package var rootsPEM: String
    /// The server's base address.
    package var serverURL: HTTPURL
    /// The customer at the server.
    package var customer: CustomerID
    /// The account that signs in.
    package var account: AccountID
    /// Its password, a test fixture.
    package var password: String
    /// The phone's folder.
    package var folder: String
    /// What to buy, if anything.
    package var buys: ProductID?
    /// How many.
    package var quantity = 1
    /// Whether the network goes away after the prices were loaded and before the payment is added.
    package var losesNetworkBeforeBuying = false
    /// Whether the app stops for ever between a purchase's effect and its finishing.
    package var stopsBeforeFinish = false
    /// Whether the app stays open when all is done, until it is killed.
    package var staysOpen = false

    /// Plays the script, reporting each line of news, until it has ended or stops for ever.
    package func play(report: @escaping @Sendable (AppNews) -> Void) async throws {
        let stops = stopsBeforeFinish
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
                if stops { await Self.forEver() }
            }
        )
        if let buys {
            guard let product = try await shop.loadShelf()[buys] else { throw MonkeyShopError.notSold }
            if losesNetworkBeforeBuying {
                try device.change { $0.airplaneMode = true }
            }
            shop.add(product, quantity: quantity)
        }
        await shop.settle()
        report(.settled(balance: await shop.vault.balance, queue: device.paymentQueue.transactions.map(\.transactionState.rawValue)))
        if staysOpen { await Self.forEver() }
        withExtendedLifetime(shop) {}
    }

    /// Waits for the end of the process.
    package static func forEver() async {
        let (stream, _) = AsyncStream.makeStream(of: Never.self)
        for await _ in stream {}
    }
}
