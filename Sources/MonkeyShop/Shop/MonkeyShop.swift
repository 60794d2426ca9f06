import Foundation
package import OpenStoreKit
package import PurchaseKit
package import PurchaseModel
import PurchaseProof
package import PurchaseProtocol
package import StoreKit
import WireClient

/// The sample app, which sells credits, photo filters, a book, a magazine and a season pass.
///
/// Each instance is one app session. It observes the payment queue, and delivers unfinished transactions of earlier app sessions.
package final class MonkeyShop: Sendable {
    /// The vault with the purchases and the installed content of this device.
    package let vault: Vault
    /// The events of this app session's content downloads.
    package let downloads = DownloadLog()

    private let configuration: MonkeyShopConfiguration
    private let server: ShopServer
    private let controller: PurchaseController

    /// Launches the app on a device.
    ///
    /// - Throws: ``MonkeyShopError/vault(_:)`` if the vault can't be opened, ``MonkeyShopError/roots`` if the root certificates are
    ///   invalid.
    package init(_ configuration: MonkeyShopConfiguration) async throws(MonkeyShopError) {
        let device = configuration.device
        let app = device.configuration
        let roots: TrustedRoots
        do {
            roots = try TrustedRoots.apple(and: app.rootsPEM, in: [.sandbox])
        } catch {
            throw .roots
        }
        let verifier = SignedDataVerifier(roots: roots, bundleID: app.bundleID, environments: [.sandbox])
        do {
            vault = try await Vault(
                path: Self.vaultPath(in: app.folder),
                keychain: FileKeychain(folder: app.folder + "/keychain"),
                bundleID: app.bundleID,
                device: device.id.rawValue,
                verifier: verifier,
                startingAnew: configuration.resetsVault
            )
        } catch {
            throw .vault(error)
        }
        self.configuration = configuration
        server = ShopServer(serverURL: configuration.serverURL, credentials: configuration.credentials, device: device)
        controller = PurchaseController(
            queue: Device.$current.withValue(device) { SKPaymentQueue.default() },
            verifier: verifier,
            vault: vault,
            delivery: MonkeyDelivery(
                server: server,
                downloader: ContentDownloader(
                    serverURL: configuration.serverURL, credentials: configuration.credentials, folder: app.folder + "/content"),
                vault: vault,
                afterDelivery: configuration.afterDelivery,
                downloads: downloads
            )
        )
        controller.start()
    }

    /// Returns the path of the vault's file in the folder of a device.
    package static func vaultPath(in folder: String) -> String { folder + "/vault" }

    /// The device on which the app runs.
    package var device: Device { configuration.device }
    /// The app's user as a customer of the developer's server.
    package var customer: CustomerID { configuration.customer }

    /// Stops observing the payment queue, at the end of the app session.
    package func close() {
        controller.stop()
    }

    /// Waits until the device has no work and all deliveries have ended.
    package func waitUntilIdle() async {
        var seen = -1
        while true {
            await device.waitUntilIdle()
            let done = await controller.idle()
            await device.waitUntilIdle()
            if done == seen { return }
            seen = done
        }
    }

    // MARK: - Products

    /// Fetches the product list from the server, and the prices from the store.
    package func loadProducts() async throws(MonkeyShopError) -> ProductListing {
        do {
            let listed = try await server.call(ServerEndpoints.products, Empty()).products
            let response = try await Device.$current.withValue(device) {
                try await ProductsLoader.load(Set(listed.map(\.id.rawValue)))
            }
            let products = listed.compactMap { entry in response.products.first { $0.productIdentifier == entry.id.rawValue } }
            return ProductListing(listed: listed, products: products, invalid: response.invalidProductIdentifiers.map { ProductID($0) })
        } catch {
            throw .networkDown((error as? WireClientError)?.description ?? error.localizedDescription)
        }
    }

    // MARK: - Buying

    /// Whether the user may make payments; if not, the app disables its purchase buttons.
    package var canBuy: Bool {
        Device.$current.withValue(device) { SKPaymentQueue.canMakePayments() }
    }

    /// The notice above the disabled purchase buttons; nil if they are enabled.
    package var buttonsNotice: String? {
        canBuy ? nil : "Purchases are disabled on this device."
    }

    /// Returns the notice that the app shows for the outcome of a purchase; nil for a canceled purchase.
    package static func notice(of outcome: PurchaseOutcome) -> String? {
        switch outcome {
        case .delivered: "Thank you!"
        case .undelivered(_, let error): error.description
        case .cancelled: nil
        case .pending: "Waiting for approval"
        case .failed(_, _, let message): message
        }
    }

    /// Purchases a product and waits for the outcome.
    package func buy(_ product: SKProduct, quantity: Int = 1) async -> PurchaseOutcome {
        await controller.buy(product, quantity: quantity, customer: customer)
    }

    /// Adds a payment for a product to the queue, and returns at once.
    package func add(_ product: SKProduct, quantity: Int = 1) {
        controller.add(product, quantity: quantity, customer: customer)
    }

    /// Tries again to deliver the unfinished purchases, and waits until the app is idle.
    package func retry() async {
        controller.retry()
        await waitUntilIdle()
    }

    // MARK: - Restoring

    /// Refreshes the app receipt, as `SKReceiptRefreshRequest` does.
    package func refreshReceipt() async throws(MonkeyShopError) {
        do {
            try await Device.$current.withValue(device) {
                try await Device.withUserGesture { try await ReceiptRefresher.refresh() }
            }
        } catch {
            throw .refused(error.localizedDescription)
        }
    }

    /// Restores the account's purchases, and delivers only the products in `wanted`.
    package func restore(_ wanted: Set<ProductID>) async -> RestoreOutcome {
        await Device.withUserGesture { await controller.restore { offered in wanted.intersection(offered) } }
    }

    // MARK: - Server

    /// Returns the customer's balance of credits on the server.
    package func serverBalance() async throws(MonkeyShopError) -> Int64 {
        try await callServer { () async throws(WireClientError) in
            try await server.call(ServerEndpoints.balances, Empty()).amount()
        }
    }

    /// Returns the customer's entitlement to a product according to the server.
    package func entitlement(to product: ProductID) async throws(MonkeyShopError) -> EntitlementReply {
        try await callServer { () async throws(WireClientError) in
            try await server.call(ServerEndpoints.entitlement, Empty(), parameters: ["entitlement": product.rawValue])
        }
    }

    private func callServer<Answer>(_ body: () async throws(WireClientError) -> Answer) async throws(MonkeyShopError) -> Answer {
        do {
            return try await body()
        } catch {
            throw error.isRetryable ? .networkDown(error.description) : .refused(error.description)
        }
    }

    // MARK: - The book

    /// Returns the book's page: the first line if the book is installed on this device and was not refunded.
    ///
    /// An installed book can also be read if the server can't be reached.
    package func openBook() async -> BookPage {
        let entitlement = try? await entitlement(to: MonkeyShopProduct.book)
        if entitlement?.state == .revoked { return .refunded }
        guard let content = await vault.content(of: MonkeyShopProduct.book),
            let text = try? String(contentsOfFile: content.path, encoding: .utf8),
            let line = text.split(separator: "\n", maxSplits: 1).first
        else { return .notPurchased }
        return .firstLine(String(line))
    }
}
