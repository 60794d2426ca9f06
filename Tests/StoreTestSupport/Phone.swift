import Foundation
import LocalAppStore
package import OpenStoreKit
package import PurchaseModel
package import PurchaseTestSupport
package import StoreKit
package import StoreProtocol
import Synchronization

/// A user's phone with an account and a folder, on which an app can be launched repeatedly.
package struct Phone: Sendable {
    /// The phone's store.
    package let harness: StoreHarness
    /// The folder with the phone's state.
    package let folder: TemporaryFolder
    /// The account that signs in.
    package let account: AccountID
    /// The user's scripted answers.
    package let user: ScriptedInterface
    /// The transport to the store.
    package let transport: FaultyTransport
    /// The clock of waits between retries.
    package let clock = TestClock()
    private let retained = RetainedObservers()

    /// Retains the observers, which the payment queue does not retain.
    private final class RetainedObservers: Sendable {
        let recorders = Mutex<[RecordingObserver]>([])
    }

    /// Creates a phone with a new account, or another phone of `account`.
    package init(
        account: AccountID? = nil, askToBuyEnabled: Bool = false, password: String = AccountID.testPassword, at store: StoreHarness? = nil
    ) async throws {
        if let store { harness = store } else { harness = try await StoreHarness.shared }
        folder = try TemporaryFolder()
        if let account {
            self.account = account
        } else {
            self.account = try await harness.createAccount(askToBuyEnabled: askToBuyEnabled)
        }
        user = ScriptedInterface(Credentials(account: self.account, password: password))
        transport = FaultyTransport(harness.transport)
    }

    /// The credentials of the account.
    package var credentials: Credentials { Credentials(of: account) }

    /// The configuration of this phone's devices.
    package var configuration: DeviceConfiguration {
        DeviceConfiguration(
            storeURL: harness.url,
            bundleID: BundleID.test,
            appVersion: SampleCatalog.appVersion,
            folder: folder.url.path(percentEncoded: false),
            rootsPEM: harness.store.rootsPEM,
            interface: user
        )
    }

    /// Writes the store's root certificates into the folder, and returns the path of the file.
    package func writeRoots() throws -> String {
        let roots = folder.file("roots.pem")
        try Data(harness.store.rootsPEM.utf8).write(to: roots)
        return roots.path(percentEncoded: false)
    }

    /// The environment variables for an app in another process; the app's device keeps its state in a subfolder.
    package var environment: [String: String] {
        get throws {
            [
                "OPENSTOREKIT_STORE_URL": harness.url.text, "OPENSTOREKIT_BUNDLE_ID": configuration.bundleID.rawValue,
                "OPENSTOREKIT_ROOTS": try writeRoots(), "OPENSTOREKIT_FOLDER": folder.file("device").path(percentEncoded: false),
                "OPENSTOREKIT_ACCOUNT": account.rawValue, "OPENSTOREKIT_PASSWORD": AccountID.testPassword,
            ]
        }
    }

    /// The path of the journal's file.
    package var journal: String { folder.file("journal.sqlite").path(percentEncoded: false) }

    /// Launches the app on this phone.
    package func launch(_ configure: (inout DeviceConfiguration) -> Void = { _ in }) throws -> Device {
        var configuration = configuration
        configure(&configuration)
        return try Device(configuration, transport: transport, retryPolicy: RetryPolicy { 0 }, clock: clock, logger: .silent)
    }

    /// Launches the app on this phone, and signs the account in.
    package func launchSignedIn(_ configure: (inout DeviceConfiguration) -> Void = { _ in }) async throws -> Device {
        let device = try launch(configure)
        try await device.signIn(credentials)
        return device
    }

    /// Launches the app with an observer that the phone retains, and waits until the device is idle.
    package func launch(finishing: Bool) async throws -> (device: Device, recorder: RecordingObserver) {
        let device = try launch()
        let recorder = RecordingObserver(finishes: finishing)
        retained.recorders.withLock { $0.append(recorder) }
        device.paymentQueue.add(recorder)
        await device.waitUntilIdle()
        return (device, recorder)
    }

    /// Launches the app, purchases the products, and finishes them if `finishing` is true.
    package func buy(_ products: ProductID..., finishing: Bool = true) async throws {
        let (device, _) = try await launch(finishing: finishing)
        for product in products { device.paymentQueue.add(Self.payment(product)) }
        await device.waitUntilIdle()
    }

    /// Ends the wait before the next attempt, and waits for that attempt.
    package func retry(_ device: Device) async {
        let before = transport.calls.count
        await clock.endSleeps()
        await transport.waitForCalls(exceeding: before)
        await device.waitUntilIdle()
    }

    /// A payment for a product identifier.
    package static func payment(_ product: ProductID, quantity: Int = 1, username: String? = nil) -> SKPayment {
        let payment = SKMutablePayment()
        payment.productIdentifier = product.rawValue
        payment.quantity = quantity
        payment.applicationUsername = username
        return payment
    }

    /// The charges and refunds of the account, oldest first.
    package var charges: [Charge] {
        get async throws { try await harness.charges(of: account) }
    }

    /// The account's pending Ask to Buy payments, oldest first.
    package var pendingApprovals: [PendingPayment] {
        get async throws { try await harness.pendingApprovals().filter { $0.account == account } }
    }

    /// Approves or declines all pending Ask to Buy payments of the account.
    package func decideApprovals(approve: Bool) async throws {
        for pending in try await pendingApprovals { try await harness.decide(pending.payment, approve: approve) }
    }
}
