import Foundation
import LocalAppStore
import OpenStoreKit
import PurchaseModel
import Synchronization

/// What a test session has for itself: a store, a device, and the account that is signed in there.
final class TestEnvironment: Sendable {
    let store: InProcessStore
    let queue = SessionQueue()
    private let testDevice: TestDevice
    private let signedIn: Mutex<AccountID>

    /// The device.
    var device: Device { testDevice.device }
    /// The account.
    var account: AccountID { signedIn.withLock { $0 } }

    /// Opens a store for a catalogue, and signs a new account in on the device.
    init(_ catalogue: Catalogue, on testDevice: TestDevice) throws {
        let queue = queue
        let account = Self.newAccount
        let (device, earlier) = (testDevice.device.id, testDevice.transport.store)
        let (store, reply) = try queue.wait {
            let store = try await InProcessStore(
                bundleID: TestDevice.bundleID, catalogue: catalogue, after: earlier, logger: TestDevice.logger)
            return (store, try await Self.signIn(account, on: device, at: store))
        }
        self.store = store
        self.testDevice = testDevice
        signedIn = Mutex(account)
        testDevice.transport.store = store
        testDevice.device.adopt(reply, of: account)
    }

    /// Sells by another catalogue from now on, to the same customer.
    func sell(_ catalogue: Catalogue) throws {
        let store = store
        try queue.wait {
            try await store.set(catalogue)
            try await store.failPurchases(with: nil)
        }
    }

    /// Signs a new account in, which has bought nothing; the device forgets what the other one had.
    func changeAccount() throws {
        let account = Self.newAccount
        let (store, device) = (store, device.id)
        let reply = try queue.wait { try await Self.signIn(account, on: device, at: store) }
        signedIn.withLock { $0 = account }
        // A later session may have taken the device over.
        guard testDevice.transport.store === store else { return }
        testDevice.device.adopt(reply, of: account)
    }

    private static var newAccount: AccountID { AccountID("tester-\(UUID().uuidString.lowercased())@example.com") }

    private static func signIn(_ account: AccountID, on device: DeviceID, at store: InProcessStore) async throws -> SignInReply {
        try await store.signIn(account, device: device, bundleID: TestDevice.bundleID, appVersion: TestDevice.appVersion)
    }
}
