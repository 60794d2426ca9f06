import OpenStoreKit
import PurchaseModel
import PurchaseProtocol

/// A request for the prices and descriptions of products; it needs no account.
open class SKProductsRequest: SKRequest, @unchecked Sendable {
    private let identifiers: Set<String>

    /// Creates a request for products.
    public init(productIdentifiers: Set<String>) {
        identifiers = productIdentifiers
    }

    /// Creates a request without products, for subclasses.
    public override init() {
        identifiers = []
    }

    /// The delegate, which receives the products and the end of the request.
    open weak var delegate: (any SKProductsRequestDelegate)? {
        get { listener as? any SKProductsRequestDelegate }
        set { listener = newValue }
    }

    override var notifiedDelegate: (any SKRequestDelegate)? { delegate ?? listener }

    /// Sends the request and returns at once.
    open override func start() {
        run { [self] device in
            do throws(RequestFailure) {
                let reply = try await device.products(identifiers.sorted().map { ProductID($0) })
                let response = SKProductsResponse(
                    products: reply.products.map { SKProduct($0) },
                    invalidProductIdentifiers: reply.invalidProductIDs.map(\.rawValue)
                )
                notifyDelegate { ($0 as? any SKProductsRequestDelegate)?.productsRequest(self, didReceive: response) }
                notifyDidFinish()
            } catch {
                notifyDidFail(error.failure.error)
            }
        }
    }
}

/// A delegate that receives products.
public protocol SKProductsRequestDelegate: SKRequestDelegate {
    /// The store has responded.
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse)
}
