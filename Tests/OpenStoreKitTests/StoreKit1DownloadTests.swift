import Foundation
import FoundationExtras
import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Synchronization
import Testing
import Wire

@testable import OpenStoreKit
@testable import StoreKit

@Suite struct StoreKit1DownloadTests {
    private static let product = SampleProduct.book
    private static let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) })

    /// A phone whose store hosts content for ``product``.
    private func phone(at store: StoreHarness? = nil) async throws -> Phone {
        let phone = try await Phone(at: store)
        try await phone.harness.upload(Self.bytes, path(on: phone))
        return phone
    }

    private func path(on phone: Phone) -> String {
        Endpoint<Empty, Empty>(.get, HostEndpoints.contentPath)
            .path(["bundle": phone.configuration.bundleID.rawValue, "product": Self.product.rawValue])
    }

    private func purchaseDownload(on phone: Phone, _ observer: QueueObserver) async throws -> (Device, SKDownload) {
        try await purchaseDownload(on: phone.launch(), of: phone, observer)
    }

    private func purchaseDownload(on device: Device, of phone: Phone, _ observer: QueueObserver) async throws -> (Device, SKDownload) {
        device.paymentQueue.add(observer)
        if try await phone.charges.isEmpty { device.paymentQueue.add(Phone.payment(Self.product)) }
        await device.waitUntilIdle()
        return (device, try #require(device.paymentQueue.transactions.first?.downloads.first))
    }

    private func content(_ download: SKDownload) throws -> Data {
        let folder = try #require(download.contentURL)
        let info = try Data(contentsOf: folder.appending(path: "ContentInfo.plist"))
        let list = try PropertyListSerialization.propertyList(from: info, format: nil) as? [String: String]
        #expect(list == ["ContentVersion": download.contentVersion, "IAPProductIdentifier": Self.product.rawValue])
        return try Data(contentsOf: folder.appending(path: "Contents/\(Self.product)"))
    }

    @Test func `content is downloaded completely, and deleted when the transaction is finished`() async throws {
        let observer = QueueObserver()
        let (device, download) = try await purchaseDownload(on: phone(), observer)
        #expect(download.state == .waiting && download.progress == 0 && download.contentURL == nil)
        #expect(download.contentIdentifier == Self.product.rawValue && download.expectedContentLength == 300_000)
        #expect(download.transaction === device.paymentQueue.transactions.first)
        device.paymentQueue.start([download])
        await observer.waitForCallback("finished")
        #expect(download.state == .finished && download.progress == 1 && download.timeRemaining == 0 && download.error == nil)
        #expect(observer.progress == observer.progress.sorted())
        #expect(try content(download) == Self.bytes)
        #expect(Device.$current.withValue(device) { SKDownload.contentURL(forProductID: Self.product.rawValue) } == download.contentURL)
        let contentPath = try #require(download.contentURL).path(percentEncoded: false)
        device.paymentQueue.finishTransaction(download.transaction)
        await device.waitUntilIdle()
        #expect(download.contentURL == nil && !FileManager.default.fileExists(atPath: contentPath))
        #expect(Device.$current.withValue(device) { SKDownload.contentURL(forProductID: Self.product.rawValue) } == nil)
    }

    @Test func `an interrupted download resumes at the last received byte`() async throws {
        let phone = try await phone()
        let observer = QueueObserver()
        let (device, download) = try await purchaseDownload(on: phone, observer)
        phone.transport.interruptContent(after: 100_000, 50_000)
        device.paymentQueue.start([download])
        for _ in 1...2 { await phone.clock.endSleeps() }
        await observer.waitForCallback("finished")
        #expect(
            phone.transport.calls.filter { $0.hasPrefix("content") } == ["content from 0", "content from 100000", "content from 150000"])
        #expect(try content(download) == Self.bytes)
        #expect(observer.callbacks.suffix(7) == ["waiting", "active", "waiting", "active", "waiting", "active", "finished"])
    }

    @Test func `a started download continues at the next launch, and a finished one stays finished`() async throws {
        let phone = try await phone()
        do {
            let (device, download) = try await purchaseDownload(on: phone, QueueObserver())
            phone.transport.interruptContent(after: 100_000)
            device.paymentQueue.start([download])
            await phone.clock.waitForSleep()
            await device.downloads.flush()
        }
        let observer = QueueObserver()
        do {
            let (device, download) = try await purchaseDownload(on: phone, observer)
            await observer.waitForCallback("finished")
            #expect(phone.transport.calls.contains("content from 100000"))
            #expect(try content(download) == Self.bytes)
            await device.downloads.flush()
        }
        let (_, download) = try await purchaseDownload(on: phone, observer)
        #expect(download.state == .finished)
        #expect(try content(download) == Self.bytes)
    }

    @Test func `the list on the disk says that a download is finished before the app learns it`() async throws {
        let phone = try await phone()
        let list = phone.folder.file("downloads.json")
        let announced = DispatchSemaphore(value: 0)
        let lists = Mutex<[String]>([])
        let observer = QueueObserver { _, event in
            guard event == "finished" else { return }
            lists.withLock { $0.append((try? String(contentsOf: list, encoding: .utf8)) ?? "") }
            announced.signal()
        }
        let isComplete = Mutex(false)
        let device = try Device(
            phone.configuration, phone.transport, RetryPolicy { 0 }, phone.clock, .silent
        ) { step in
            if step == .replaced("content") { isComplete.withLock { $0 = true } }
            // The slow disk gives an early announcement the time to arrive.
            if step == .replacing("downloads.json"), isComplete.withLock({ $0 }) { _ = announced.wait(timeout: .now() + 0.2) }
        }
        let (_, download) = try await purchaseDownload(on: device, of: phone, observer)
        device.paymentQueue.start([download])
        await observer.waitForCallback("finished")
        #expect(lists.withLock { $0.count } == 1)
        #expect(lists.withLock { $0.first }?.contains("finished") == true)
    }

    @Test func `an app can pause, resume and cancel a download`() async throws {
        let phone = try await phone()
        let observer = QueueObserver()
        let (device, download) = try await purchaseDownload(on: phone, observer)
        phone.transport.interruptContent(after: 100_000)
        device.paymentQueue.start([download])
        await phone.clock.waitForSleep()
        device.paymentQueue.pause([download])
        await device.callbacks.drain()
        #expect(download.state == .paused && download.progress > 0.3)
        await device.downloads.flush()
        phone.transport.set(offline: true)
        device.paymentQueue.resume([download])
        await device.callbacks.drain()
        #expect(download.state == .waiting)
        device.paymentQueue.cancel([download])
        await device.callbacks.drain()
        #expect(download.state == .cancelled && download.progress == 0)
        device.paymentQueue.start([download])
        await device.callbacks.drain()
        #expect(download.state == .cancelled)
        await device.waitUntilIdle()
        #expect(observer.callbacks.suffix(3) == ["paused", "waiting", "cancelled"])
    }

    @Test func `finishing a transaction ends its download`() async throws {
        let phone = try await phone()
        let observer = QueueObserver()
        let (device, download) = try await purchaseDownload(on: phone, observer)
        phone.transport.set(offline: true)
        device.paymentQueue.start([download])
        phone.transport.set(offline: false)
        device.paymentQueue.finishTransaction(download.transaction)
        await device.waitUntilIdle()
        #expect(download.state == .cancelled || download.state == .finished)
        #expect(download.contentURL == nil)
        device.paymentQueue.start([download])
        #expect(download.state != .waiting)
    }

    @Test func `a download that the store refuses fails and can be started again`() async throws {
        let phone = try await phone()
        let observer = QueueObserver()
        let (device, download) = try await purchaseDownload(on: phone, observer)
        phone.transport.refuseContent(status: 403)
        device.paymentQueue.start([download])
        await observer.waitForCallback("failed")
        #expect(download.state == .failed && download.error != nil)
        device.paymentQueue.start([download])
        await observer.waitForCallback("finished")
        #expect(download.error == nil)
    }

    @Test func `content with a wrong digest fails, is deleted, and can be downloaded again`() async throws {
        let phone = try await phone()
        let observer = QueueObserver()
        let (device, download) = try await purchaseDownload(on: phone, observer)
        phone.transport.corruptContent()
        device.paymentQueue.start([download])
        await observer.waitForCallback("failed")
        let error = try #require(download.error) as NSError
        #expect(error.domain == NSURLErrorDomain && error.code == URLError.Code.badServerResponse.rawValue)
        #expect(error.localizedDescription.contains("SHA-256"))
        #expect(download.contentURL == nil)
        let folder = phone.folder.file("Downloads").path(percentEncoded: false)
        await device.downloads.flush()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        phone.transport.corruptContent(false)
        device.paymentQueue.start([download])
        await observer.waitForCallback("finished")
        #expect(try content(download) == Self.bytes)
    }

    @Test func `content that was replaced after the purchase is downloaded in its current version`() async throws {
        let phone = try await phone(at: StoreHarness.start())
        let observer = QueueObserver()
        let (device, download) = try await purchaseDownload(on: phone, observer)
        let newer = Data(Self.bytes.reversed())
        try await phone.harness.upload(newer, path(on: phone) + "?version=2.0")
        device.paymentQueue.start([download])
        await observer.waitForCallback("finished")
        let folder = try #require(download.contentURL)
        #expect(try Data(contentsOf: folder.appending(path: "Contents/\(Self.product)")) == newer)
        let info = try Data(contentsOf: folder.appending(path: "ContentInfo.plist"))
        let list = try PropertyListSerialization.propertyList(from: info, format: nil) as? [String: String]
        #expect(list?["ContentVersion"] == "2.0")
    }

    @Test func `progress is reported at most a hundred times, whatever the chunk size`() async throws {
        let phone = try await phone()
        let observer = QueueObserver()
        let (device, download) = try await purchaseDownload(on: phone, observer)
        phone.transport.splitContent(into: 100)
        phone.transport.interruptContent(after: 120_000)
        device.paymentQueue.start([download])
        await phone.clock.endSleeps()
        await observer.waitForCallback("finished")
        #expect(try content(download) == Self.bytes)
        // At most 100 progress updates and five state changes: waiting and active twice, and finished.
        #expect((50...105).contains(observer.progress.count))
        #expect(Set(observer.progress.map { Int($0 * 100) }).count > 90)
    }

    @Test func `hosted content without a digest is decoded, and only its length is verified`() async throws {
        let old = try WireJSON.decode(HostedContent.self, from: Data(#"{"version":"1.0","length":7}"#.utf8))
        #expect(old == HostedContent(version: "1.0", length: 7))
        let phone = try await phone()
        let observer = QueueObserver()
        let (device, download) = try await purchaseDownload(on: phone, observer)
        let id = try #require(download.record?.transaction)
        device.downloads.forgetDigest(of: id)
        phone.transport.corruptContent()
        device.paymentQueue.start([download])
        await observer.waitForCallback("finished")
        #expect(download.error == nil)
    }

    @Test func `a product describes its hosted content`() async throws {
        let phone = try await phone()
        let device = try phone.launch()
        let product = try #require(
            await device.session.description(of: Self.product).map { SKProduct($0) })
        #expect(product.isDownloadable && product.downloadContentLengths == [300_000] && !product.downloadContentVersion.isEmpty)
        #expect(product.contentVersion == product.downloadContentVersion)
    }
}

extension StoreSession {
    fileprivate func description(of product: ProductID) async throws -> StoreProduct? {
        try await ask(DeviceEndpoints.products, ProductsRequest(productIDs: [product])).products.first
    }
}

extension DownloadCenter {
    /// Removes the digest from a download's content description.
    fileprivate func forgetDigest(of id: TransactionID) {
        state.withLock { state in
            guard let entry = state.entries[id] else { return }
            let record = entry.record
            state.entries[id]?.record = DownloadRecord(
                transaction: id, productID: record.productID,
                content: HostedContent(version: record.content.version, length: record.content.length), account: record.account)
        }
    }
}
