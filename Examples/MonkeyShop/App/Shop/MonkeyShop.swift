package import Foundation
import MessageSignatures
package import OpenStoreKit
package import PurchaseKit
package import PurchaseModel
import PurchaseProof
package import ServerProtocol
import StoreKit
import Wire
import WireClient

/// The sample app, which sells credits, photo filters, a book, a magazine and a season pass.
///
/// Each instance is one app session. `Purchases` delivers what is purchased, also for earlier app sessions.
package final class MonkeyShop: Sendable {
    /// The app's purchases.
    package let purchases: Purchases
    /// The vault with the purchases and the installed content of this device.
    package let vault: Vault
    /// The events of this app session's content downloads.
    package let downloads: DownloadLog

    private let configuration: MonkeyShopConfiguration
    private let server: ShopServer
    /// The observer of StoreKit 1's queue, which has what StoreKit 2 lacks: hosted content, and restoring one user's purchases.
    private let observer: PaymentObserver

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
            vault = try await Self.openVault(in: app.folder, of: app.bundleID, resetting: configuration.resetsVault)
        } catch {
            throw .vault(error)
        }
        self.configuration = configuration
        downloads = DownloadLog()
        server = ShopServer(serverURL: configuration.serverURL, credentials: configuration.credentials, device: device)
        let credentials = configuration.credentials
        let connection = ServerConnection(
            serverURL: configuration.serverURL, deviceVerificationID: device.verificationID,
            isReachable: { !device.settings.airplaneMode }, credentials: { _ in credentials })
        let hostedContent = HostedContentDelivery(folder: app.folder + "/hosted-content")
        var purchases = PurchasesConfiguration(
            products: .server,
            fulfillments: Self.fulfillments(configuration, downloads, hostedContent),
            vault: vault,
            verifier: verifier,
            server: ServerConnection(configuration.wrapServer(connection.service)),
            customer: configuration.customer)
        purchases.leaseVerifier = credentials.verificationKeys.flatMap { try? VerificationKeySet(jwks: [UInt8]($0)) }.map {
            LeaseVerifier(keys: $0, issuer: "tillroll-server", bundleID: app.bundleID)
        }
        purchases.nonRenewingDurations[MonkeyShopProduct.summerPass] = BillingPeriod(3, .month)
        purchases.wallClock = configuration.wallClock
        purchases.step = { [afterDelivery = configuration.afterDelivery] step in
            if case .recorded(let product) = step { await afterDelivery(product) }
        }
        // The tasks of the app session inherit the device.
        (self.purchases, observer) = await Device.$current.withValue(device) {
            await MainActor.run { [purchases] in
                let session = Purchases(purchases)
                session.start()
                let observer = PaymentObserver(session, hostedContent: hostedContent)
                observer.start()
                return (session, observer)
            }
        }
    }

    private static func fulfillments(
        _ configuration: MonkeyShopConfiguration, _ downloads: DownloadLog, _ hostedContent: HostedContentDelivery
    ) -> [ProductID: Fulfillment] {
        var downloader = ContentDownloader(
            serverURL: configuration.serverURL, credentials: configuration.credentials,
            folder: configuration.device.configuration.folder + "/content")
        let device = configuration.device
        downloader.throttle = { [throttle = configuration.throttle] bytes in
            guard !device.settings.airplaneMode else { throw ContentError.interrupted(received: 0) }
            try await throttle(bytes)
        }
        let content = LoggedContent(downloader: downloader, log: downloads, device: device)
        return [
            MonkeyShopProduct.credits5: .credit(.credits, 5),
            MonkeyShopProduct.credits10: .credit(.credits, 10),
            MonkeyShopProduct.book: .deliver(content),
            MonkeyShopProduct.atlas: .downloadLater(content),
            MonkeyShopProduct.songs: .deliver(hostedContent),
        ]
    }

    /// Returns the path of the vault's file in the folder of a device.
    package static func vaultPath(in folder: String) -> String { folder + "/vault" }

    /// Opens the app's vault in the folder of a device.
    package static func openVault(in folder: String, of app: BundleID, resetting: Bool = false) async throws(VaultError) -> Vault {
        try await Vault(
            path: vaultPath(in: folder), keychain: FileKeychain(folder: folder + "/keychain"), bundleID: app, resetting: resetting)
    }

    /// The device on which the app runs.
    package var device: Device { configuration.device }
    /// The app's user as a customer of the developer's server.
    package var customer: CustomerID { configuration.customer }

    /// Ends the app session.
    package func close() async {
        observer.stop()
        await purchases.stop()
    }

    /// Waits until the device has no work and all deliveries have ended.
    package func waitUntilIdle() async {
        await onDevice {
            // A delivery can give the device work, such as finishing a transaction.
            for _ in 1...2 {
                await device.waitUntilIdle()
                await observer.waitUntilIdle()
                await purchases.waitUntilIdle()
            }
            await device.waitUntilIdle()
        }
    }

    private func onDevice<Value: Sendable, Failure>(_ body: () async throws(Failure) -> Value) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await Device.$current.withValue(device) {
            do throws(Failure) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    // MARK: - Products

    /// Fetches the product list from the server, and the prices from the store.
    package func loadProducts() async throws(MonkeyShopError) -> PurchasesState {
        let state = await onDevice {
            await purchases.loadProducts()
            return await purchases.state
        }
        if let problem = state.problems.first(where: { $0.kind == .storeUnreachable }) {
            throw .networkDown(problem.nextStep)
        }
        return state
    }

    // MARK: - Buying

    /// Whether the user may make payments; if not, the app disables its purchase buttons.
    package var canBuy: Bool {
        Device.$current.withValue(device) { AppStore.canMakePayments }
    }

    /// The notice above the disabled purchase buttons; nil if they are enabled.
    package var buttonsNotice: String? {
        canBuy ? nil : "Purchases are disabled on this device."
    }

    /// Returns the notice that the app shows for the outcome of a purchase; nil for a canceled purchase.
    package static func notice(of outcome: PurchaseOutcome) -> String? {
        switch outcome {
        case .purchased(_, let delivery): delivery.message ?? "Thank you!"
        case .canceled: nil
        case .pending: "Waiting for approval"
        case .failed(let failure): "\(failure.message) \(failure.advice)"
        }
    }

    /// Purchases a product and waits for the outcome.
    package func buy(_ product: ProductID, quantity: Int = 1) async -> PurchaseOutcome {
        await onDevice { await purchases.buy(product, quantity: quantity) }
    }

    /// Purchases a subscription with a promotional offer, which the developer's server signs for the customer.
    package func buy(_ product: ProductID, offer: String) async throws(MonkeyShopError) -> PurchaseOutcome {
        let reply = try await callServer { () async throws(WireClientError) in
            try await server.call(ServerEndpoints.promotionalOffer, PromotionalOfferRequest(productID: product, offerID: offer))
        }
        let signature = PurchaseOffer.promotional(id: offer, compactJWS: reply.compactJWS ?? "")
        return await onDevice { await purchases.buy(product, offer: signature) }
    }

    /// Adds a payment for a product to StoreKit 1's queue, which keeps it while there is no network, and returns at once.
    package func add(_ product: ProductID, quantity: Int = 1) {
        let payment = SKMutablePayment()
        payment.productIdentifier = product.rawValue
        payment.quantity = quantity
        payment.applicationUsername = customer.rawValue
        Device.$current.withValue(device) { observer.add(payment) }
    }

    /// Tries again to deliver the unfinished purchases, and waits until the app is idle.
    package func retry() async {
        await onDevice { await purchases.retry() }
        await waitUntilIdle()
    }

    /// Returns the customer's credits.
    package func balance() async -> Int64 { await purchases.state.balance(of: .credits) }

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
        await onDevice {
            await Device.withUserGesture {
                await purchases.restore { offered in wanted.intersection(offered.map(\.productID)) }
            }
        }
    }

    /// Restores the account's purchases with StoreKit 1, which makes a new transaction for each, and delivers what the person chooses.
    ///
    /// - Parameters:
    ///   - username: The app's user to whose purchases the restore is limited; nil for all purchases of the account.
    ///   - choose: Returns the chosen products.
    package func restore(
        of username: CustomerID? = nil, choose: @escaping @MainActor @Sendable ([RestorableProduct]) async -> Set<ProductID>
    ) async -> RestoreOutcome {
        await onDevice {
            await Device.withUserGesture { await observer.restore(applicationUsername: username?.rawValue, choose: choose) }
        }
    }

    // MARK: - New phone

    /// Exports the purchases, sealed with a passphrase.
    package func export(passphrase: String) async throws(ExportError) -> Data {
        try await onDevice { () async throws(ExportError) in
            try await purchases.exportPurchases(sealedTo: .passphrase(passphrase))
        }
    }

    /// Adds the purchases of an export from another phone.
    package func add(_ export: Data, passphrase: String) async throws(ExportError) -> PurchaseImport {
        try await onDevice { () async throws(ExportError) in
            try await purchases.importPurchases(export, sealedTo: .passphrase(passphrase))
        }
    }

    /// Spends credits for an order.
    package func spend(_ amount: Int64, for order: String) async throws(DebitError) -> DebitOutcome {
        try await onDevice { () async throws(DebitError) in
            try await purchases.debit(amount, of: .credits, idempotencyKey: order)
        }
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

    // MARK: - Books

    /// Downloads a book that is ready to download, with the stored transaction.
    package func download(_ book: MonkeyShopBook) async -> DownloadOutcome {
        await onDevice { await purchases.download(book.product) }
    }

    /// Pauses the download of a book.
    package func pauseDownload(of book: MonkeyShopBook) async {
        await onDevice {
            if book == .songs { observer.pauseDownload(of: book.product) } else { await purchases.pauseDownload(of: book.product) }
        }
    }

    /// Resumes the download of a book.
    package func resumeDownload(of book: MonkeyShopBook) async {
        await onDevice {
            if book == .songs { observer.resumeDownload(of: book.product) } else { await purchases.resumeDownload(of: book.product) }
        }
    }

    /// Cancels the download of a book.
    package func cancelDownload(of book: MonkeyShopBook) async {
        await onDevice {
            if book == .songs { observer.cancelDownload(of: book.product) } else { await purchases.cancelDownload(of: book.product) }
        }
    }

    /// Deletes the content of a book from this device; the purchase stays.
    package func removeContent(of book: MonkeyShopBook) async {
        guard let path = await vault.content(of: book.product)?.path else { return }
        try? FileManager.default.removeItem(atPath: path)
        await onDevice { await purchases.retry() }
    }

    /// Returns the text of a book that is on this device; nil if it is not.
    package func text(of book: MonkeyShopBook) async -> String? {
        guard let path = await vault.content(of: book.product)?.path else { return nil }
        // Content that the App Store hosts is a folder with the files in `Contents`.
        let file = book == .songs ? "\(path)/Contents/\(book.product)" : path
        return try? String(contentsOfFile: file, encoding: .utf8)
    }

    /// Returns the book's page: the first line if the customer owns the book and it is installed on this device.
    ///
    /// An owned book can also be read if the server can't be reached.
    package func openBook() async -> BookPage {
        await onDevice { await purchases.retry() }
        let entitlement = await purchases.state.entitlements[EntitlementName(MonkeyShopProduct.book.rawValue)]
        if entitlement?.state == .revoked { return .refunded }
        guard entitlement?.isActive == true, let line = await text(of: .receipts)?.split(separator: "\n", maxSplits: 1).first
        else { return .notPurchased }
        return .firstLine(String(line))
    }
}
