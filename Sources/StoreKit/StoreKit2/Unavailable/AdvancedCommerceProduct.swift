/// A product that stands for the developer's own catalog (Advanced Commerce); it can be looked at and not bought here.
public struct AdvancedCommerceProduct: Identifiable, Hashable, Sendable {
    /// The type of the product.
    public typealias ProductType = Product.ProductType
    /// The result of a purchase call without an error.
    public typealias PurchaseResult = Product.PurchaseResult

    /// An option of a purchase.
    public struct PurchaseOption: Hashable, Sendable {
        private let question: StorefrontQuestion

        /// Decides whether to go on when the account's storefront has changed.
        public static func onStorefrontChange(
            shouldContinuePurchase: @escaping @Sendable (Storefront) -> Bool
        ) -> PurchaseOption {
            PurchaseOption(question: StorefrontQuestion(shouldContinuePurchase))
        }
    }

    /// The product's identifier.
    public let id: String
    /// The type of the product.
    public let type: ProductType

    private let product: Product

    /// Asks the store for the product.
    ///
    /// - Throws: ``StoreKitError``; ``InvalidRequestError`` when the store does not sell it.
    public init(id: String) async throws {
        guard let product = try await Product.products(for: [id]).first else {
            throw InvalidRequestError(code: 404, message: "The store has no such product.")
        }
        self.id = id
        type = product.type
        self.product = product
    }

    /// Throws ``StoreKitError/unsupported``: the store sells nothing of the developer's own catalog.
    @MainActor
    public func purchase(compactJWS: String, options: Set<PurchaseOption> = []) async throws -> PurchaseResult {
        throw StoreKitError.unsupported
    }

    /// The newest transaction of the product; nil when it was never bought.
    public var latestTransaction: VerificationResult<Transaction>? {
        get async { await product.latestTransaction }
    }

    /// Every transaction of the product.
    public var allTransactions: Transaction.Transactions { Transaction.all(for: id) }

    /// The transactions by which the customer may use the product now.
    public var currentEntitlements: Transaction.Transactions { product.currentEntitlements }
}

extension AdvancedCommerceProduct: CustomDebugStringConvertible {
    /// The product's identifier.
    public var debugDescription: String { id }
}

extension AdvancedCommerceProduct.PurchaseOption: CustomDebugStringConvertible {
    /// The option's name.
    public var debugDescription: String { "onStorefrontChange" }
}

/// A request of Advanced Commerce that the store does not take.
public struct InvalidRequestError: Error {
    /// The store's number for what is wrong.
    public let code: Int64
    /// What is wrong.
    public let message: String
}
