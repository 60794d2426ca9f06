import Foundation
import StoreKit
import Testing

// Typical client code and mocks, compiled against the public interface only.

private final class MockProduct: SKProduct, @unchecked Sendable {
    private let identifier: String
    private let amount: NSDecimalNumber
    var mockPeriod: SKProductSubscriptionPeriod?

    init(identifier: String, price: NSDecimalNumber) {
        self.identifier = identifier
        amount = price
        super.init()
    }

    override var productIdentifier: String { identifier }
    override var localizedTitle: String { "Title" }
    override var localizedDescription: String { "Description" }
    override var price: NSDecimalNumber { amount }
    override var priceLocale: Locale { Locale(identifier: "de_DE") }
    override var subscriptionPeriod: SKProductSubscriptionPeriod? { mockPeriod }
    override var subscriptionGroupIdentifier: String? { "group" }
    override var introductoryPrice: SKProductDiscount? { MockDiscount() }
    override var discounts: [SKProductDiscount] { [MockDiscount()] }
    override var isDownloadable: Bool { true }
    override var isFamilyShareable: Bool { true }
    override var downloadContentLengths: [NSNumber] { [1] }
    override var downloadContentVersion: String { "1.0" }
}

private final class MockPeriod: SKProductSubscriptionPeriod, @unchecked Sendable {
    override var numberOfUnits: Int { 3 }
    override var unit: SKProduct.PeriodUnit { .month }
}

private final class MockDiscount: SKProductDiscount, @unchecked Sendable {
    override var price: NSDecimalNumber { 1.99 }
    override var priceLocale: Locale { Locale(identifier: "en_US") }
    override var identifier: String? { "offer" }
    override var subscriptionPeriod: SKProductSubscriptionPeriod { MockPeriod() }
    override var numberOfPeriods: Int { 1 }
    override var paymentMode: SKProductDiscount.PaymentMode { .payUpFront }
    override var type: SKProductDiscount.`Type` { .subscription }
}

private final class MockTransaction: SKPaymentTransaction, @unchecked Sendable {
    var mockState = SKPaymentTransactionState.purchased
    var mockPayment: SKPayment?
    var mockError: (any Error)?
    override var transactionState: SKPaymentTransactionState { mockState }
    override var payment: SKPayment { mockPayment ?? super.payment }
    override var error: (any Error)? { mockError }
    override var transactionIdentifier: String? { "id" }
    override var transactionDate: Date? { Date(timeIntervalSince1970: 0) }
    override var original: SKPaymentTransaction? { nil }
    override var downloads: [SKDownload] { [MockDownload()] }
}

private final class MockPayment: SKPayment, @unchecked Sendable {
    override var productIdentifier: String { "mock" }
    override var quantity: Int { 2 }
    override var applicationUsername: String? { "jane" }
    override var paymentDiscount: SKPaymentDiscount? { nil }
    override var requestData: Data? { nil }
    override var simulatesAskToBuyInSandbox: Bool { true }
}

private final class MockPaymentDiscount: SKPaymentDiscount, @unchecked Sendable {
    private let mockIdentifier: String

    init(mockIdentifier: String) {
        self.mockIdentifier = mockIdentifier
        super.init()
    }

    override var identifier: String { mockIdentifier }
    override var keyIdentifier: String { "key" }
    override var nonce: UUID { UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
    override var signature: String { "c2lnbmVk" }
    override var timestamp: NSNumber { 1_700_000_000_000 }
}

private final class MockDownload: SKDownload, @unchecked Sendable {
    override var state: SKDownloadState { .active }
    override var progress: Float { 0.5 }
    override var contentURL: URL? { nil }
    override var error: (any Error)? { nil }
    override var timeRemaining: TimeInterval { 3 }
    override var contentIdentifier: String { "book" }
    override var contentVersion: String { "1.0" }
    override var transaction: SKPaymentTransaction { MockTransaction() }
}

private final class MockQueue: SKPaymentQueue, @unchecked Sendable {
    var added: [SKPayment] = []
    var finished: [SKPaymentTransaction] = []
    var restores = 0
    var mockTransactions: [SKPaymentTransaction] = []
    weak var mockDelegate: (any SKPaymentQueueDelegate)?

    override class func `default`() -> MockQueue { shared }
    private static let shared = MockQueue()
    override class func canMakePayments() -> Bool { false }
    override var transactions: [SKPaymentTransaction] { mockTransactions }
    override var storefront: SKStorefront? { MockStorefront() }
    override var delegate: (any SKPaymentQueueDelegate)? {
        get { mockDelegate }
        set { mockDelegate = newValue }
    }
    override func add(_ payment: SKPayment) { added.append(payment) }
    override func add(_ observer: any SKPaymentTransactionObserver) {
        observer.paymentQueue(self, updatedTransactions: mockTransactions)
    }
    override func remove(_ observer: any SKPaymentTransactionObserver) {}
    override func finishTransaction(_ transaction: SKPaymentTransaction) { finished.append(transaction) }
    override func restoreCompletedTransactions() { restores += 1 }
    override func restoreCompletedTransactions(withApplicationUsername username: String?) { restores += 1 }
    override func start(_ downloads: [SKDownload]) {}
    override func pause(_ downloads: [SKDownload]) {}
    override func resume(_ downloads: [SKDownload]) {}
    override func cancel(_ downloads: [SKDownload]) {}
    override func presentCodeRedemptionSheet() {}
    override func showPriceConsentIfNeeded() {}
}

private final class MockStorefront: SKStorefront, @unchecked Sendable {
    override var countryCode: String { "DEU" }
    override var identifier: String { "143443" }
}

private final class MockProductsRequest: SKProductsRequest, @unchecked Sendable {
    var mockResponse = MockResponse()
    private(set) var isStarted = false
    override func start() {
        isStarted = true
        delegate?.productsRequest(self, didReceive: mockResponse)
        delegate?.requestDidFinish(self)
    }
    override func cancel() {}
}

private final class MockResponse: SKProductsResponse, @unchecked Sendable {
    override var products: [SKProduct] { [MockProduct(identifier: "a", price: 1)] }
    override var invalidProductIdentifiers: [String] { ["b"] }
}

private final class MockReceiptRequest: SKReceiptRefreshRequest, @unchecked Sendable {
    override func start() { delegate?.requestDidFinish(self) }
}

/// A protocol with which libraries replace the payment queue in tests.
private protocol PaymentQueue: AnyObject {
    func add(_ observer: any SKPaymentTransactionObserver)
    func remove(_ observer: any SKPaymentTransactionObserver)
    func add(_ payment: SKPayment)
    func start(_ downloads: [SKDownload])
    func restoreCompletedTransactions(withApplicationUsername username: String?)
    func finishTransaction(_ transaction: SKPaymentTransaction)
    var transactions: [SKPaymentTransaction] { get }
    var transactionObservers: [any SKPaymentTransactionObserver] { get }
    var storefront: SKStorefront? { get }
    static func canMakePayments() -> Bool
    static func `default`() -> Self
}
extension SKPaymentQueue: PaymentQueue {}

private protocol ProductsRequesting: AnyObject {
    var delegate: (any SKProductsRequestDelegate)? { get set }
    func start()
    func cancel()
}
extension SKProductsRequest: ProductsRequesting {}

extension SKPaymentTransaction {
    fileprivate var isOver: Bool {
        switch transactionState {
        case .purchasing, .deferred: return false
        case .purchased, .restored, .failed: return true
        @unknown default: return false
        }
    }
}

extension SKProduct {
    /// Creates a product by key-value coding, as many tests do.
    fileprivate convenience init(identifier: String, price: String, priceLocale: Locale) {
        self.init()
        self.setValue(identifier, forKey: "productIdentifier")
        self.setValue(NSDecimalNumber(string: price), forKey: "price")
        self.setValue(priceLocale, forKey: "priceLocale")
    }

    fileprivate var localizedPrice: String? {
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = priceLocale
        return formatter.string(from: price)
    }
}

/// A shop in the style of tutorials.
private final class Shop: NSObject, SKProductsRequestDelegate, SKPaymentTransactionObserver, SKPaymentQueueDelegate {
    private var request: SKProductsRequest?
    private(set) var products: [SKProduct] = []
    private(set) var invalid: [String] = []
    private(set) var calls: [String] = []
    private(set) var delivered: [String] = []

    func load(_ request: SKProductsRequest) {
        self.request?.cancel()
        self.request = request
        self.request?.delegate = self
        self.request?.start()
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        products = response.products
        invalid = response.invalidProductIdentifiers
    }

    func requestDidFinish(_ request: SKRequest) {
        if request is SKReceiptRefreshRequest { calls.append("refreshed") } else { calls.append("finished") }
        request.cancel()
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) { calls.append("failed") }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchased, .restored:
                delivered.append(transaction.original?.payment.productIdentifier ?? transaction.payment.productIdentifier)
                queue.finishTransaction(transaction)
            case .failed:
                if let error = transaction.error as? SKError, error.code != .paymentCancelled { calls.append(error.localizedDescription) }
                if let error = transaction.error as NSError?, error.code == SKError.paymentCancelled.rawValue { calls.append("cancelled") }
                if (transaction.error as? SKError)?.code == SKError.Code.paymentCancelled { calls.append("cancelled") }
                queue.finishTransaction(transaction)
            case .deferred, .purchasing:
                break
            @unknown default:
                break
            }
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        for download in downloads {
            switch download.state {
            case .waiting, .active, .paused: break
            case .finished, .failed, .cancelled: queue.finishTransaction(download.transaction)
            @unknown default: break
            }
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct) -> Bool { true }
    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool { false }
    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction, in newStorefront: SKStorefront
    ) -> Bool { newStorefront.countryCode == "DEU" }
}

@Suite struct StoreKit1ClientCodeTests {
    @Test func `every enumeration represents undefined raw values`() throws {
        let number = 92_159_124
        #expect(try #require(SKPaymentTransactionState(rawValue: number)).rawValue == number)
        #expect(try #require(SKDownloadState(rawValue: number)).rawValue == number)
        #expect(try #require(SKError.Code(rawValue: number)).rawValue == number)
        #expect(try #require(SKProduct.PeriodUnit(rawValue: UInt(number))).rawValue == UInt(number))
        #expect(try #require(SKProductDiscount.PaymentMode(rawValue: UInt(number))).rawValue == UInt(number))
        let discount = SKProductDiscount()
        discount.setValue(number, forKey: "type")
        #expect(discount.type.rawValue == UInt(number))
        let transaction = SKPaymentTransaction()
        transaction.setValue(number, forKey: "transactionState")
        #expect(transaction.transactionState.rawValue == number && !transaction.isOver)
    }

    @Test func `subclasses of products, discounts and periods override their properties`() {
        let product: SKProduct = MockProduct(identifier: "a", price: 4.99)
        (product as? MockProduct)?.mockPeriod = MockPeriod()
        #expect(product.productIdentifier == "a")
        #expect(product.localizedPrice == "4,99\u{a0}€")
        #expect(product.subscriptionPeriod?.unit == .month)
        #expect(product.introductoryPrice?.paymentMode == .payUpFront)
        #expect(product.discounts.first?.type == .subscription)
        #expect(SKProductDiscount.PaymentMode(rawValue: 2) == .freeTrial)
        #expect(SKProduct.PeriodUnit.year.rawValue == 3)
        #expect(SKPayment(product: product).productIdentifier == "a")
        let payment = SKMutablePayment(product: product)
        payment.quantity = 3
        payment.applicationUsername = "jane"
        #expect(payment.copy() as? SKPayment == payment)
        #expect((payment.copy() as? SKPayment)?.quantity == 3)
        #expect((payment.mutableCopy() as? SKMutablePayment)?.applicationUsername == "jane")
        #expect(Set([payment, SKPayment(product: product)]).count == 2)
        #expect(MockPayment(product: product).productIdentifier == "mock")
    }

    @Test func `products, transactions, responses and discounts can be created by key-value coding`() {
        let product = SKProduct(identifier: "a", price: "0.99", priceLocale: Locale(identifier: "en_US"))
        #expect(product.productIdentifier == "a")
        #expect(product.price == NSDecimalNumber(string: "0.99"))
        #expect(product.localizedPrice == "$0.99")
        product.setValue(true, forKey: "downloadable")
        #expect(product.isDownloadable)
        let transaction = SKPaymentTransaction()
        transaction.setValue(SKPayment(product: product), forKey: "payment")
        transaction.setValue(SKPaymentTransactionState.restored.rawValue, forKey: "transactionState")
        transaction.setValue("7", forKey: "transactionIdentifier")
        #expect(transaction.payment.productIdentifier == "a")
        #expect(transaction.transactionState == .restored)
        #expect(transaction.transactionIdentifier == "7")
        let response = SKProductsResponse()
        response.setValue([product], forKey: "products")
        #expect(response.products == [product])
        let discount = SKProductDiscount()
        discount.setValue(NSNumber(value: SKProductDiscount.PaymentMode.freeTrial.rawValue), forKey: "paymentMode")
        #expect(discount.paymentMode == .freeTrial)
    }

    @Test func `a subclass can replace the payment queue`() {
        let queue = MockQueue()
        let shop = Shop()
        let bought = MockTransaction()
        bought.mockPayment = MockPayment()
        let failed = MockTransaction()
        failed.mockState = .failed
        failed.mockError = SKError(.paymentCancelled)
        queue.mockTransactions = [bought, failed]
        queue.add(shop as any SKPaymentTransactionObserver)
        queue.add(SKPayment(product: MockProduct(identifier: "a", price: 1)))
        queue.restoreCompletedTransactions()
        queue.delegate = shop
        #expect(queue.added.map(\.productIdentifier) == ["a"])
        #expect(queue.finished == [bought, failed])
        #expect(queue.finished.allSatisfy { $0.isOver })
        #expect(shop.delivered == ["mock"])
        #expect(shop.calls == ["cancelled", "cancelled"])
        #expect(MockQueue.default() === MockQueue.default())
        #expect(!MockQueue.canMakePayments())
        #expect(queue.storefront?.countryCode == "DEU")
        #expect(queue.delegate?.paymentQueueShouldShowPriceConsent(queue) == false)
        shop.paymentQueue(queue, updatedDownloads: [MockDownload()])
        let abstractQueue: any PaymentQueue = queue
        #expect(abstractQueue.transactions.count == 2)
    }

    @Test func `a subclass of a request calls its delegate`() {
        let shop = Shop()
        shop.load(MockProductsRequest(productIdentifiers: ["a", "b"]))
        #expect(shop.products.map(\.productIdentifier) == ["a"])
        #expect(shop.invalid == ["b"])
        let refresh = MockReceiptRequest(receiptProperties: [SKReceiptPropertyIsRevoked: true])
        refresh.delegate = shop
        refresh.start()
        #expect(shop.calls == ["finished", "refreshed"])
        #expect(refresh.receiptProperties?["revoked"] as? Bool == true)
        let plain: SKRequest = MockProductsRequest()
        plain.delegate = shop
        plain.delegate?.requestDidFinish(plain)
        #expect(shop.calls == ["finished", "refreshed", "finished"])
    }

    @Test func `methods that Apple declares optional can be called with and without optional chaining`() throws {
        let shop = Shop()
        let delegate: (any SKRequestDelegate)? = shop
        let request = SKRequest()
        delegate?.request?(request, didFailWithError: SKError(.unknown))
        delegate?.request!(request, didFailWithError: SKError(.unknown))
        delegate?.requestDidFinish?(request)
        delegate?.requestDidFinish!(request)
        delegate?.requestDidFinish(request)
        #expect(shop.calls == ["failed", "failed", "finished", "finished", "finished"])
        let queue = MockQueue()
        let observer: any SKPaymentTransactionObserver = shop
        #expect(observer.paymentQueue?(queue, shouldAddStorePayment: MockPayment(), for: SKProduct()) == true)
        observer.paymentQueue?(queue, removedTransactions: [])
        observer.paymentQueue?(queue, restoreCompletedTransactionsFailedWithError: SKError(.unknown))
        observer.paymentQueueRestoreCompletedTransactionsFinished?(queue)
        let queueDelegate: any SKPaymentQueueDelegate = shop
        #expect(queueDelegate.paymentQueueShouldShowPriceConsent?(queue) == false)
        #expect(queueDelegate.paymentQueue?(queue, shouldContinue: MockTransaction(), in: MockStorefront()) == true)
    }

    @Test func `a payment discount can be subclassed or created by key-value coding`() {
        let payment = SKMutablePayment(product: MockProduct(identifier: "a", price: 1))
        payment.paymentDiscount = MockPaymentDiscount(mockIdentifier: "spring")
        #expect(payment.paymentDiscount?.identifier == "spring")
        #expect(payment.paymentDiscount?.timestamp == 1_700_000_000_000)
        let discount = SKPaymentDiscount()
        discount.setValue("autumn", forKey: "identifier")
        #expect(discount.identifier == "autumn")
        let nonce = UUID()
        let signed = SKPaymentDiscount(identifier: "a", keyIdentifier: "k", nonce: nonce, signature: "s", timestamp: 7)
        #expect(signed == SKPaymentDiscount(identifier: "a", keyIdentifier: "k", nonce: nonce, signature: "s", timestamp: 7))
    }

    @Test func `types can be qualified with the module's name`() {
        let product: StoreKit.SKProduct = SKProduct()
        let code: StoreKit.SKError.Code = .unknown
        #expect(product.productIdentifier.isEmpty && code == SKError.unknown)
        SKStoreReviewController.requestReview()
        #expect(SKDownloadTimeRemainingUnknown < 0)
        #expect(StoreKit.SKDownloadState.cancelled.rawValue == 5)
    }
}
