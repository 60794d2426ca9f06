import Foundation
import PurchaseModel
import PurchaseTestSupport
import StoreKit
import StoreProtocol
import StoreTestSupport
import Synchronization
import Testing
import Wire

@testable import OpenStoreKit

/// Tests of what happens when the app releases a device.
@Suite struct DeviceLifetimeTests {
    private let credits = SampleProduct.credits5

    @Test(.timeLimit(.minutes(10)))
    func `the streams of an idle device end when the device is released`() async throws {
        let phone = try await Phone()
        let updates: AsyncStream<SignedTransaction>
        let statuses: AsyncStream<HistoryReply.Status>
        do {
            let device = try await phone.launchSignedIn()
            (updates, statuses) = (device.updates(), device.statusUpdates())
            await device.waitUntilIdle()
        }
        for await _ in updates {}
        for await _ in statuses {}
    }

    @Test func `a payment that is added just before the device is released is journaled`() async throws {
        for _ in 0..<10 {
            let phone = try await Phone()
            do {
                let device = try phone.launch()
                await device.waitUntilIdle()
                device.paymentQueue.add(Phone.payment(credits))
            }
            try await eventually { try phone.records().count == 1 }
        }
    }

    @Test func `a transaction that is finished just before the device is released is finished in the journal`() async throws {
        for _ in 0..<5 {
            let phone = try await Phone()
            do {
                let (device, _) = try await phone.launch(finishing: false)
                device.paymentQueue.add(Phone.payment(credits))
                await device.waitUntilIdle()
                phone.transport.set(offline: true)
                device.paymentQueue.finishTransaction(try #require(device.paymentQueue.transactions.first))
            }
            try await eventually { try phone.records().allSatisfy(\.isFinished) }
        }
    }

    @Test(arguments: [false, true])
    func `a device that watches the store's events is released`(_ isCurrent: Bool) async throws {
        let phone = try await Phone()
        phone.transport.script(streams: [AsyncThrowingStream { _ in }, AsyncThrowingStream { _ in }])
        weak var released: Device?
        do {
            let device = try phone.launch()
            released = device
            await device.waitUntilIdle()
            // Tasks inherit the current device; a task of the device must not retain it.
            try await Device.$current.withValue(isCurrent ? device : nil) { try await device.signIn(phone.credentials) }
            await device.waitUntilIdle()
        }
        try await eventually { released == nil }
    }

    @Test func `a device whose observer has started a download is released while the store is offline`() async throws {
        let phone = try await Phone()
        try await phone.harness.uploadBook()
        weak var released: Device?
        do {
            let device = try phone.launch()
            released = device
            let observer = QueueObserver { queue, event in
                guard event == "purchased" else { return }
                phone.transport.set(offline: true)
                queue.start(queue.transactions.flatMap(\.downloads))
            }
            device.paymentQueue.add(observer)
            device.paymentQueue.add(Phone.payment(SampleProduct.book))
            await device.waitUntilIdle()
        }
        try await eventually { released == nil }
    }
}

extension StoreHarness {
    /// Uploads the content of the book, and returns its bytes.
    @discardableResult
    func uploadBook() async throws -> Data {
        let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        let path = Endpoint<Empty, Empty>(.get, HostEndpoints.contentPath)
            .path(["bundle": BundleID.test.rawValue, "product": SampleProduct.book.rawValue])
        try await upload(bytes, path)
        return bytes
    }
}
