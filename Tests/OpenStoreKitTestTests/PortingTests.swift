import Foundation
import OpenStoreKitTest
import StoreKit
import StoreKitTest
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

#if canImport(os)
    import os
#else
    struct Logger {
        init(subsystem: String, category: String) {}
        func notice(_ message: String) { print(message) }
        func error(_ message: String) { print("error: \(message)") }
    }
#endif

#if canImport(Combine)
    import Combine
#else
    protocol ObservableObject: AnyObject {}

    @propertyWrapper struct Published<Value> {
        var wrappedValue: Value
    }
#endif

func label(of product: Product, in locale: Locale) -> String? {
    guard let period = product.subscription?.subscriptionPeriod else { return nil }
    var style = product.subscriptionPeriodFormatStyle
    style.locale = locale
    style.style = .wide
    return period.formatted(style)
}

@MainActor final class PlanModel: ObservableObject {
    @Published private(set) var state = Product.CollectionTaskState.loading
    private let logger = Logger(subsystem: "com.example.shop", category: "plans")

    func load(_ ids: [String]) async {
        do {
            let products = try await Product.products(for: ids)
            let missing = Set(ids).subtracting(products.map(\.id))
            state = .success(products, unavailable: missing.sorted())
        } catch {
            logger.error("No plans: \(error)")
            state = .failure(error)
        }
    }
}

/// Examples and statements of `docs/porting.md`.
@Suite struct PortingTests {
    private static var page: URL { URL(filePath: #filePath).appending(path: "../../../docs/porting.md").standardizedFileURL }

    @Test func `the format strings that the page recommends work with and without a locale`() {
        let german = Locale(identifier: "de_DE")
        #expect(String(format: "%2$@ %1$d%% %3$.1f", 5, "a", 2.5) == "a 5% 2.5")
        #expect(String(format: "%d %.2f %@", locale: german, 1_234_567, 1_234.5, "b") == "1.234.567 1.234,50 b")
        #expect(String.localizedStringWithFormat(NSLocalizedString("%@ of %ld", comment: ""), "a", 5) == "a of 5")
        #expect(String(format: "%@ %@", arguments: ["a", "\(5)"]) == "a 5")
    }

    @Test func `every example of the documentation page is in this file`() throws {
        let code = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let examples = try String(contentsOf: Self.page, encoding: .utf8).split(separator: "```swift\n").dropFirst()
            .compactMap { $0.split(separator: "```").first }
        #expect(examples.count == 4)
        for example in examples { #expect(code.contains(example), "\(example)") }
    }

    @Test @MainActor func `a view model that was written for Apple's platforms runs`() async throws {
        let session = try SessionFile.session()
        let model = PlanModel()
        await model.load([SessionFile.yearly, "none"])
        guard case .success(let products, let unavailable) = model.state else {
            Issue.record("\(model.state)")
            return
        }
        #expect(products.map(\.id) == [SessionFile.yearly] && unavailable == ["none"] && model.state.products?.count == 1)
        #expect(products.first.flatMap { label(of: $0, in: Locale(identifier: "de_DE")) } == "1 Jahr")
        try await session.setSimulatedError(.generic(.notAvailableInStorefront), forAPI: .loadProducts)
        await model.load([SessionFile.yearly])
        guard case .failure = model.state else {
            Issue.record("\(model.state)")
            return
        }
        #expect(model.state.products == nil)
    }

    @Test func `a URL request from an unwrapped URL compiles`() throws {
        #expect(URLRequest(url: try #require(URL(string: "https://example.com"))).httpMethod == "GET")
    }

    @Test func `an observer receives a StoreKit 2 purchase, and its finish applies to both APIs`() async throws {
        let session = try SessionFile.session()
        let observer = ClientObserver()
        let (bought, continuation) = AsyncStream.makeStream(of: String.self)
        observer.onPurchase = { continuation.yield($0) }
        SKPaymentQueue.default().add(observer)
        let product = try #require(try await Product.products(for: [SessionFile.pro]).first)
        guard case .success = try await product.purchase() else {
            Issue.record("The purchase did not succeed.")
            return
        }
        var purchases = bought.makeAsyncIterator()
        #expect(await purchases.next() == SessionFile.pro)
        await session.waitUntilIdle()
        for await _ in Transaction.unfinished { Issue.record("The transaction is unfinished in StoreKit 2.") }
        SKPaymentQueue.default().remove(observer)
    }
}
