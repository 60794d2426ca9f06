import Foundation
import LocalAppStore
import MonkeyShop
public import OpenStoreKit
public import PurchaseModel
package import PurchaseProtocol
public import PurchaseTestSupport
public import StoreKit
import Synchronization

/// A phone with a folder and an account of its own, on which an app can be launched again and again.
public struct TestPhone: Sendable {
    /// The store.
    public let harness: StoreHarness
    /// Where the phone's state lies.
    public let folder: TemporaryFolder
    /// Who signs in.
    public let account: AccountID
    /// The user's answers.
    public let user: ScriptedInterface
    /// The line to the store.
    public let line: FaultyTransport
    /// What waits between retries.
    public let clock = StandingClock()
    private let kept = Kept()

    /// Observers that nobody but a test would keep alive.
    private final class Kept: Sendable {
        let witnesses = Mutex<[Witness]>([])
    }

    /// A new phone; with `account`, another phone of the same customer.
    public init(
        account: AccountID? = nil, asksToBuy: Bool = false, password: String = "ladder", at store: StoreHarness? = nil
    ) async throws {
        if let store { harness = store } else { harness = try await StoreHarness.shared }
        folder = try TemporaryFolder()
        if let account {
            self.account = account
        } else {
            self.account = try await harness.openAccount(asksToBuy: asksToBuy)
        }
        user = ScriptedInterface(Credentials(account: self.account, password: password))
        line = FaultyTransport(storeURL: harness.url)
    }

    /// What devices of this phone are made with.
    public var configuration: DeviceConfiguration {
        DeviceConfiguration(
            storeURL: harness.url,
            bundleID: MonkeyShopSample.bundleID,
            appVersion: MonkeyShopSample.version,
            folder: folder.url.path(percentEncoded: false),
            rootsPEM: harness.store.rootsPEM,
            interface: user
        )
    }

    /// The journal's file.
    public var journal: String { folder.file("journal.sqlite").path(percentEncoded: false) }

    /// Launches an app; the same folder is the same phone.
    public func launch() throws -> Device {
        try Device(configuration, transport: line, retryPolicy: RetryPolicy { 0 }, clock: clock, logger: .silent)
    }

    /// Launches an app whose observer lives as long as the phone, and waits until all is done that can be done now.
    public func launch(finishing: Bool) async throws -> (device: Device, witness: Witness) {
        let device = try launch()
        let witness = Witness(finishes: finishing)
        kept.witnesses.withLock { $0.append(witness) }
        device.paymentQueue.add(witness)
        await device.settle()
        return (device, witness)
    }

    /// Buys, delivers and finishes in a launch of its own.
    public func buy(_ products: ProductID..., finishing: Bool = true) async throws {
        let (device, _) = try await launch(finishing: finishing)
        for product in products { device.paymentQueue.add(Self.payment(product)) }
        await device.settle()
    }

    /// Ends the wait between two attempts, and waits for the attempt.
    public func retry(_ device: Device) async {
        let before = line.calls.count
        await clock.wake()
        await line.untilCalls(exceed: before)
        await device.settle()
    }

    /// A payment for a product, without the store's description.
    public static func payment(_ product: ProductID, quantity: Int = 1, username: String? = nil) -> SKPayment {
        let payment = SKMutablePayment()
        payment.productIdentifier = product.rawValue
        payment.quantity = quantity
        payment.applicationUsername = username
        return payment
    }

    /// What the account was charged.
    package var charges: [Charge] {
        get async throws { try await harness.charges(account) }
    }
}
