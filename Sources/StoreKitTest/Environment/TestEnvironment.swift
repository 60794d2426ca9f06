import Foundation
import LocalAppStore
package import OpenStoreKit
import PurchaseModel
import StoreProtocol
import Synchronization

/// The environment of a test session: a store, a device, and the account that is signed in on the device.
package final class TestEnvironment: Sendable {
    let store: InProcessStore
    let queue = SessionQueue()
    private let testDevice: TestDevice
    private let signedIn: Mutex<AccountID>

    /// The device of the test session.
    package var device: Device { testDevice.device }
    /// The account that is signed in on the device.
    var account: AccountID { signedIn.withLock { $0 } }

    /// Opens an in-memory store for a catalog, and signs in a new account on the device.
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

    /// Replaces the catalog of the store, and stops simulating purchase failures; accounts and transactions stay.
    func replaceCatalog(_ catalog: Catalog) throws {
        let store = store
        try queue.wait {
            try await store.set(catalog)
            try await store.failPurchases(with: nil)
        }
    }

    /// Signs in a new account without purchases, so that the device forgets the transactions of the previous account.
    func changeAccount() throws {
        let account = Self.newAccount
        let (store, device) = (store, device.id)
        let reply = try queue.wait { try await Self.signIn(account, on: device, at: store) }
        signedIn.withLock { $0 = account }
        // Another session may have connected the device to its own store while this session signed the account in.
        guard testDevice.transport.store === store else { return }
        testDevice.device.adopt(reply, of: account)
    }

    /// Waits until the device has fetched all changes from the store and has notified every observer.
    package func waitUntilIdle() async {
        device.wake()
        await device.waitUntilIdle()
    }

    private static var newAccount: AccountID { AccountID("tester-\(UUID().uuidString.lowercased())@example.com") }

    private static func signIn(_ account: AccountID, on device: DeviceID, at store: InProcessStore) async throws -> SignInReply {
        try await store.signIn(account, device: device, bundleID: TestDevice.bundleID, appVersion: TestDevice.appVersion)
    }
}
