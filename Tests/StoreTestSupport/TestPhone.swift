import Foundation
import LocalAppStore
import MonkeyShop
public import OpenStoreKit
public import PurchaseModel
package import PurchaseProtocol
public import PurchaseTestSupport
public import StoreKit
import Synchronization

/// A simulated phone with a folder and an account, on which an app can be launched repeatedly.
public struct TestPhone: Sendable {
    /// The store's harness.
    public let harness: StoreHarness
    /// The folder with the phone's state.
    public let folder: TemporaryFolder
    /// The account that signs in.
    public let account: AccountID
    /// The user's scripted answers.
    public let user: ScriptedInterface
    /// The transport to the store.
    public let transport: FaultyTransport
    /// The clock of waits between retries.
    public let clock = TestClock()
    private let retained = RetainedObservers()

    /// Retains the observers, which the payment queue does not retain.
    private final class RetainedObservers: Sendable {
        let recorders = Mutex<[RecordingObserver]>([])
    }

    /// Creates a phone with a new account, or another phone of `account`.
    public init(
        account: AccountID? = nil, askToBuyEnabled: Bool = false, password: String = "ladder", at store: StoreHarness? = nil
    ) async throws {
        if let store { harness = store } else { harness = try await StoreHarness.shared }
        folder = try TemporaryFolder()
        if let account {
            self.account = account
        } else {
            self.account = try await harness.createAccount(askToBuyEnabled: askToBuyEnabled)
        }
        user = ScriptedInterface(Credentials(account: self.account, password: password))
        transport = FaultyTransport(storeURL: harness.url)
    }

    /// The configuration of this phone's devices.
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

    /// The path of the journal's file.
    public var journal: String { folder.file("journal.sqlite").path(percentEncoded: false) }

    /// Launches the app on this phone.
    public func launch() throws -> Device {
        try Device(configuration, transport: transport, retryPolicy: RetryPolicy { 0 }, clock: clock, logger: .silent)
    }

    /// Launches the app with an observer that the phone retains, and waits until the device is idle.
    public func launch(finishing: Bool) async throws -> (device: Device, recorder: RecordingObserver) {
        let device = try launch()
        let recorder = RecordingObserver(finishes: finishing)
        retained.recorders.withLock { $0.append(recorder) }
        device.paymentQueue.add(recorder)
        await device.waitUntilIdle()
        return (device, recorder)
    }

    /// Launches the app, purchases the products, and finishes them if `finishing` is true.
    public func buy(_ products: ProductID..., finishing: Bool = true) async throws {
        let (device, _) = try await launch(finishing: finishing)
        for product in products { device.paymentQueue.add(Self.payment(product)) }
        await device.waitUntilIdle()
    }

    /// Ends the wait before the next attempt, and waits for that attempt.
    public func retry(_ device: Device) async {
        let before = transport.calls.count
        await clock.endSleeps()
        await transport.waitForCalls(exceeding: before)
        await device.waitUntilIdle()
    }

    /// A payment for a product identifier.
    public static func payment(_ product: ProductID, quantity: Int = 1, username: String? = nil) -> SKPayment {
        let payment = SKMutablePayment()
        payment.productIdentifier = product.rawValue
        payment.quantity = quantity
        payment.applicationUsername = username
        return payment
    }

    /// The charges and refunds of the account, oldest first.
    package var charges: [Charge] {
        get async throws { try await harness.charges(account) }
    }
}
