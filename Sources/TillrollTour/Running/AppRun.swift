import Foundation
import MonkeyShop
import OpenStoreKit
import PurchaseKit
public import PurchaseModel

/// What an app does in a process of its own, so that it can be killed: a script in a file, played by `tillroll app`.
public struct AppRun: Codable, Sendable {
    /// The store's base address.
    public var storeURL: HTTPURL
    /// The store's root certificates.
    public var rootsPEM: String
    /// The server's base address.
    public var serverURL: HTTPURL
    /// The customer at the server.
    public var customer: CustomerID
    /// The account that signs in.
    public var account: AccountID
    /// Its password, a test fixture.
    public var password: String
    /// The phone's folder.
    public var folder: String
    /// What to buy, if anything.
    public var buys: ProductID?
    /// How many.
    public var quantity = 1
    /// Whether the network goes away after the prices were loaded and before the payment is added.
    public var losesNetworkBeforeBuying = false
    /// Whether the app stops for ever between a purchase's effect and its finishing.
    public var stopsBeforeFinish = false
    /// Whether the app stays open when all is done, until it is killed.
    public var staysOpen = false

    /// Plays the script, reporting each line of news, until it has ended or stops for ever.
    public func play(report: @escaping @Sendable (AppNews) -> Void) async throws {
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
    public static func forEver() async {
        let (stream, _) = AsyncStream.makeStream(of: Never.self)
        for await _ in stream {}
    }
}
