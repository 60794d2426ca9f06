import LocalAppStore
import MonkeyShop
public import MonkeyShopBackend
public import OpenStoreKit
import PurchaseKit
import PurchaseModel
import PurchaseProof
import StoreKit

/// An app session of the sample app on one of the tour's phones.
public final class AppSession: Sendable {
    /// The running sample app.
    public let app: LaunchedApp
    /// The simulated user, who answers the store's sheets as the step of the tour specifies.
    public let user: ScriptedInterface
    private let tour: TourEnvironment
    private let log: DeliveryLog

    /// Launches the app on a phone, and waits until the app is idle.
    init(_ phone: TourDevice, on tour: TourEnvironment, serverURL: HTTPURL, resetsVault: Bool, wallClock: any WallClock) async throws {
        let user = ScriptedInterface(phone.credentials)
        let device = try Self.device(phone, on: tour, user: user)
        let log = DeliveryLog()
        var configuration = MonkeyShopConfiguration(
            folder: device.configuration.folder, serverURL: serverURL, customer: tour.customer, credentials: tour.credentials,
            extraRoots: tour.store.rootsPEM)
        configuration.resetsVault = resetsVault
        configuration.wallClock = wallClock
        configuration.afterDelivery = { [weak device] _ in
            let queue = device.map { Device.$current.withValue($0) { SKPaymentQueue.default() } }
            log.append(queue?.transactions.map(\.transactionState) ?? [])
        }
        app = try await LaunchedApp(on: device, configuration)
        self.log = log
        self.user = user
        self.tour = tour
        await app.waitUntilIdle()
    }

    static func folder(of phone: TourDevice, on tour: TourEnvironment) -> String { "\(tour.folder)/\(phone.name)" }

    /// Opens a phone's device without launching the app.
    static func device(_ phone: TourDevice, on tour: TourEnvironment, user: any StoreInterface) throws -> Device {
        try Device(
            DeviceConfiguration(
                storeURL: tour.storeURL,
                bundleID: MonkeyShopSample.bundleID,
                appVersion: MonkeyShopSample.version,
                folder: folder(of: phone, on: tour),
                rootsPEM: tour.store.rootsPEM,
                interface: user
            ),
            logger: tour.logger
        )
    }

    /// The device on which the app runs.
    public var device: Device { app.device }

    /// The sample app, for reading its state.
    var shop: MonkeyShop { app.shop }

    /// The states of the queue's transactions, one element for each delivery, recorded after the delivery and before `finish`.
    var statesAtDelivery: [[SKPaymentTransactionState]] { log.states }

    var folder: String { device.configuration.folder }

    /// Buys a product, and waits until the app is idle and the store's notifications are delivered to the server.
    func buy(_ id: ProductID, quantity: Int = 1) async throws -> PurchaseOutcome {
        let outcome = await app.run { await $0.buy(id, quantity: quantity) }
        await app.waitUntilIdle()
        try await tour.store.deliverNotifications()
        return outcome
    }

    /// Restores products, and waits until the app is idle.
    func restore(_ wanted: Set<ProductID>) async -> RestoreOutcome {
        let outcome = await app.run { await $0.restore(wanted) }
        await app.waitUntilIdle()
        return outcome
    }

    func openBook() async -> BookPage { await app.run { await $0.openBook() } }

    /// Buys a product unless the phone's vault contains it, and returns the transaction identifier.
    ///
    /// A step that calls this function can run without the earlier steps.
    func buyIfNeeded(_ id: ProductID) async throws -> TransactionID {
        if let known = await transaction(of: id) { return known }
        let outcome = try await buy(id)
        guard case .purchased(let purchase, .delivered) = outcome else {
            throw TourFailure(expected: "the purchase of \(id) to be delivered", found: "\(outcome)")
        }
        return purchase.id
    }

    /// Returns the identifier of a product's oldest transaction in the app's vault; nil if there is none.
    func transaction(of id: ProductID) async -> TransactionID? {
        await shop.vault.purchases.first { $0.payload.productId == id }?.payload.transactionId
    }
}
