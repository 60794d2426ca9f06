/// A product of the developer's own catalog (Advanced Commerce), which can be loaded but not purchased on this platform.
public struct AdvancedCommerceProduct: Identifiable, Hashable, Sendable {
    /// The type of the product.
    public typealias ProductType = Product.ProductType
    /// The result of a purchase call without an error.
    public typealias PurchaseResult = Product.PurchaseResult

    /// An option of a purchase.
    public struct PurchaseOption: Hashable, Sendable {
        private let handler: StorefrontChangeHandler

        /// Decides whether the purchase continues after the account's storefront has changed.
        public static func onStorefrontChange(
            shouldContinuePurchase: @escaping @Sendable (Storefront) -> Bool
        ) -> PurchaseOption {
            PurchaseOption(handler: StorefrontChangeHandler(shouldContinuePurchase))
        }
    }

    /// The product's identifier.
    public let id: String
    /// The type of the product.
    public let type: ProductType

    private let product: Product

    /// Fetches the product from the store.
    ///
    /// - Throws: ``StoreKitError``; ``InvalidRequestError`` when the store does not sell the product.
    public init(id: String) async throws {
        guard let product = try await Product.products(for: [id]).first else {
            throw InvalidRequestError(code: 404, message: "No product \"\(id)\" in this store.")
        }
        self.id = id
        type = product.type
        self.product = product
    }

    /// Throws ``StoreKitError/unsupported``, because the store does not sell products of the developer's own catalog.
    @MainActor
    public func purchase(compactJWS: String, options: Set<PurchaseOption> = []) async throws -> PurchaseResult {
        throw StoreKitError.unsupported
    }

    /// The latest transaction of the product; nil when there is none.
    public var latestTransaction: VerificationResult<Transaction>? {
        get async { await product.latestTransaction }
    }

    /// The transactions of the product.
    public var allTransactions: Transaction.Transactions { Transaction.all(for: id) }

    /// The transactions that currently entitle the customer to the product.
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

/// The error of an Advanced Commerce request that the store does not accept.
public struct InvalidRequestError: Error {
    /// The store's error code.
    public let code: Int64
    /// A sentence that describes the error.
    public let message: String
}
