import OpenStoreKit
import PurchaseModel
import PurchaseProtocol

/// Asks the store for prices and descriptions; needs no account.
open class SKProductsRequest: SKRequest, @unchecked Sendable {
    private let identifiers: Set<String>

    /// Asks for these products.
    public init(productIdentifiers: Set<String>) {
        identifiers = productIdentifiers
    }

    /// Asks for nothing, for subclasses.
    public override init() {
        identifiers = []
    }

    /// Who receives the products and hears of the end.
    open weak var delegate: (any SKProductsRequestDelegate)? {
        get { listener as? any SKProductsRequestDelegate }
        set { listener = newValue }
    }

    override var hearing: (any SKRequestDelegate)? { delegate ?? listener }

    /// Sends the request and returns at once.
    open override func start() {
        run { [self] device in
            do throws(RequestFailure) {
                let reply = try await device.products(identifiers.sorted().map { ProductID($0) })
                let response = SKProductsResponse(
                    products: reply.products.map { SKProduct($0) },
                    invalidProductIdentifiers: reply.invalidProductIDs.map(\.rawValue)
                )
                tell { ($0 as? any SKProductsRequestDelegate)?.productsRequest(self, didReceive: response) }
                tellFinish()
            } catch {
                tellFailure(error.failure.error)
            }
        }
    }
}

/// Who receives products.
public protocol SKProductsRequestDelegate: SKRequestDelegate {
    /// The store has answered.
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse)
}
