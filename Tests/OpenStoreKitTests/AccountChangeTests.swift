import Dispatch
import Foundation
import PurchaseModel
import PurchaseTestSupport
import StoreKit
import StoreProtocol
import StoreTestSupport
import Synchronization
import Testing

@testable import OpenStoreKit

/// Tests of what a change of the account does to the work that is under way.
@Suite struct AccountChangeTests {
    private let credits = SampleProduct.credits5

    @Test func `the credentials of an earlier prompt sign no account in after another account has signed out`() async throws {
        let phone = try await Phone()
        let other = try await phone.harness.createAccount()
        let (device, _) = try await phone.launch(finishing: true)
        // The sign-in at the prompt does not reach the store.
        phone.transport.fail(DeviceEndpoints.signIn, .offline)
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        let prompts = phone.user.signInPrompts
        try await device.signIn(Credentials(of: other))
        await device.waitUntilIdle()
        try await device.signOut()
        await device.waitUntilIdle()
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        #expect(prompts == 1 && phone.user.signInPrompts == 2)
    }

    @Test(.timeLimit(.minutes(10)))
    func `an unfinished transaction of another device is reported after its account returns`() async throws {
        let phone = try await Phone()
        let second = try await Phone(account: phone.account)
        let other = try await second.launchSignedIn()
        let observer = RecordingObserver()
        other.paymentQueue.add(observer)
        await other.waitUntilIdle()
        try await phone.buy(credits, finishing: false)
        other.wake()
        await other.waitUntilIdle()
        try await other.signIn(Credentials(of: phone.harness.createAccount()))
        await other.waitUntilIdle()
        try await other.signIn(phone.credentials)
        await other.waitUntilIdle()
        #expect(await other.unfinished().count == 1)
        for await _ in other.updates() { return }
    }

    @Test func `an account change that can't be written is repeated by the next synchronization`() async throws {
        let phone = try await Phone()
        let (device, _) = try await phone.launch(finishing: true)
        phone.transport.set(offline: true)
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        try phone.execute("CREATE TRIGGER full BEFORE UPDATE ON payment BEGIN SELECT RAISE(ABORT, 'full'); END")
        phone.transport.set(offline: false)
        try await device.signIn(phone.credentials)
        await device.waitUntilIdle()
        #expect(try await phone.charges.isEmpty)
        try phone.execute("DROP TRIGGER full")
        device.wake()
        await device.waitUntilIdle()
        #expect(try await phone.charges.count == 1)
    }

    @Test func `the content of an unfinished transaction survives signing out and in during a callback`() async throws {
        let (phone, device, path) = try await deviceWithBook()
        let callback = DispatchSemaphore(value: 0)
        device.callbacks.submit { callback.wait() }
        try await device.signOut()
        try await device.signIn(phone.credentials)
        callback.signal()
        await device.waitUntilIdle()
        #expect(device.paymentQueue.transactions.count == 1)
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test func `the content of a finished transaction is deleted although the account signs out during a callback`() async throws {
        let (phone, device, path) = try await deviceWithBook()
        let callback = DispatchSemaphore(value: 0)
        device.callbacks.submit { callback.wait() }
        device.paymentQueue.finishTransaction(try #require(device.paymentQueue.transactions.first))
        try await device.signOut()
        callback.signal()
        await device.waitUntilIdle()
        #expect(!FileManager.default.fileExists(atPath: path))
        withExtendedLifetime(phone) {}
    }

    /// Returns a device with an unfinished transaction whose content is downloaded, and the path of the content.
    private func deviceWithBook() async throws -> (phone: Phone, device: Device, path: String) {
        let phone = try await Phone()
        try await phone.harness.uploadBook()
        let (device, _) = try await phone.launch(finishing: false)
        let observer = QueueObserver()
        device.paymentQueue.add(observer)
        device.paymentQueue.add(Phone.payment(SampleProduct.book))
        await device.waitUntilIdle()
        let download = try #require(device.paymentQueue.transactions.first?.downloads.first)
        device.paymentQueue.start([download])
        await observer.waitForCallback("finished")
        return (phone, device, try #require(download.contentURL).path(percentEncoded: false))
    }

    @Test func `a repeated restore creates no more transactions, although the first one asked the user to sign in`() async throws {
        let phone = try await Phone()
        try await phone.buy(SampleProduct.sepia)
        let second = try await Phone(account: phone.account)
        let (device, recorder) = try await second.launch(finishing: true)
        second.transport.fail(DeviceEndpoints.restore, .lostReply)
        for _ in 1...2 {
            device.paymentQueue.restoreCompletedTransactions()
            await device.waitUntilIdle()
        }
        #expect(Set(recorder.identifiers).count == 1)
    }

    @Test func `a sign-out that can't be written keeps the account and its receipt`() async throws {
        let phone = try await Phone()
        let (device, _) = try await phone.launch(finishing: true)
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        #expect(FileManager.default.fileExists(atPath: device.receiptURL.path))
        // A folder in place of the file can't be replaced by a file.
        let identity = phone.folder.file("identity.json")
        try FileManager.default.removeItem(at: identity)
        try FileManager.default.createDirectory(at: identity.appending(path: "x"), withIntermediateDirectories: true)
        phone.transport.set(offline: true)
        await #expect(throws: DeviceError.self) { try await device.signOut() }
        await device.waitUntilIdle()
        #expect(device.account == phone.account)
        #expect(FileManager.default.fileExists(atPath: device.receiptURL.path))
    }

    @Test func `a receipt that a killed sign-out left behind is removed at the next launch`() async throws {
        let phone = try await Phone()
        let receipt: (path: String, data: Data)
        do {
            let (device, _) = try await phone.launch(finishing: true)
            device.paymentQueue.add(Phone.payment(credits))
            await device.waitUntilIdle()
            receipt = (device.receiptURL.path, try Data(contentsOf: device.receiptURL))
            try await device.signOut()
            #expect(!FileManager.default.fileExists(atPath: receipt.path))
        }
        #expect(FileManager.default.createFile(atPath: receipt.path, contents: receipt.data))
        let device = try phone.launch()
        #expect(!FileManager.default.fileExists(atPath: receipt.path))
        withExtendedLifetime(device) {}
    }
}
