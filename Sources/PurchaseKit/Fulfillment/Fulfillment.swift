import Foundation
public import PurchaseModel

/// The effects that an app delivers for a product.
///
/// The effect and the identifier of the transaction become durable in one step, and the transaction is finished afterward, so that a
/// purchase is delivered once, even if the app is killed; only the closure of ``perform(_:)`` can run again.
///
/// ```swift
/// let fulfillments: [ProductID: Fulfillment] = [
///     "com.example.coins": .credit("coins", 5),
///     "com.example.sepia": .unlock("sepia"),
/// ]
/// ```
public struct Fulfillment: Sendable {
    enum Effect: Sendable {
        case credit(CurrencyID, Int)
        case unlock(EntitlementName)
        case deliver(any ContentDelivery)
        case offer(any ContentDelivery)
        case update(String, @Sendable (Data?, Purchase) throws(VaultError) -> Data)
        case perform(@Sendable (Purchase) async throws(DeliveryError) -> Void)
    }

    let effects: [Effect]

    private init(_ effect: Effect) {
        effects = [effect]
    }

    private init(_ effects: [Effect]) {
        self.effects = effects
    }

    /// Adds credits to a balance, once for each charge, multiplied by the purchased quantity.
    ///
    /// With a server, the server's catalog states the credits, and the device adds no credits.
    public static func credit(_ currency: CurrencyID, _ creditsPerUnit: Int) -> Fulfillment {
        Fulfillment(.credit(currency, creditsPerUnit))
    }

    /// Unlocks an entitlement while the purchase is active.
    public static func unlock(_ entitlement: EntitlementName) -> Fulfillment {
        Fulfillment(.unlock(entitlement))
    }

    /// Downloads the content of the product before the transaction is finished.
    public static func deliver(_ content: any ContentDelivery) -> Fulfillment {
        Fulfillment(.deliver(content))
    }

    /// Finishes the transaction without the content of the product, which the person downloads later, as often as needed.
    ///
    /// The product is in ``PurchasesState/readyToDownload`` until ``Purchases/download(_:)`` has installed its content with the stored
    /// transaction. Use this fulfillment for content that is too large to download right after a purchase.
    public static func downloadLater(_ content: any ContentDelivery) -> Fulfillment {
        Fulfillment(.offer(content))
    }

    /// Changes a value that the vault stores for the app, in the step that records the transaction.
    ///
    /// - Parameters:
    ///   - name: The name of the value in the vault.
    ///   - initial: The value before the first purchase.
    ///   - change: Applies the purchase to the value; called once for each purchase, unless the value can't be written.
    public static func update<Value: Codable & Sendable>(
        _ name: String, from initial: Value, _ change: @escaping @Sendable (inout Value, Purchase) -> Void
    ) -> Fulfillment {
        Fulfillment(
            .update(name) { (data, purchase) throws(VaultError) in
                do {
                    var value = try data.map { try JSONDecoder().decode(Value.self, from: $0) } ?? initial
                    change(&value, purchase)
                    return try JSONEncoder().encode(value)
                } catch {
                    throw .value(name: name)
                }
            })
    }

    /// Calls a closure of the app.
    ///
    /// The closure must return only after its effect is durable. After a crash between the effect and the record of the transaction, the
    /// closure is called again with the same ``Purchase/id``; a repeated call must have no further effect.
    public static func perform(_ body: @escaping @Sendable (Purchase) async throws(DeliveryError) -> Void) -> Fulfillment {
        Fulfillment(.perform(body))
    }

    /// Returns a fulfillment with the effects of two fulfillments.
    ///
    /// Content is installed first, then the closures of ``perform(_:)`` are called, and the other effects become durable in one step.
    public func and(_ other: Fulfillment) -> Fulfillment {
        Fulfillment(effects + other.effects)
    }

    /// The entitlements of ``unlock(_:)``; for a product without entitlements and credits, the entitlement with the product's name.
    func entitlements(of product: ProductID) -> [EntitlementName] {
        let names = effects.compactMap { if case .unlock(let name) = $0 { name } else { nil } }
        guard names.isEmpty else { return names }
        return credits.isEmpty ? [EntitlementName(product.rawValue)] : []
    }

    /// The content of the product; nil for a product without content.
    var content: (any ContentDelivery)? {
        for effect in effects {
            switch effect {
            case .deliver(let content), .offer(let content): return content
            case .credit, .unlock, .update, .perform: continue
            }
        }
        return nil
    }

    /// The currencies, each with the credits that one purchased unit adds.
    var credits: [(currency: CurrencyID, perUnit: Int)] {
        effects.compactMap { if case .credit(let currency, let amount) = $0 { (currency, amount) } else { nil } }
    }

    /// The fulfillment of a product that is missing in the configuration: an entitlement with the product's name, as on the server.
    static func standard(for product: ProductID) -> Fulfillment { .unlock(EntitlementName(product.rawValue)) }
}

/// Installs the content of a purchased product on the device.
public protocol ContentDelivery: Sendable {
    /// Installs the content of a purchase, and returns when the content is on the disk.
    ///
    /// After a crash, the method is called again, and continues the earlier installation.
    ///
    /// - Parameters:
    ///   - purchase: The purchase of the product.
    ///   - report: Called with the number of received bytes and the length of the content in bytes.
    func install(
        _ purchase: Purchase, report: @escaping @Sendable (_ received: Int64, _ length: Int64) -> Void
    ) async throws(DeliveryError) -> InstalledContent

    /// Updates content that an earlier purchase of the product has installed, for example when a subscription renews.
    ///
    /// Content that is installed in its current version must not be downloaded again. By default, the method calls
    /// ``install(_:report:)``.
    ///
    /// - Parameters:
    ///   - installed: The content that the vault has recorded; its files can be missing.
    ///   - purchase: The new purchase of the product.
    ///   - report: Called with the number of received bytes and the length of the content in bytes.
    func update(
        _ installed: InstalledContent, for purchase: Purchase,
        report: @escaping @Sendable (_ received: Int64, _ length: Int64) -> Void
    ) async throws(DeliveryError) -> InstalledContent

    /// Returns the record of installed content with the current path, which changes when the system moves the app's folders, for example
    /// during an update of the app on iOS.
    ///
    /// The method is called for the content of each product at every launch. By default, the method returns the record unchanged.
    func locate(_ installed: InstalledContent) -> InstalledContent

    /// Removes content from the device, after the vault has recorded another version. By default, the method does nothing.
    func remove(_ replaced: InstalledContent) async

    /// Whether the downloads count toward ``PurchasesConfiguration/simultaneousDownloads``; true by default.
    var isLimited: Bool { get }
}

extension ContentDelivery {
    /// True, so that the downloads count toward ``PurchasesConfiguration/simultaneousDownloads``.
    public var isLimited: Bool { true }

    /// Returns the record unchanged.
    public func locate(_ installed: InstalledContent) -> InstalledContent { installed }

    /// Removes nothing.
    public func remove(_ replaced: InstalledContent) async {}

    /// Calls ``install(_:report:)``, as for the first purchase of the product.
    public func update(
        _ installed: InstalledContent, for purchase: Purchase,
        report: @escaping @Sendable (_ received: Int64, _ length: Int64) -> Void
    ) async throws(DeliveryError) -> InstalledContent {
        try await install(purchase, report: report)
    }
}
