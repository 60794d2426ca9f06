import Foundation
import MonkeyShop
import PurchaseModel
import PurchaseProtocol
import PurchaseTestSupport
import StoreTestSupport
import Synchronization
import Testing
import WireClient

@testable import OpenStoreKit
@testable import StoreKit

@Suite struct StoreKit1DownloadTests {
    private static let product = MonkeyShopProduct.book
    private static let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) })

    /// A phone of somebody who has bought a product whose content the store hosts.
    private func phone(at store: StoreHarness? = nil) async throws -> TestPhone {
        let phone = try await TestPhone(at: store)
        try await phone.harness.put(Self.bytes, path(on: phone))
        return phone
    }

    private func path(on phone: TestPhone) -> String {
        Endpoint<Empty, Empty>(.get, HostEndpoints.contentPath)
            .path(["bundle": phone.configuration.bundleID.rawValue, "product": Self.product.rawValue])
    }

    private func bought(on phone: TestPhone, _ observer: QueueObserver) async throws -> (Device, SKDownload) {
        let device = try phone.launch()
        device.paymentQueue.add(observer)
        if try await phone.charges.isEmpty { device.paymentQueue.add(TestPhone.payment(Self.product)) }
        await device.settle()
        return (device, try #require(device.paymentQueue.transactions.first?.downloads.first))
    }

    private func content(_ download: SKDownload) throws -> Data {
        let folder = try #require(download.contentURL)
        let info = try Data(contentsOf: folder.appending(path: "ContentInfo.plist"))
        let list = try PropertyListSerialization.propertyList(from: info, format: nil) as? [String: String]
        #expect(list == ["ContentVersion": download.contentVersion, "IAPProductIdentifier": Self.product.rawValue])
        return try Data(contentsOf: folder.appending(path: "Contents/\(Self.product)"))
    }

    @Test func `content arrives whole at a place that is cleared when the transaction is finished`() async throws {
        let observer = QueueObserver()
        let (device, download) = try await bought(on: phone(), observer)
        #expect(download.state == .waiting && download.progress == 0 && download.contentURL == nil)
        #expect(download.contentIdentifier == Self.product.rawValue && download.expectedContentLength == 300_000)
        #expect(download.transaction === device.paymentQueue.transactions.first)
        device.paymentQueue.start([download])
        await observer.until("finished")
        #expect(download.state == .finished && download.progress == 1 && download.timeRemaining == 0 && download.error == nil)
        #expect(observer.progress == observer.progress.sorted())
        #expect(try content(download) == Self.bytes)
        #expect(Device.$current.withValue(device) { SKDownload.contentURL(forProductID: Self.product.rawValue) } == download.contentURL)
        let place = try #require(download.contentURL).path(percentEncoded: false)
        device.paymentQueue.finishTransaction(download.transaction)
        await device.settle()
        #expect(download.contentURL == nil && !FileManager.default.fileExists(atPath: place))
        #expect(Device.$current.withValue(device) { SKDownload.contentURL(forProductID: Self.product.rawValue) } == nil)
    }

    @Test func `a broken connection is taken up again where it broke`() async throws {
        let phone = try await phone()
        let observer = QueueObserver()
        let (device, download) = try await bought(on: phone, observer)
        phone.line.breakContent(after: 100_000, 50_000)
        device.paymentQueue.start([download])
        for _ in 1...2 { await phone.clock.wake() }
        await observer.until("finished")
        #expect(phone.line.calls.filter { $0.hasPrefix("content") } == ["content from 0", "content from 100000", "content from 150000"])
        #expect(try content(download) == Self.bytes)
        #expect(observer.heard.suffix(7) == ["waiting", "active", "waiting", "active", "waiting", "active", "finished"])
    }

    @Test func `a download that was begun goes on in the next launch, and one that rests goes on resting`() async throws {
        let phone = try await phone()
        do {
            let (device, download) = try await bought(on: phone, QueueObserver())
            phone.line.breakContent(after: 100_000)
            device.paymentQueue.start([download])
            await phone.clock.asleep()
            await device.downloads.flush()
        }
        let observer = QueueObserver()
        do {
            let (device, download) = try await bought(on: phone, observer)
            await observer.until("finished")
            #expect(phone.line.calls.contains("content from 100000"))
            #expect(try content(download) == Self.bytes)
            await device.downloads.flush()
        }
        let (_, download) = try await bought(on: phone, observer)
        #expect(download.state == .finished)
        #expect(try content(download) == Self.bytes)
    }

    @Test func `a download rests, goes on and is cancelled as the app says`() async throws {
        let phone = try await phone()
        let observer = QueueObserver()
        let (device, download) = try await bought(on: phone, observer)
        phone.line.breakContent(after: 100_000)
        device.paymentQueue.start([download])
        await phone.clock.asleep()
        device.paymentQueue.pause([download])
        await device.callbacks.drain()
        #expect(download.state == .paused && download.progress > 0.3)
        await device.downloads.flush()
        phone.line.set(away: true)
        device.paymentQueue.resume([download])
        await device.callbacks.drain()
        #expect(download.state == .waiting)
        device.paymentQueue.cancel([download])
        await device.callbacks.drain()
        #expect(download.state == .cancelled && download.progress == 0)
        device.paymentQueue.start([download])
        await device.callbacks.drain()
        #expect(download.state == .cancelled)
        await device.settle()
        #expect(observer.heard.suffix(3) == ["paused", "waiting", "cancelled"])
    }

    @Test func `a finish ends a download that is not over`() async throws {
        let phone = try await phone()
        let observer = QueueObserver()
        let (device, download) = try await bought(on: phone, observer)
        phone.line.set(away: true)
        device.paymentQueue.start([download])
        phone.line.set(away: false)
        device.paymentQueue.finishTransaction(download.transaction)
        await device.settle()
        #expect(download.state == .cancelled || download.state == .finished)
        #expect(download.contentURL == nil)
        device.paymentQueue.start([download])
        #expect(download.state != .waiting)
    }

    @Test func `content that the store refuses is a failure that can be tried again`() async throws {
        let phone = try await phone()
        let observer = QueueObserver()
        let (device, download) = try await bought(on: phone, observer)
        phone.line.refuseContent(status: 403)
        device.paymentQueue.start([download])
        await observer.until("failed")
        #expect(download.state == .failed && download.error != nil)
        device.paymentQueue.start([download])
        await observer.until("finished")
        #expect(download.error == nil)
    }

    @Test func `content that is not what the store states fails, leaves nothing behind, and can be started again`() async throws {
        let phone = try await phone()
        let observer = QueueObserver()
        let (device, download) = try await bought(on: phone, observer)
        phone.line.damageContent()
        device.paymentQueue.start([download])
        await observer.until("failed")
        let error = try #require(download.error) as NSError
        #expect(error.domain == NSURLErrorDomain && error.code == URLError.Code.badServerResponse.rawValue)
        #expect(error.localizedDescription.contains("SHA-256"))
        #expect(download.contentURL == nil)
        let folder = phone.folder.file("Downloads").path(percentEncoded: false)
        await device.downloads.flush()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        phone.line.damageContent(false)
        device.paymentQueue.start([download])
        await observer.until("finished")
        #expect(try content(download) == Self.bytes)
    }

    @Test func `content that was replaced after the purchase arrives, as what it is now`() async throws {
        let phone = try await phone(at: StoreHarness.started())
        let observer = QueueObserver()
        let (device, download) = try await bought(on: phone, observer)
        let newer = Data(Self.bytes.reversed())
        try await phone.harness.put(newer, path(on: phone) + "?version=2.0")
        device.paymentQueue.start([download])
        await observer.until("finished")
        let folder = try #require(download.contentURL)
        #expect(try Data(contentsOf: folder.appending(path: "Contents/\(Self.product)")) == newer)
        let info = try Data(contentsOf: folder.appending(path: "ContentInfo.plist"))
        let list = try PropertyListSerialization.propertyList(from: info, format: nil) as? [String: String]
        #expect(list?["ContentVersion"] == "2.0")
    }

    @Test func `progress is told a hundred times at most, however small the pieces are`() async throws {
        let phone = try await phone()
        let observer = QueueObserver()
        let (device, download) = try await bought(on: phone, observer)
        phone.line.cutContent(into: 100)
        phone.line.breakContent(after: 120_000)
        device.paymentQueue.start([download])
        await phone.clock.wake()
        await observer.until("finished")
        #expect(try content(download) == Self.bytes)
        // Besides those that tell of a new state: twice waiting and active, and finished.
        #expect((50...105).contains(observer.progress.count))
        #expect(Set(observer.progress.map { Int($0 * 100) }).count > 90)
    }

    @Test func `a description of before there was a digest is read, and its content is taken by its length`() async throws {
        let old = try WireJSON.decode(HostedContent.self, from: Data(#"{"version":"1.0","length":7}"#.utf8))
        #expect(old == HostedContent(version: "1.0", length: 7))
        let phone = try await phone()
        let observer = QueueObserver()
        let (device, download) = try await bought(on: phone, observer)
        let id = try #require(download.record?.transaction)
        device.downloads.forgetDigest(of: id)
        phone.line.damageContent()
        device.paymentQueue.start([download])
        await observer.until("finished")
        #expect(download.error == nil)
    }

    @Test func `a product says what the store hosts for it`() async throws {
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
    /// Makes a download one of before there was a digest.
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
