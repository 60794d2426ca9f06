import LocalAppStore
package import MonkeyShop
package import OpenStoreKit
import PurchaseKit
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import StoreKit

/// One app session on a phone of the tour.
package final class Phone: Sendable {
    /// The device.
    package let device: Device
    /// The app.
    package let shop: MonkeyShop
    /// The user, whose responses the tour scripts.
    package let user: ScriptedInterface
    private let stage: Stage
    private let log: DeliveryLog

    /// Launches the app.
    init(_ phone: StagePhone, on stage: Stage, serverURL: HTTPURL, startsVaultAnew: Bool) async throws {
        let request = phone.account.request
        let user = ScriptedInterface(Credentials(account: request.account, password: request.password))
        let device = try Self.device(phone, on: stage, user: user)
        let log = DeliveryLog()
        var configuration = MonkeyShopConfiguration(device: device, serverURL: serverURL, customer: stage.customer) { [weak device] _ in
            log.append(device?.paymentQueue.transactions.map(\.transactionState) ?? [])
        }
        configuration.startsVaultAnew = startsVaultAnew
        shop = try await MonkeyShop(configuration)
        self.device = device
        self.log = log
        self.user = user
        self.stage = stage
        await shop.settle()
    }

    static func folder(of phone: StagePhone, on stage: Stage) -> String { "\(stage.folder)/\(phone.name)" }

    /// A phone before the first launch of the app.
    static func device(_ phone: StagePhone, on stage: Stage, user: any StoreInterface) throws -> Device {
        try Device(
            DeviceConfiguration(
                storeURL: stage.storeURL,
                bundleID: MonkeyShopSample.bundleID,
                appVersion: MonkeyShopSample.version,
                folder: folder(of: phone, on: stage),
                rootsPEM: stage.store.rootsPEM,
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
        let shelf = try await shop.loadShelf()
        guard let product = shelf[id] else { throw MonkeyShopError.notSold }
        let outcome = await shop.buy(product, quantity: quantity)
        await shop.settle()
        try await stage.store.deliverNotifications()
        return outcome
    }

    /// Buys a product unless the phone has it, so that a step can run alone.
    func own(_ id: ProductID) async throws -> TransactionID {
        if let known = await transaction(of: id) { return known }
        guard case .delivered(let purchase) = try await buy(id) else { throw MonkeyShopError.notSold }
        return purchase.transaction.payload.transactionId
    }

    /// The first transaction of a product in the app's vault.
    func transaction(of id: ProductID) async -> TransactionID? {
        await shop.vault.purchases.first { $0.payload.productId == id }?.payload.transactionId
    }
}
