import Foundation
import OpenStoreKit
import PurchaseModel
import PurchaseTestSupport
import StoreKit
import StoreProtocol
import StoreTestSupport
import Synchronization
import Testing
import Wire

@testable import PurchaseKit

/// Content that the App Store hosts.
@Suite struct HostedContentTests {
    private static let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
    /// A store with content for the book, apart from the shared store, whose book has none.
    private static let store = Task {
        let store = try await StoreHarness.start()
        try await upload(bytes, to: store)
        return store
    }

    private static func upload(_ bytes: Data, version: String = "1.0", to store: StoreHarness) async throws {
        let path = Endpoint<Empty, Empty>(.get, HostEndpoints.contentPath)
            .path(["bundle": BundleID.test.rawValue, "product": SampleProduct.book.rawValue])
        try await store.upload(bytes, path + "?version=\(version)")
    }

    private let book = SampleProduct.book

    private func phone(account: AccountID? = nil) async throws -> Phone {
        try await Phone(account: account, at: try await Self.store.value)
    }

    private func launch(
        _ phone: Phone, listening: ClassicApp.Listening = .both, waits: Bool = true,
        step: @escaping @Sendable (DeliveryStep) async -> Void = { _ in }
    ) async throws -> ClassicApp {
        let content = HostedContentDelivery(folder: folder(phone), clock: TestClock())
        return try await ClassicApp.launch(phone, listening: listening, hostedContent: content, waits: waits) {
            $0.fulfillments[book] = .deliver(content)
            $0.step = step
        }
    }

    private func folder(_ phone: Phone) -> String { phone.folder.file("content").path(percentEncoded: false) }

    /// Returns the bytes of the installed book; nil if it is not installed.
    private func installed(_ app: ClassicApp) async throws -> Data? {
        guard let content = await app.vault.content(of: book) else { return nil }
        #expect(content.path.hasPrefix(folder(app.phone)))
        #expect(content.length > 300_000 && content.sha256.count == 64)
        return try Data(contentsOf: URL(filePath: "\(content.path)/Contents/\(book)"))
    }

    @Test(arguments: ClassicApp.Listening.allCases)
    func `hosted content is in the app's folder before its transaction is finished`(_ listening: ClassicApp.Listening) async throws {
        let phone = try await phone()
        let notes = Mutex<[String]>([])
        let folder = folder(phone)
        let app = try await launch(phone, listening: listening) { step in
            guard case .recorded = step else { return }
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            let queued = SKPaymentQueue.default().transactions.count
            notes.withLock {
                $0.append("files: \(files.count), queued: \(queued), finished: \(phone.transport.count(DeviceEndpoints.finish))")
            }
        }
        #expect(await app.buyDelivered(book) != nil)
        #expect(notes.withLock { $0 } == ["files: 1, queued: 1, finished: 0"])
        #expect(try await installed(app) == Self.bytes)
        #expect(app.queue.transactions.isEmpty)
        #expect(phone.transport.count(DeviceEndpoints.finish) == 1)
        let state = await app.state
        #expect(state.hostedDownloads.isEmpty && state.downloads.isEmpty)
    }

    @Test func `a download can be paused, and continues where it stopped after a relaunch`() async throws {
        let phone = try await phone()
        do {
            let app = try await launch(phone)
            phone.transport.interruptContent(after: 100_000)
            app.observer.add(Phone.payment(book))
            await phone.clock.waitForSleep()
            app.observer.pauseDownload(of: book)
            try await eventually { await app.state.hostedDownloads[book]?.state == .paused }
            let download = try #require(await app.state.hostedDownloads[book])
            #expect(download.progress > 0.3 && download.progress < 0.4 && download.length == 300_000)
            #expect(download.timeRemaining == nil && !download.version.isEmpty)
            try await eventually { await app.state.downloads[book]?.received == Int64(download.progress * 300_000) }
            #expect(app.queue.transactions.count == 1)
            await app.close()
            await app.device.waitUntilIdle()
        }
        let app = try await launch(phone, waits: false)
        try await eventually { await app.state.hostedDownloads[book]?.state == .paused }
        #expect(try await installed(app) == nil)
        app.observer.resumeDownload(of: book)
        await app.waitUntilIdle()
        try await eventually { app.queue.transactions.isEmpty }
        #expect(try await installed(app) == Self.bytes)
        #expect(phone.transport.calls.contains("content from 100000"))
        #expect(try await phone.charges.count == 1)
    }

    @Test func `a canceled download is not delivered, and a restore downloads it`() async throws {
        let phone = try await phone()
        let app = try await launch(phone)
        phone.transport.interruptContent(after: 100_000)
        async let buying = app.observer.buy(Phone.payment(book))
        await phone.clock.waitForSleep()
        app.observer.cancelDownload(of: book)
        guard case .purchased(_, .refused) = await buying else {
            Issue.record("The canceled download was delivered.")
            return
        }
        #expect(app.queue.transactions.count == 1)
        guard case .completed(let difference) = await app.restoreAll() else {
            Issue.record("The restore did not complete.")
            return
        }
        #expect(difference.gained == [book])
        #expect(try await installed(app) == Self.bytes)
        await app.waitUntilIdle()
        #expect(app.queue.transactions.isEmpty)
        #expect(await app.purchases.state.hostedDownloads.isEmpty)
    }

    @Test func `a download that is canceled while it is paused is downloaded by a restore`() async throws {
        let phone = try await phone()
        let app = try await launch(phone)
        phone.transport.interruptContent(after: 100_000)
        async let buying = app.observer.buy(Phone.payment(book))
        await phone.clock.waitForSleep()
        app.observer.pauseDownload(of: book)
        guard case .purchased(_, .delayed) = await buying else {
            Issue.record("The paused download was delivered.")
            return
        }
        // Nothing waits for a paused download.
        await app.onDevice { await app.purchases.retry() }
        app.observer.cancelDownload(of: book)
        await app.waitUntilIdle()
        guard case .completed(let difference) = await app.restoreAll() else {
            Issue.record("The restore did not complete.")
            return
        }
        #expect(difference.gained == [book])
        #expect(try await installed(app) == Self.bytes)
        let state = await app.state
        #expect(state.hostedDownloads.isEmpty && state.downloads.isEmpty)
    }

    @Test func `a download that failed is started again by the next attempt`() async throws {
        let phone = try await phone()
        let app = try await launch(phone, listening: .queue)
        phone.transport.refuseContent(status: 403)
        guard case .purchased(_, .delayed) = await app.observer.buy(Phone.payment(book)) else {
            Issue.record("The delivery was not delayed.")
            return
        }
        app.observer.startDownload(of: book)
        await app.waitUntilIdle()
        try await eventually { app.queue.transactions.isEmpty }
        #expect(try await installed(app) == Self.bytes)
    }

    @Test func `a restore downloads chosen content again if it is no longer on the disk`() async throws {
        let phone = try await phone()
        let app = try await launch(phone)
        #expect(await app.buyDelivered(book) != nil)
        let downloads = phone.transport.calls.count { $0.hasPrefix("content") }
        #expect(await app.restoreAll() != .canceled)
        #expect(phone.transport.calls.count { $0.hasPrefix("content") } == downloads)
        try FileManager.default.removeItem(atPath: folder(phone))
        guard case .completed(let difference) = await app.restoreAll() else {
            Issue.record("The restore did not complete.")
            return
        }
        #expect(difference.kept == [book])
        #expect(try await installed(app) == Self.bytes)
        #expect(app.queue.transactions.isEmpty)
    }

    @Test func `content that is installed is not downloaded again with another purchase, unless it has a new version`() async throws {
        let store = try await StoreHarness.start()
        try await Self.upload(Self.bytes, to: store)
        let phone = try await Phone(at: store)
        let app = try await launch(phone)
        func downloads() -> Int { phone.transport.calls.count { $0.hasPrefix("content") } }
        let first = try #require(await app.buyDelivered(book))
        #expect(downloads() == 1)
        // A purchase of an owned product is free, and has a transaction of its own.
        let second = try #require(await app.buyDelivered(book))
        #expect(second != first)
        #expect(downloads() == 1)
        #expect(app.queue.transactions.isEmpty)

        let newBytes = Data(Self.bytes.reversed())
        try await Self.upload(newBytes, version: "1.1", to: store)
        #expect(await app.buyDelivered(book) != nil)
        #expect(try await installed(app) == newBytes)
        #expect(downloads() == 2)
    }

    @Test func `content that was moved before a crash is not downloaded again`() async throws {
        let phone = try await phone()
        let (opened, gate) = AsyncStream.makeStream(of: Never.self)
        let (moves, moved) = AsyncStream.makeStream(of: Void.self)
        defer { gate.finish() }
        do {
            // The app session ends between the move and the record.
            let app = try await launch(phone) { step in
                guard case .installed = step else { return }
                moved.yield()
                for await _ in opened {}
            }
            app.observer.add(Phone.payment(book))
            await moves.first { _ in true }
            await app.close()
        }
        let app = try await launch(phone)
        try await eventually { app.queue.transactions.isEmpty }
        #expect(try await installed(app) == Self.bytes)
        #expect(phone.transport.calls.filter { $0.hasPrefix("content") } == ["content from 0"])
    }

    @Test func `without a transaction in the queue, hosted content is refused after a while`() async throws {
        let owner = try await phone()
        try await owner.buy(book)
        let phone = try await phone(account: owner.account)
        let clock = TestClock()
        let content = HostedContentDelivery(folder: folder(phone), clock: clock)
        let app = try await ClassicApp.launch(phone, hostedContent: content) { $0.fulfillments[book] = .deliver(content) }
        async let restoring = app.onDevice {
            await Device.withUserGesture { await app.purchases.restore { Set($0.map(\.productID)) } }
        }
        await clock.endSleeps()
        guard case .completed(let difference) = await restoring else {
            Issue.record("The restore did not complete.")
            return
        }
        #expect(difference.undelivered == [book])
        #expect(clock.sleepDurations == [.seconds(10)])
    }

    @Test(
        arguments: [
            (.waiting, .waiting), (.active, .active), (.paused, .paused), (.finished, .finished), (.failed, .failed("The text.")),
            (.cancelled, .canceled),
        ] as [(SKDownloadState, HostedDownload.State)])
    func `a download shows its state, progress and remaining time`(
        _ state: SKDownloadState, _ shown: HostedDownload.State
    ) async throws {
        let app = try await ClassicApp.launch(try await Phone())
        let download = SKDownload()
        let values: [String: Any] = [
            "state": state, "progress": Float(0.25), "timeRemaining": TimeInterval(12), "expectedContentLength": Int64(400),
            "contentIdentifier": book.rawValue, "contentVersion": "1.0",
            "error": NSError(domain: "d", code: 1, userInfo: [NSLocalizedDescriptionKey: "The text."]),
        ]
        for (key, value) in values { download.setValue(value, forKey: key) }
        app.observer.paymentQueue(app.queue, updatedDownloads: [download])
        await app.observer.waitUntilIdle()
        #expect(
            await app.state.hostedDownloads[book]
                == HostedDownload(
                    productID: book, state: shown, progress: 0.25, timeRemaining: .seconds(12), length: 400, version: "1.0"))
    }
}
