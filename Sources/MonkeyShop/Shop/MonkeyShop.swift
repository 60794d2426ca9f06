import Foundation
package import OpenStoreKit
package import PurchaseKit
package import PurchaseModel
import PurchaseProof
import PurchaseProtocol
package import StoreKit
import WireClient

/// The sample app of this field: monkey credits, photo filters, a book, a magazine and a season pass.
///
/// One value is one launch of the app: opening it starts to observe the payment queue, and whatever earlier launches left
/// unfinished is delivered.
package final class MonkeyShop: Sendable {
    /// What was bought and kept on this device.
    package let vault: Vault
    /// What happened while content was fetched.
    package let downloads = DownloadLog()

    private let configuration: MonkeyShopConfiguration
    private let server: ShopServer
    private let controller: PurchaseController

    /// Launches the app on a device.
    ///
    /// - Throws: ``MonkeyShopError/vault(_:)`` when the vault can't be trusted.
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
                startingAnew: configuration.startsVaultAnew
            )
        } catch {
            throw .vault(error)
        }
        self.configuration = configuration
        server = ShopServer(serverURL: configuration.serverURL, device: device)
        controller = PurchaseController(
            queue: Device.$current.withValue(device) { SKPaymentQueue.default() },
            verifier: verifier,
            vault: vault,
            delivery: MonkeyDelivery(
                server: server,
                downloader: ContentDownloader(serverURL: configuration.serverURL, folder: app.folder + "/content"),
                vault: vault,
                receiptURL: device.receiptURL,
                afterDelivery: configuration.afterDelivery,
                downloads: downloads
            )
        )
        controller.start()
    }

    /// The place of the vault's file on a device.
    package static func vaultPath(in folder: String) -> String { folder + "/vault" }

    /// The device on which the app runs.
    package var device: Device { configuration.device }
    /// The customer at the shop's server.
    package var customer: CustomerID { configuration.customer }

    /// Stops observing the payment queue: the app is about to end.
    package func close() {
        controller.stop()
    }

    /// Returns when queue and deliveries have done all that they can do now.
    package func settle() async {
        var seen = -1
        while true {
            await device.settle()
            let done = await controller.idle()
            await device.settle()
            if done == seen { return }
            seen = done
        }
    }

    // MARK: - Shelf

    /// Asks the server for the products and the store for their prices.
    package func loadShelf() async throws(MonkeyShopError) -> ProductListing {
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

    /// Whether the user may pay; the shop disables its buttons otherwise.
    package var canBuy: Bool {
        Device.$current.withValue(device) { SKPaymentQueue.canMakePayments() }
    }

    /// What stands over the buttons when they are disabled; nil when they are not.
    package var buttonsNotice: String? {
        canBuy ? nil : "AppStore disabled"
    }

    /// What the user is told of an outcome; nil when nothing is due, as after cancelling.
    package static func notice(of outcome: PurchaseOutcome) -> String? {
        switch outcome {
        case .delivered: "Thank you!"
        case .undelivered(_, let error): error.description
        case .cancelled: nil
        case .pending: "Waiting for approval"
        case .failed(_, _, let message): message
        }
    }

    /// Buys a product and waits for the outcome.
    package func buy(_ product: SKProduct, quantity: Int = 1) async -> PurchaseOutcome {
        await controller.buy(product, quantity: quantity, customer: customer)
    }

    /// Adds a payment and does not wait.
    package func add(_ product: SKProduct, quantity: Int = 1) {
        controller.add(product, quantity: quantity, customer: customer)
    }

    /// Tries again to deliver what could not be delivered.
    package func retry() async {
        controller.retry()
        await settle()
    }

    // MARK: - Restoring

    /// Fetches the latest receipt.
    package func refreshReceipt() async throws(MonkeyShopError) {
        do {
            try await Device.$current.withValue(device) { try await ReceiptRefresher.refresh() }
        } catch {
            throw .refused(error.localizedDescription)
        }
    }

    /// Restores, delivering what is in `wanted` and finishing the rest.
    package func restore(_ wanted: Set<ProductID>) async -> RestoreOutcome {
        await controller.restore { offered in wanted.intersection(offered) }
    }

    // MARK: - At the server

    /// The customer's credits as the server's ledger has them.
    package func serverBalance() async throws(MonkeyShopError) -> Int {
        try await asking { () async throws(WireClientError) in
            try await server.call(ServerEndpoints.balance, Empty(), parameters: parameters()).balance
        }
    }

    /// Whether the server gives the customer access to a product, and why.
    package func access(to product: ProductID) async throws(MonkeyShopError) -> Access {
        try await asking { () async throws(WireClientError) in
            try await server.call(ServerEndpoints.access, Empty(), parameters: parameters(product)).access
        }
    }

    private func parameters(_ product: ProductID = "") -> [String: String] {
        ["customer": customer.rawValue, "product": product.rawValue]
    }

    private func asking<Answer>(_ body: () async throws(WireClientError) -> Answer) async throws(MonkeyShopError) -> Answer {
        do {
            return try await body()
        } catch {
            throw error.isPassing ? .networkDown(error.description) : .refused(error.description)
        }
    }

    // MARK: - The book

    /// The book's page: its first line, when it is installed on this device and was not taken back.
    ///
    /// Without a network the answer is what this device knows: what cannot be asked takes nothing away.
    package func openBook() async -> BookPage {
        let access = try? await access(to: MonkeyShopProduct.book)
        if access?.state == .revoked { return .refunded }
        guard let content = await vault.content(of: MonkeyShopProduct.book),
            let text = try? String(contentsOfFile: content.path, encoding: .utf8),
            let line = text.split(separator: "\n", maxSplits: 1).first
        else { return .notBought }
        return .firstLine(String(line))
    }
}
