public import Foundation
public import PurchaseKit
import StoreKit

/// The sample app, which sells credits, photo filters, books, a magazine and a season pass.
///
/// Each instance is one app session. `Purchases` also delivers unfinished purchases of earlier app sessions.
public final class MonkeyShop: Sendable {
    /// The app's purchases.
    public let purchases: Purchases
    /// The vault with the purchases and the installed content of this device.
    public let vault: Vault
    /// The events of this app session's content downloads.
    public let downloads: DownloadLog
    /// The customer ID of the app's user on the developer's server.
    public let customer: CustomerID

    /// The observer of StoreKit 1's queue, for features that StoreKit 2 lacks: hosted content, and a restore for one user.
    private let observer: PaymentObserver

    /// Launches the app.
    ///
    /// - Parameter configuration: The app's files, server and user.
    /// - Throws: ``MonkeyShopError/vault(_:)`` if the vault can't be opened, ``MonkeyShopError/roots`` if the root certificates are
    ///   invalid.
    public init(_ configuration: MonkeyShopConfiguration) async throws(MonkeyShopError) {
        let app = MonkeyShopSample.bundleID
        let roots: TrustedRoots
        do {
            roots = try TrustedRoots.apple(and: configuration.extraRoots, in: [.sandbox])
        } catch {
            throw .roots
        }
        let verifier = SignedDataVerifier(roots: roots, bundleID: app, environments: [.sandbox])
        do {
            vault = try await Self.openVault(in: configuration.folder, resetting: configuration.resetsVault)
        } catch {
            throw .vault(error)
        }
        downloads = DownloadLog()
        customer = configuration.customer
        let credentials = configuration.credentials
        let hostedContent = HostedContentDelivery(folder: configuration.folder + "/hosted-content")
        var purchases = PurchasesConfiguration(
            products: .server,
            fulfillments: Self.fulfillments(configuration, downloads, hostedContent),
            vault: vault,
            verifier: verifier,
            server: ServerConnection(
                serverURL: configuration.serverURL, deviceVerificationID: AppStore.deviceVerificationID,
                isReachable: configuration.isReachable, observe: configuration.observe, credentials: { _ in credentials }),
            customer: customer)
        purchases.leaseVerifier = credentials.verificationKeys.flatMap { try? VerificationKeySet(jwks: [UInt8]($0)) }.map {
            LeaseVerifier(keys: $0, issuer: "tillroll-server", bundleID: app)
        }
        purchases.nonRenewingDurations[MonkeyShopProduct.summerPass] = BillingPeriod(3, .month)
        purchases.wallClock = configuration.wallClock
        purchases.step = { [afterDelivery = configuration.afterDelivery] step in
            if case .recorded(let product) = step { await afterDelivery(product) }
        }
        (self.purchases, observer) = await MainActor.run { [purchases] in
            let session = Purchases(purchases)
            session.start()
            let observer = PaymentObserver(session, hostedContent: hostedContent)
            observer.start()
            return (session, observer)
        }
    }

    private static func fulfillments(
        _ configuration: MonkeyShopConfiguration, _ downloads: DownloadLog, _ hostedContent: HostedContentDelivery
    ) -> [ProductID: Fulfillment] {
        var content = ContentDownloader(
            serverURL: configuration.serverURL, credentials: configuration.credentials, folder: configuration.folder + "/content")
        content.isReachable = configuration.isReachable
        content.throttle = configuration.throttle
        content.observe = { downloads.append($0) }
        return [
            MonkeyShopProduct.credits5: .credit(.credits, 5),
            MonkeyShopProduct.credits10: .credit(.credits, 10),
            MonkeyShopProduct.book: .deliver(content),
            MonkeyShopProduct.atlas: .downloadLater(content),
            MonkeyShopProduct.songs: .deliver(hostedContent),
        ]
    }

    /// Returns the path of the vault's file in the folder of the app.
    ///
    /// - Parameter folder: The path of the app's folder.
    public static func vaultPath(in folder: String) -> String { folder + "/vault" }

    /// Opens the app's vault.
    ///
    /// - Parameters:
    ///   - folder: The path of the app's folder.
    ///   - resetting: Whether the existing contents are discarded.
    /// - Throws: `VaultError` if the vault can't be read or decrypted.
    public static func openVault(in folder: String, resetting: Bool = false) async throws(VaultError) -> Vault {
        try await Vault(
            path: vaultPath(in: folder), keychain: FileKeychain(folder: folder + "/keychain"), bundleID: MonkeyShopSample.bundleID,
            resetting: resetting)
    }

    /// Ends the app session.
    public func close() async {
        observer.stop()
        await purchases.stop()
    }

    /// Waits until all deliveries of purchases in the app session have ended.
    public func waitUntilIdle() async {
        await observer.waitUntilIdle()
        await purchases.waitUntilIdle()
    }

    // MARK: - Products

    /// Fetches the product list from the server, and the prices from the store.
    ///
    /// - Returns: The state with the loaded products.
    /// - Throws: ``MonkeyShopError/networkDown(_:)`` if the store can't be reached.
    public func loadProducts() async throws(MonkeyShopError) -> PurchasesState {
        await purchases.loadProducts()
        let state = await purchases.state
        if let problem = state.problems.first(where: { $0.kind == .storeUnreachable }) {
            throw .networkDown(problem.nextStep)
        }
        return state
    }

    // MARK: - Buying

    /// Whether the user may make payments; if not, the app disables the purchase buttons.
    public var canBuy: Bool { AppStore.canMakePayments }

    /// The notice for disabled purchase buttons; nil if the buttons are enabled.
    public var buttonsNotice: String? {
        canBuy ? nil : "Purchases are disabled on this device."
    }

    /// Returns the notice that the app shows for the outcome of a purchase; nil for a canceled purchase.
    ///
    /// - Parameter outcome: The outcome of the purchase.
    public static func notice(of outcome: PurchaseOutcome) -> String? {
        switch outcome {
        case .purchased(_, let delivery): delivery.message ?? "Thank you!"
        case .canceled: nil
        case .pending: "Waiting for approval"
        case .failed(let failure): "\(failure.message) \(failure.advice)"
        }
    }

    /// Purchases a product and waits for the outcome.
    ///
    /// - Parameters:
    ///   - product: The product to buy.
    ///   - quantity: The number of units.
    public func buy(_ product: ProductID, quantity: Int = 1) async -> PurchaseOutcome {
        await purchases.buy(product, quantity: quantity)
    }

    /// Purchases a subscription with a promotional offer that the developer's server signs for the customer.
    ///
    /// - Parameters:
    ///   - product: The subscription to buy.
    ///   - offer: The identifier of the offer.
    public func buy(_ product: ProductID, offer: String) async -> PurchaseOutcome {
        await purchases.buy(product, promotionalOffer: offer)
    }

    /// Adds a payment to StoreKit 1's queue, and returns at once; without a network, the queue stores the payment.
    ///
    /// - Parameters:
    ///   - product: The product to buy.
    ///   - quantity: The number of units.
    public func add(_ product: ProductID, quantity: Int = 1) {
        let payment = SKMutablePayment()
        payment.productIdentifier = product.rawValue
        payment.quantity = quantity
        payment.applicationUsername = customer.rawValue
        observer.add(payment)
    }

    /// Tries again to deliver the unfinished purchases, and waits until the app is idle.
    public func retry() async {
        await purchases.retry()
        await waitUntilIdle()
    }

    /// Returns the customer's credits.
    public func balance() async -> Int64 { await purchases.state.balance(of: .credits) }

    // MARK: - Restoring

    /// Refreshes the app receipt with `SKReceiptRefreshRequest`.
    ///
    /// - Throws: ``MonkeyShopError/refused(_:)`` with the message of the failed request.
    public static func refreshReceipt() async throws(MonkeyShopError) {
        do {
            try await ReceiptRefresher.refresh()
        } catch {
            throw .refused(error.localizedDescription)
        }
    }

    /// Restores the account's purchases, and delivers only the products in `wanted`.
    ///
    /// - Parameter wanted: The products to deliver.
    public func restore(_ wanted: Set<ProductID>) async -> RestoreOutcome {
        await purchases.restore { offered in wanted.intersection(offered.map(\.productID)) }
    }

    /// Restores purchases with StoreKit 1, which creates a new transaction for each purchase, and delivers the chosen products.
    ///
    /// - Parameters:
    ///   - username: The app's user to whose purchases the restore is limited; nil for all purchases of the account.
    ///   - choose: Receives the restorable products, and returns the products to deliver.
    public func restore(
        of username: CustomerID? = nil, choose: @escaping @MainActor @Sendable ([RestorableProduct]) async -> Set<ProductID>
    ) async -> RestoreOutcome {
        await observer.restore(applicationUsername: username?.rawValue, choose: choose)
    }

    // MARK: - New phone

    /// Exports the purchases, encrypted with a passphrase.
    ///
    /// - Parameter passphrase: The passphrase that opens the export.
    public func export(passphrase: String) async throws(ExportError) -> Data {
        try await purchases.exportPurchases(sealedTo: .passphrase(passphrase))
    }

    /// Adds the purchases of an export from another phone.
    ///
    /// - Parameters:
    ///   - export: The encrypted export.
    ///   - passphrase: The passphrase that opens the export.
    public func add(_ export: Data, passphrase: String) async throws(ExportError) -> PurchaseImport {
        try await purchases.importPurchases(export, sealedTo: .passphrase(passphrase))
    }

    /// Spends credits for an order.
    ///
    /// - Parameters:
    ///   - amount: The number of credits.
    ///   - order: The identifier of the order; a repeated call with the same identifier debits nothing.
    /// - Throws: `DebitError` if the debit is refused, for example because the balance is too low.
    public func spend(_ amount: Int64, for order: String) async throws(DebitError) -> DebitOutcome {
        try await purchases.debit(amount, of: .credits, idempotencyKey: order)
    }

    // MARK: - Books

    /// Downloads the content of a purchased book, with the stored transaction as the proof of purchase.
    ///
    /// - Parameter book: The book to download.
    public func download(_ book: MonkeyShopBook) async -> DownloadOutcome {
        await purchases.download(book.product)
    }

    /// Pauses the download of a book.
    ///
    /// - Parameter book: The book whose download is paused.
    public func pauseDownload(of book: MonkeyShopBook) async {
        if book == .songs { observer.pauseDownload(of: book.product) } else { await purchases.pauseDownload(of: book.product) }
    }

    /// Resumes the download of a book.
    ///
    /// - Parameter book: The book whose download continues.
    public func resumeDownload(of book: MonkeyShopBook) async {
        if book == .songs { observer.resumeDownload(of: book.product) } else { await purchases.resumeDownload(of: book.product) }
    }

    /// Cancels the download of a book.
    ///
    /// - Parameter book: The book whose download ends.
    public func cancelDownload(of book: MonkeyShopBook) async {
        if book == .songs { observer.cancelDownload(of: book.product) } else { await purchases.cancelDownload(of: book.product) }
    }

    /// Deletes the content of a book from this device; the customer still owns the book.
    ///
    /// - Parameter book: The book to delete.
    public func removeContent(of book: MonkeyShopBook) async {
        guard let path = await vault.content(of: book.product)?.path else { return }
        try? FileManager.default.removeItem(atPath: path)
        await purchases.retry()
    }

    /// Returns the text of a book; nil if the content is not on this device.
    ///
    /// - Parameter book: The book to read.
    public func text(of book: MonkeyShopBook) async -> String? {
        guard let path = await vault.content(of: book.product)?.path else { return nil }
        // Read the file in the subfolder `Contents`, because content that the App Store hosts is a folder.
        let file = book == .songs ? "\(path)/Contents/\(book.product)" : path
        return try? String(contentsOfFile: file, encoding: .utf8)
    }

    /// Returns the page of the novel: the first line if the customer owns the book and the content is on this device.
    ///
    /// An owned book can also be read while the server is unreachable.
    public func openBook() async -> BookPage {
        await purchases.retry()
        let entitlement = await purchases.state.entitlements[EntitlementName(MonkeyShopProduct.book.rawValue)]
        if entitlement?.state == .revoked { return .refunded }
        guard entitlement?.isActive == true, let line = await text(of: .receipts)?.split(separator: "\n", maxSplits: 1).first
        else { return .notPurchased }
        return .firstLine(String(line))
    }
}
