public import Foundation

/// A product that the developer sells with the Advanced Commerce API; on Linux, it can be loaded but not purchased.
public struct AdvancedCommerceProduct: Identifiable, Hashable, Sendable {
    /// The type of the product.
    public typealias ProductType = Product.ProductType
    /// The result of a purchase that threw no error.
    public typealias PurchaseResult = Product.PurchaseResult

    /// An option of a purchase with the Advanced Commerce API.
    public struct PurchaseOption: Hashable, Sendable {
        private let handler: StorefrontChangeHandler

        /// Sets a closure that decides whether the purchase continues after the account's storefront has changed.
        public static func onStorefrontChange(
            shouldContinuePurchase: @escaping @Sendable (Storefront) -> Bool
        ) -> PurchaseOption {
            PurchaseOption(handler: StorefrontChangeHandler(shouldContinuePurchase))
        }
    }

    /// The identifier of the product.
    public let id: String
    /// The type of the product.
    public let type: ProductType

    private let product: Product

    /// Fetches the product with an identifier from the store.
    ///
    /// - Throws: ``InvalidRequestError`` if the store does not sell the product. ``StoreKitError`` if the store can't be reached, or if no
    ///   `Device` is configured.
    public init(id: String) async throws {
        guard let product = try await Product.products(for: [id]).first else {
            throw InvalidRequestError(code: 404, message: "No product \"\(id)\" in this store. Check its identifier.")
        }
        self.id = id
        type = product.type
        self.product = product
    }

    /// Whether the product can be purchased with several seats (iOS 27.3 beta); always false, because the local store does not sell Advanced Commerce products in seats.
    public var supportsMultiSeatPurchase: Bool { product.supportsMultiSeatPurchase }

    /// Throws ``StoreKitError/unsupported``, because purchases with the Advanced Commerce API are not available on Linux.
    @MainActor
    public func purchase(compactJWS: String, options: Set<PurchaseOption> = []) async throws -> PurchaseResult {
        throw StoreKitError.unsupported
    }

    /// The customer's latest transaction of the product; nil when the customer has none.
    public var latestTransaction: VerificationResult<Transaction>? {
        get async { await product.latestTransaction }
    }

    /// A sequence of the customer's transactions of the product, oldest first.
    public var allTransactions: Transaction.Transactions { Transaction.all(for: id) }

    /// A sequence of the transactions that currently entitle the customer to the product.
    public var currentEntitlements: Transaction.Transactions { product.currentEntitlements }
}

extension AdvancedCommerceProduct: CustomDebugStringConvertible {
    /// The identifier of the product.
    public var debugDescription: String { id }
}

extension AdvancedCommerceProduct.PurchaseOption: CustomDebugStringConvertible {
    /// The name of the option.
    public var debugDescription: String { "onStorefrontChange" }
}

/// The error of an Advanced Commerce request that the store refuses.
public struct InvalidRequestError: Error {
    /// The error code of the refusal, such as 404 for an unknown product.
    public let code: Int64
    /// A message that describes the error.
    public let message: String
}

/// A third-party payment method to bind to the user's account; not available on Linux.
public struct PaymentMethodBinding: Identifiable, Hashable, Sendable {
    /// The reason why a payment method could not be bound to the user's account.
    public enum PaymentMethodBindingError: LocalizedError, Hashable, Sendable {
        /// The user is not eligible for payment method bindings.
        case notEligible
        /// The identifier of the payment method binding is not valid.
        case invalidPinningID
        /// The payment method could not be bound for another reason.
        case failed

        /// A message that describes the error.
        public var errorDescription: String? { "The payment method could not be bound to your account." }
    }

    /// The identifier of the payment method binding, which the payment provider's server created.
    public let id: String

    /// Throws ``PaymentMethodBindingError/notEligible``, because payment method bindings are not available on Linux.
    public init(id: String) async throws { throw PaymentMethodBindingError.notEligible }

    /// Throws ``PaymentMethodBindingError/notEligible``, because payment method bindings are not available on Linux.
    public func bind() async throws { throw PaymentMethodBindingError.notEligible }
}
