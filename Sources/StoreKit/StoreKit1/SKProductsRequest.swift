public import Foundation
import OpenStoreKit
import PurchaseModel
import StoreProtocol

/// A request for the prices and descriptions of products, which works without a signed-in account.
open class SKProductsRequest: SKRequest, @unchecked Sendable {
    // reason: the type is that of Apple's initializer.
    private let identifiers: Set<String>

    /// Creates a request for the products with these identifiers.
    public init(productIdentifiers: Set<String>) {
        identifiers = productIdentifiers
    }

    /// Creates a request without product identifiers, for subclasses.
    public override init() {
        identifiers = []
    }

    /// The delegate, which receives the products and is notified when the request ends.
    open weak var delegate: (any SKProductsRequestDelegate)? {
        get { listener as? any SKProductsRequestDelegate }
        set { listener = newValue }
    }

    override var notifiedDelegate: (any SKRequestDelegate)? { delegate ?? listener }

    /// Sends the request to the store and returns at once; the delegate receives the response.
    open override func start() {
        run { [self] device, run in
            do throws(RequestFailure) {
                let reply = try await device.products(identifiers.sorted().map { ProductID($0) })
                let response = SKProductsResponse(
                    products: reply.products.map { SKProduct($0) },
                    invalidProductIdentifiers: reply.invalidProductIDs.map(\.rawValue)
                )
                run.notifyDelegate { ($0 as? any SKProductsRequestDelegate)?.productsRequest(self, didReceive: response) }
                run.notifyDidFinish()
            } catch {
                run.notifyDidFail(error.failure.error)
            }
        }
    }
}

/// A delegate that receives the response to a products request.
public protocol SKProductsRequestDelegate: SKRequestDelegate {
    /// Tells the delegate that the store has responded, and passes the products.
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse)
}

/// The store's response to a products request.
open class SKProductsResponse: NSObject, @unchecked Sendable {
    /// The products that the store sells; set once, before other threads can access the response.
    private var known: [SKProduct] = []
    /// The identifiers that the store does not know; set once, before other threads can access the response.
    private var unknown: [String] = []
    private let keyed = KeyedValues()

    /// Creates a response without products, for subclasses.
    public override init() {}

    convenience init(products: [SKProduct], invalidProductIdentifiers: [String]) {
        self.init()
        known = products
        unknown = invalidProductIdentifiers
    }

    /// The requested products that the store sells, in unspecified order.
    open var products: [SKProduct] { keyed["products"] ?? known }
    /// The requested product identifiers that the store does not know.
    open var invalidProductIdentifiers: [String] { keyed["invalidProductIdentifiers"] ?? unknown }

    /// Overrides the value of the property with the name `key`, for tests; nil removes the override.
    open func setValue(_ value: Any?, forKey key: String) {
        keyed.set(value, forKey: key)
    }
}
