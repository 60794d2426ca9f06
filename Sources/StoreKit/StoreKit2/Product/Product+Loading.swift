import OpenStoreKit
import PurchaseModel
import StoreProtocol

extension Product {
    /// Fetches products from the store, and leaves out identifiers that the store does not know.
    ///
    /// The result has the order of the identifiers and contains no duplicates. If the task is canceled, the result is empty.
    ///
    /// - Throws: ``StoreKitError`` if the store can't be reached or refuses the request, or if no `Device` is configured.
    public static func products<Identifiers>(for identifiers: Identifiers) async throws -> [Product]
    where Identifiers: Collection, Identifiers.Element == String {
        guard !Task.isCancelled else { return [] }
        guard let device = Device.active else { throw StoreKitError.noDevice }
        try device.simulatedFailures.check(.loadProducts)
        return try await device.products(Array(identifiers))
    }
}

extension Device {
    /// Fetches products from the store, in the order of the identifiers and without duplicates.
    func products(_ identifiers: [String]) async throws(StoreKitError) -> [Product] {
        var seen: Set<ProductID> = []
        let wanted = identifiers.map { ProductID($0) }.filter { seen.insert($0).inserted }
        do throws(RequestFailure) {
            let known = Dictionary(try await self.products(wanted).products.map { ($0.id, $0) }) { first, _ in first }
            return wanted.compactMap { known[$0] }.map { Product($0, storefront: storefront, origin: Origin(self)) }
        } catch { throw StoreKitError(error) }
    }
}

extension Product {
    /// The type of the product.
    public struct ProductType: RawRepresentable, Hashable, Sendable {
        /// The App Store's text for the type, such as `Consumable`.
        public let rawValue: String

        /// Creates a type from the App Store's text, such as `Consumable`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A product that is used up and can be purchased again.
        public static let consumable = ProductType(rawValue: "Consumable")
        /// A product that is purchased once and does not expire.
        public static let nonConsumable = ProductType(rawValue: "Non-Consumable")
        /// A subscription that does not renew automatically, and whose duration the app defines.
        public static let nonRenewable = ProductType(rawValue: "Non-Renewing Subscription")
        /// A subscription that renews each period until the customer cancels it.
        public static let autoRenewable = ProductType(rawValue: "Auto-Renewable Subscription")
        /// A bundle of subscriptions that are also sold alone; the raw value is a guess, because Apple does not document it.
        public static let subscriptionBundle = ProductType(rawValue: "Subscription Bundle")
        /// A suite of subscriptions that are not sold alone; the raw value is a guess, because Apple does not document it.
        public static let subscriptionSuite = ProductType(rawValue: "Subscription Suite")

        /// A description of the type, always in English.
        public var localizedDescription: String { rawValue }
    }
}

extension Product {
    /// The customer's latest transaction of the product; nil when the customer has none.
    public var latestTransaction: VerificationResult<Transaction>? {
        get async { await Transaction.latest(for: id, on: origin.activeDevice) }
    }

    /// The latest transaction that currently entitles the customer to the product; nil when there is none.
    public var currentEntitlement: VerificationResult<Transaction>? {
        get async { await Transaction.entitlements(for: id, on: origin.activeDevice).last }
    }

    /// A sequence of the transactions that currently entitle the customer to the product.
    public var currentEntitlements: Transaction.Transactions {
        let (id, device) = (id, origin.activeDevice)
        return Transaction.Transactions(ElementSource { await Transaction.entitlements(for: id, on: device) })
    }
}
