import Foundation
import LocalAppStore
package import OpenStoreKit
import PurchaseModel
import PurchaseProtocol
import Synchronization

/// The environment of a test session: a store, a device, and the account that is signed in on the device.
package final class TestEnvironment: Sendable {
    let store: InProcessStore
    let queue = SessionQueue()
    private let testDevice: TestDevice
    private let signedIn: Mutex<AccountID>

    /// The device.
    package var device: Device { testDevice.device }
    /// The account.
    var account: AccountID { signedIn.withLock { $0 } }

    /// Opens a store for a catalog, and signs a new account in on the device.
    init(_ catalog: Catalog, on testDevice: TestDevice) throws {
        let queue = queue
        let account = Self.newAccount
        let (device, earlier) = (testDevice.device.id, testDevice.transport.store)
        let (store, reply) = try queue.wait {
            let store = try await InProcessStore(
                bundleID: TestDevice.bundleID, catalog: catalog, after: earlier, logger: TestDevice.logger)
            return (store, try await Self.signIn(account, on: device, at: store))
        }
        self.store = store
        self.testDevice = testDevice
        signedIn = Mutex(account)
        testDevice.transport.store = store
        testDevice.device.adopt(reply, of: account)
    }

    /// Replaces the store's catalog for the same account.
    func replaceCatalog(_ catalog: Catalog) throws {
        let store = store
        try queue.wait {
            try await store.set(catalog)
            try await store.failPurchases(with: nil)
        }
    }

    /// Signs a new account without purchases in; the device forgets the transactions of the previous account.
    func changeAccount() throws {
        let account = Self.newAccount
        let (store, device) = (store, device.id)
        let reply = try queue.wait { try await Self.signIn(account, on: device, at: store) }
        signedIn.withLock { $0 = account }
        // A later session may use the device meanwhile.
        guard testDevice.transport.store === store else { return }
        testDevice.device.adopt(reply, of: account)
    }

    /// Waits until the device has fetched all changes from the store, and every observer has been notified.
    package func waitUntilIdle() async {
        device.wake()
        await device.waitUntilIdle()
    }

    private static var newAccount: AccountID { AccountID("tester-\(UUID().uuidString.lowercased())@example.com") }

    private static func signIn(_ account: AccountID, on device: DeviceID, at store: InProcessStore) async throws -> SignInReply {
        try await store.signIn(account, device: device, bundleID: TestDevice.bundleID, appVersion: TestDevice.appVersion)
    }
}
