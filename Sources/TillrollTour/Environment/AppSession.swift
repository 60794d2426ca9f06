import LocalAppStore
package import MonkeyShop
package import OpenStoreKit
import PurchaseKit
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import StoreKit

/// One app session on a phone of the tour.
package final class AppSession: Sendable {
    /// The device.
    package let device: Device
    /// The app.
    package let shop: MonkeyShop
    /// The user, whose responses the tour scripts.
    package let user: ScriptedInterface
    private let tour: TourEnvironment
    private let log: DeliveryLog

    /// Launches the app.
    init(_ phone: TourDevice, on tour: TourEnvironment, serverURL: HTTPURL, resetsVault: Bool) async throws {
        let request = phone.account.request
        let user = ScriptedInterface(Credentials(account: request.account, password: request.password))
        let device = try Self.device(phone, on: tour, user: user)
        let log = DeliveryLog()
        var configuration = MonkeyShopConfiguration(device: device, serverURL: serverURL, customer: tour.customer) { [weak device] _ in
            log.append(device?.paymentQueue.transactions.map(\.transactionState) ?? [])
        }
        configuration.resetsVault = resetsVault
        shop = try await MonkeyShop(configuration)
        self.device = device
        self.log = log
        self.user = user
        self.tour = tour
        await shop.waitUntilIdle()
    }

    static func folder(of phone: TourDevice, on tour: TourEnvironment) -> String { "\(tour.folder)/\(phone.name)" }

    /// A phone before the first launch of the app.
    static func device(_ phone: TourDevice, on tour: TourEnvironment, user: any StoreInterface) throws -> Device {
        try Device(
            DeviceConfiguration(
                storeURL: tour.storeURL,
                bundleID: MonkeyShopSample.bundleID,
                appVersion: MonkeyShopSample.version,
                folder: folder(of: phone, on: tour),
                rootsPEM: tour.store.rootsPEM,
                interface: user
            )
        )
    }

    /// The states of the payment queue after each delivery of a purchase and before its finishing.
    var statesAtDelivery: [[SKPaymentTransactionState]] { log.states }

    /// The folder of the phone's state.
    var folder: String { device.configuration.folder }

    /// Buys a product and waits until the purchase is delivered, finished, and reported to the server.
    func buy(_ id: ProductID, quantity: Int = 1) async throws -> PurchaseOutcome {
        let listing = try await shop.loadProducts()
        guard let product = listing[id] else { throw MonkeyShopError.notSold }
        let outcome = await shop.buy(product, quantity: quantity)
        await shop.waitUntilIdle()
        try await tour.store.deliverNotifications()
        return outcome
    }

    /// Buys a product unless the phone has it, so that a step can run alone.
    func buyIfNeeded(_ id: ProductID) async throws -> TransactionID {
        if let known = await transaction(of: id) { return known }
        guard case .delivered(let purchase) = try await buy(id) else { throw MonkeyShopError.notSold }
        return purchase.transaction.payload.transactionId
    }

    /// The first transaction of a product in the app's vault.
    func transaction(of id: ProductID) async -> TransactionID? {
        await shop.vault.purchases.first { $0.payload.productId == id }?.payload.transactionId
    }
}
