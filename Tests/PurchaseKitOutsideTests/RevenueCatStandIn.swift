import Foundation

/// The declarations of RevenueCat's SDK 5 that the guide mentions, so that the code before the change compiles without the SDK.
enum RevenueCat {
    /// The SDK's entry point.
    final class Purchases: @unchecked Sendable {
        static let shared = Purchases()

        weak var delegate: (any PurchasesDelegate)?

        static func configure(withAPIKey key: String, appUserID: String?) {}

        func offerings() async throws -> Offerings { Offerings() }
        func purchase(package: Package) async throws -> (transaction: StoreTransaction?, customerInfo: CustomerInfo, userCancelled: Bool) {
            (nil, CustomerInfo(), false)
        }
        func customerInfo() async throws -> CustomerInfo { CustomerInfo() }
        func restorePurchases() async throws -> CustomerInfo { CustomerInfo() }
        func virtualCurrencies() async throws -> VirtualCurrencies { VirtualCurrencies() }
    }

    protocol PurchasesDelegate: NSObjectProtocol {
        func purchases(_ purchases: Purchases, receivedUpdated customerInfo: CustomerInfo)
    }

    struct Offerings { var current: Offering? }
    struct Offering { var availablePackages: [Package] = [] }
    struct Package { var storeProduct = StoreProduct() }
    struct StoreProduct { var localizedTitle = "", localizedPriceString = "" }
    struct StoreTransaction {}
    struct CustomerInfo { var entitlements = EntitlementInfos() }
    struct EntitlementInfos { subscript(name: String) -> EntitlementInfo? { nil } }
    struct EntitlementInfo { var isActive = false }
    struct VirtualCurrencies { subscript(code: String) -> VirtualCurrency? { nil } }
    struct VirtualCurrency { var balance = 0 }
}
