import Crypto
import Foundation
import LocalAppStore
import MonkeyShopBackend
import PurchaseModel
import PurchaseServer
import PurchaseTestSupport
import Testing

@testable import MonkeyShop

@Suite struct SampleTests {
    @Test func `the store sells every listed product but the winter hat`() throws {
        let catalog = try Catalog(storekit: MonkeyShopSample.storekit)
        let listed = try JSONDecoder().decode([ServerProduct].self, from: MonkeyShopSample.products).map(\.id)
        #expect(Set(listed).count == listed.count)
        #expect(listed.filter { catalog.product($0) == nil } == [MonkeyShopProduct.winterHat])
        #expect(Set(catalog.products.map(\.id)) == Set(listed).subtracting([MonkeyShopProduct.winterHat]))
    }

    @Test func `the server can load the sample's product list`() throws {
        _ = try PurchaseServerConfiguration.loadProducts(json: MonkeyShopSample.products)
    }

    @Test(arguments: [
        (MonkeyShopProduct.credits5, ProductType.consumable), (MonkeyShopProduct.credits10, .consumable),
        (MonkeyShopProduct.sepia, .nonConsumable), (MonkeyShopProduct.moonlight, .nonConsumable), (MonkeyShopProduct.book, .nonConsumable),
        (MonkeyShopProduct.magazine, .autoRenewable), (MonkeyShopProduct.newsletter, .freeSubscription),
        (MonkeyShopProduct.summerPass, .nonRenewing),
    ])
    func `the sample catalog has products of every type`(_ id: ProductID, _ type: ProductType) throws {
        #expect(try Catalog(storekit: MonkeyShopSample.storekit).product(id)?.type == type)
    }

    @Test func `the product list names credits and files`() throws {
        let listed = try JSONDecoder().decode([ServerProduct].self, from: MonkeyShopSample.products)
        #expect(listed.filter { $0.credits != nil }.map(\.credits) == [5, 10])
        #expect(listed.compactMap(\.file) == MonkeyShopBook.allCases.compactMap(\.file))
    }

    @Test func `the book's text never changes, and is long enough to interrupt its download`() throws {
        let text = MonkeyShopBook.receipts.text
        #expect(text == MonkeyShopBook.receipts.text)
        #expect(text.utf8.count > 300_000)
        #expect(text.hasPrefix("The monkey had kept every receipt since the first banana.\n"))
        let hash = SHA256.hash(data: Data(text.utf8)).prefix(4).map { String($0, radix: 16) }.joined()
        // A download can continue after a restart of the server, so the bytes must not change.
        #expect(hash == "40d793c")
    }

    @Test func `writing the sample content again keeps existing files`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("content").path(percentEncoded: false)
        try SampleBackend.writeContent(to: path)
        let file = path + "/" + (try #require(MonkeyShopBook.receipts.file))
        #expect(try String(contentsOfFile: file, encoding: .utf8) == MonkeyShopBook.receipts.text)
        try Data("changed".utf8).write(to: URL(filePath: file))
        try SampleBackend.writeContent(to: path)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "changed")
    }
}
