import Foundation
import PurchaseModel
import PurchaseTestSupport
import StoreKit
import StoreTestSupport
import Synchronization
import Testing

@testable import PurchaseKit

/// Downloads that a person pauses, resumes, cancels, and requests later.
@Suite struct DownloadTests {
    private let book = SampleProduct.moonlight
    private let sepia = SampleProduct.sepia

    /// Content whose downloads end when a test ends them.
    private final class HeldContent: ContentDelivery {
        private struct State {
            var isHeld: Bool
            var attempts = 0
            var version = 1
            var held: [AsyncStream<Never>.Continuation] = []
        }

        private let folder: TemporaryFolder
        private let state: Mutex<State>

        init(isHeld: Bool = true) throws {
            folder = try TemporaryFolder()
            state = Mutex(State(isHeld: isHeld))
        }

        /// The number of downloads that were begun.
        var attempts: Int { state.withLock { $0.attempts } }

        /// The names of the installed files.
        var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()) ?? [] }

        /// Holds later downloads, or ends the held ones.
        func hold(_ isHeld: Bool) {
            let held = state.withLock { state in
                state.isHeld = isHeld
                defer { if !isHeld { state.held = [] } }
                return isHeld ? [] : state.held
            }
            for continuation in held { continuation.finish() }
        }

        func publish(version: Int) { state.withLock { $0.version = version } }

        func removeFiles() throws {
            for file in files { try FileManager.default.removeItem(at: folder.file(file)) }
        }

        func install(
            _ purchase: Purchase, report: @escaping @Sendable (Int64, Int64) -> Void
        ) async throws(DeliveryError) -> InstalledContent {
            let (never, continuation) = AsyncStream.makeStream(of: Never.self)
            let (isHeld, version) = state.withLock { state in
                state.attempts += 1
                if state.isHeld { state.held.append(continuation) }
                return (state.isHeld, state.version)
            }
            report(10, 100)
            if isHeld { for await _ in never {} }
            if Task.isCancelled { throw .later("The download was interrupted.") }
            let file = folder.file("\(purchase.productID)-\(version)")
            do { try Data("book".utf8).write(to: file) } catch { throw .later("\(error)") }
            return InstalledContent(path: file.path, length: 4, sha256: "", version: "\(version)")
        }

        func remove(_ replaced: InstalledContent) async {
            try? FileManager.default.removeItem(atPath: replaced.path)
        }
    }

    // MARK: - Deliver, then finish

    @Test func `a paused delivery stays unfinished, also in the next app session, until it is resumed`() async throws {
        let content = try HeldContent()
        let phone = try await Phone()
        let first = try await KitApp.launch(phone) { $0.fulfillments[book] = .deliver(content) }
        async let outcome = first.onDevice { await first.purchases.buy(book) }
        try await eventually { await first.state.downloads[book]?.state == .active }
        #expect(await first.state.downloads[book]?.fraction == 0.1)
        await first.purchases.pauseDownload(of: book)
        guard case .purchased(let purchase, .delayed) = await outcome else {
            Issue.record("The purchase was not delayed.")
            return
        }
        #expect(await first.state.downloads[book]?.state == .paused)
        #expect(await first.state.problems.isEmpty)
        #expect(await first.state.readyToDownload.isEmpty)
        await first.close()

        content.hold(false)
        let app = try await KitApp.launch(phone) { $0.fulfillments[book] = .deliver(content) }
        #expect(await app.state.downloads[book]?.state == .paused)
        #expect(content.attempts == 1)
        #expect(await !app.vault.contents.delivered.contains(purchase.id))
        #expect(await app.state.installedContent.isEmpty)
        await app.onDevice { await app.purchases.resumeDownload(of: book) }
        // The customer had the entitlement before, so that nothing else of the state announces the content.
        try await eventually { await app.state.installedContent[book] != nil }
        await app.waitUntilIdle()
        #expect(await app.vault.contents.delivered.contains(purchase.id))
        #expect(await app.state.downloads.isEmpty)
        #expect(app.device.paymentQueue.transactions.isEmpty)
        #expect(content.attempts == 2 && content.files.count == 1)
    }

    @Test func `a paused delivery is submitted once, however often the app tries again`() async throws {
        let content = try HeldContent()
        let (phone, customer) = (try await Phone(), CustomerID(UUID()))
        let database = StubPurchaseService.Database(verifier: phone.harness.verifier)
        let server = StubPurchaseService(database, customer: customer)
        let app = try await KitApp.launch(phone, server: server, customer: customer) { $0.fulfillments[book] = .deliver(content) }
        async let outcome = app.onDevice { await app.purchases.buy(book) }
        try await eventually { await app.state.downloads[book]?.state == .active }
        await app.purchases.pauseDownload(of: book)
        _ = await outcome
        for _ in 1...3 { await app.onDevice { await app.purchases.retry() } }
        #expect(database.attempts("submit") == 1)
        content.hold(false)
        await app.onDevice { await app.purchases.resumeDownload(of: book) }
        await app.waitUntilIdle()
        #expect(await app.vault.contents.contents[book] != nil)
        #expect(app.device.paymentQueue.transactions.isEmpty)
    }

    @Test(arguments: [false, true])
    func `a canceled delivery is finished without its content, which can be downloaded later`(_ isPaused: Bool) async throws {
        let content = try HeldContent()
        let phone = try await Phone()
        let app = try await KitApp.launch(phone) { $0.fulfillments[book] = .deliver(content) }
        async let outcome = app.onDevice { await app.purchases.buy(book) }
        try await eventually { await app.state.downloads[book]?.state == .active }
        if isPaused {
            await app.purchases.pauseDownload(of: book)
            _ = await outcome
        }
        await app.onDevice { await app.purchases.cancelDownload(of: book) }
        if !isPaused { #expect(await outcome.delivered != nil) }
        await app.waitUntilIdle()
        #expect(app.device.paymentQueue.transactions.isEmpty)
        #expect(await app.state.downloads.isEmpty)
        #expect(await app.state.readyToDownload == [book])
        content.hold(false)
        guard case .installed = await app.purchases.download(book) else {
            Issue.record("The content was not downloaded.")
            return
        }
        #expect(await app.state.readyToDownload.isEmpty)
    }

    // MARK: - Finish now, download later

    @Test func `content for later is downloaded with the stored transaction, as often as needed`() async throws {
        let content = try HeldContent(isHeld: false)
        let phone = try await Phone()
        let first = try await KitApp.launch(phone) { $0.fulfillments[book] = .downloadLater(content) }
        #expect(await first.buy(book).delivered != nil)
        #expect(first.device.paymentQueue.transactions.isEmpty)
        #expect(content.attempts == 0)
        #expect(await first.state.readyToDownload == [book])
        await first.close()

        let app = try await KitApp.launch(phone) { $0.fulfillments[book] = .downloadLater(content) }
        #expect(await app.state.readyToDownload == [book])
        for count in 1...2 {
            guard case .installed(let installed) = await app.purchases.download(book) else {
                Issue.record("The content was not downloaded.")
                return
            }
            #expect(FileManager.default.fileExists(atPath: installed.path))
            #expect(await app.state.installedContent == [book: installed])
            #expect(await app.state.readyToDownload.isEmpty && content.attempts == count)
            try content.removeFiles()
            await app.purchases.refresh()
            #expect(await app.state.installedContent.isEmpty)
            #expect(await app.state.readyToDownload == [book])
        }
    }

    /// Launches an app that has bought the book, and that is downloading it.
    private func downloading(_ content: HeldContent, on phone: Phone) async throws -> (KitApp, Task<DownloadOutcome, Never>) {
        let app = try await KitApp.launch(phone) { $0.fulfillments[book] = .downloadLater(content) }
        await app.buy(book)
        let download = Task { await app.purchases.download(book) }
        try await eventually { await app.state.downloads[book]?.state == .active }
        return (app, download)
    }

    @Test func `a requested download continues in the next app session`() async throws {
        let content = try HeldContent()
        let phone = try await Phone()
        let (first, download) = try await downloading(content, on: phone)
        await first.close()
        guard case .delayed = await download.value else {
            Issue.record("The ended session downloaded.")
            return
        }
        content.hold(false)
        let app = try await KitApp.launch(phone) { $0.fulfillments[book] = .downloadLater(content) }
        #expect(await app.vault.contents.contents[book] != nil)
        #expect(await app.vault.contents.downloads.isEmpty)
    }

    @Test func `a paused download continues when it is resumed, and only then`() async throws {
        let content = try HeldContent()
        let phone = try await Phone()
        let (first, download) = try await downloading(content, on: phone)
        await first.purchases.pauseDownload(of: book)
        #expect(await download.value == .paused)
        await first.close()
        content.hold(false)
        let app = try await KitApp.launch(phone) { $0.fulfillments[book] = .downloadLater(content) }
        #expect(await app.state.downloads[book]?.state == .paused && content.attempts == 1)
        await app.onDevice { await app.purchases.resumeDownload(of: book) }
        #expect(await app.vault.contents.contents[book] != nil)
        #expect(await app.state.downloads.isEmpty)
        #expect(await app.state.readyToDownload.isEmpty)
    }

    @Test func `a download that is resumed before its pause has taken effect goes on`() async throws {
        let content = try HeldContent()
        let (app, download) = try await downloading(content, on: try await Phone())
        await app.purchases.pauseDownload(of: book)
        content.hold(false)
        // The resumption can join the download that is ending, which is then tried again.
        await app.purchases.resumeDownload(of: book)
        try await app.clock.endingSleeps { try await eventually { await app.vault.contents.contents[book] != nil } }
        _ = await download.value
        try await eventually { await app.state.downloads.isEmpty }
        #expect(await app.vault.contents.downloads.isEmpty)
    }

    @Test func `the content of another customer can't be downloaded`() async throws {
        let content = try HeldContent(isHeld: false)
        let phone = try await Phone()
        let (owner, other) = (CustomerID(UUID()), CustomerID(UUID()))
        let first = try await KitApp.launch(phone, customer: owner) { $0.fulfillments[book] = .downloadLater(content) }
        #expect(await first.buy(book).delivered != nil)
        #expect(await first.state.readyToDownload == [book])
        await first.close()
        let app = try await KitApp.launch(phone, customer: other) { $0.fulfillments[book] = .downloadLater(content) }
        #expect(await app.state.readyToDownload.isEmpty)
        #expect(await app.purchases.download(book) == .unavailable)
    }

    @Test func `a failed download is tried again by itself`() async throws {
        final class Failing: ContentDelivery {
            let content: HeldContent
            let fails = Mutex(true)

            init(_ content: HeldContent) { self.content = content }

            func install(
                _ purchase: Purchase, report: @escaping @Sendable (Int64, Int64) -> Void
            ) async throws(DeliveryError) -> InstalledContent {
                if fails.withLock({ $0 }) { throw .later("The network is down.") }
                return try await content.install(purchase, report: report)
            }
        }
        let content = Failing(try HeldContent(isHeld: false))
        let app = try await KitApp.launch(try await Phone()) { $0.fulfillments[book] = .downloadLater(content) }
        await app.buy(book)
        #expect(await app.purchases.download(book) == .delayed("The network is down."))
        #expect(await app.state.readyToDownload == [book])
        content.fails.withLock { $0 = false }
        await app.clock.endSleeps()
        try await eventually { await app.state.installedContent[book] != nil }
        #expect(await app.state.readyToDownload.isEmpty)
    }

    @Test func `another version replaces the installed one, whose file is removed`() async throws {
        let content = try HeldContent(isHeld: false)
        let app = try await KitApp.launch(try await Phone()) { $0.fulfillments[book] = .deliver(content) }
        #expect(await app.buy(book).delivered != nil)
        #expect(content.files == ["\(book)-1"])
        content.publish(version: 2)
        guard case .installed(let installed) = await app.purchases.download(book) else {
            Issue.record("The content was not downloaded.")
            return
        }
        #expect(installed.version == "2" && content.files == ["\(book)-2"])
        #expect(await app.vault.contents.contents[book] == installed)
    }

    @Test func `a refunded product and one that was never purchased can't be downloaded`() async throws {
        let content = try HeldContent(isHeld: false)
        let phone = try await Phone()
        let app = try await KitApp.launch(phone) { $0.fulfillments[book] = .downloadLater(content) }
        #expect(await app.purchases.download(book) == .unavailable)
        #expect(await app.purchases.download(sepia) == .unavailable)
        let purchase = try #require(await app.buy(book).delivered)
        try await phone.harness.refund(purchase.id)
        await app.wake()
        try await eventually { await app.state.readyToDownload.isEmpty }
        #expect(await app.purchases.download(book) == .unavailable)
        #expect(content.attempts == 0)
    }
}

/// The order of downloads, and their limit.
@Suite struct DownloadQueueTests {
    /// Downloads that end when a test ends them.
    private final class Downloads: Sendable {
        let queue: DownloadQueue
        private let state = Mutex<(begun: [ProductID], gates: [ProductID: AsyncStream<Never>.Continuation])>(([], [:]))

        init(limit: Int) { queue = DownloadQueue(limit: limit) }

        var begun: [ProductID] { state.withLock { $0.begun } }

        func run(_ product: ProductID, isLimited: Bool = true) -> Task<Bool, Never> {
            Task { [self] in
                let ending = await queue.run(product, isLimited: isLimited) { [self] in
                    let (never, continuation) = AsyncStream.makeStream(of: Never.self)
                    state.withLock { state in
                        state.begun.append(product)
                        state.gates[product] = continuation
                    }
                    for await _ in never {}
                    return Task.isCancelled ? .failure(.later("canceled")) : .success(.sample)
                }
                if case .installed = ending { return true }
                return false
            }
        }

        func end(_ product: ProductID) { state.withLock { $0.gates[product] }?.finish() }

        func waitForBegun(_ products: ProductID...) async throws { try await eventually { self.begun == products } }

        /// Waits until a download waits or runs.
        func waitUntilKnown(_ product: ProductID) async throws { try await eventually { await self.queue.contains(product) } }
    }

    @Test func `downloads wait for their turn, and a prioritized one is the next`() async throws {
        let downloads = Downloads(limit: 2)
        var tasks: [Task<Bool, Never>] = []
        for product: ProductID in ["a", "b", "c", "d", "e"] {
            tasks.append(downloads.run(product))
            try await downloads.waitUntilKnown(product)
        }
        try await downloads.waitForBegun("a", "b")
        await downloads.queue.prioritize("e")
        downloads.end("b")
        try await downloads.waitForBegun("a", "b", "e")
        downloads.end("a")
        try await downloads.waitForBegun("a", "b", "e", "c")
        downloads.end("e")
        try await downloads.waitForBegun("a", "b", "e", "c", "d")
        downloads.end("c")
        downloads.end("d")
        for task in tasks { #expect(await task.value) }
    }

    @Test func `a stopped download passes its place on, and a waiting one never starts`() async throws {
        let downloads = Downloads(limit: 1)
        let first = downloads.run("a")
        try await downloads.waitForBegun("a")
        let second = downloads.run("b")
        try await downloads.waitUntilKnown("b")
        let third = downloads.run("c")
        try await downloads.waitUntilKnown("c")
        await downloads.queue.stop("b", .paused)
        #expect(await !second.value)
        await downloads.queue.stop("a", .canceled)
        #expect(await !first.value)
        try await downloads.waitForBegun("a", "c")
        downloads.end("c")
        #expect(await third.value)
    }

    @Test func `a caller that is canceled leaves the queue`() async throws {
        let downloads = Downloads(limit: 1)
        let first = downloads.run("a")
        try await downloads.waitForBegun("a")
        let second = downloads.run("b")
        try await downloads.waitUntilKnown("b")
        second.cancel()
        #expect(await !second.value)
        first.cancel()
        #expect(await !first.value)
        let third = downloads.run("c")
        try await downloads.waitForBegun("a", "c")
        downloads.end("c")
        #expect(await third.value)
    }

    @Test func `content of the store does not count`() async throws {
        let downloads = Downloads(limit: 1)
        let first = downloads.run("a")
        try await downloads.waitForBegun("a")
        let second = downloads.run("b", isLimited: false)
        try await downloads.waitForBegun("a", "b")
        downloads.end("b")
        #expect(await second.value)
        downloads.end("a")
        #expect(await first.value)
    }
}
