import Foundation

// The code before the change in the guide for apps with RevenueCat's SDK.
extension RevenueCat {
    final class ProStore: NSObject, PurchasesDelegate {
        private(set) var isPro = false

        func configure(accountID: String) {
            Purchases.configure(withAPIKey: "appl_key", appUserID: accountID)
            Purchases.shared.delegate = self
        }

        func purchases(_ purchases: Purchases, receivedUpdated customerInfo: CustomerInfo) {
            isPro = customerInfo.entitlements["pro"]?.isActive == true
        }

        func buyFirst() async throws -> Bool {
            guard let package = try await Purchases.shared.offerings().current?.availablePackages.first else { return false }
            let result = try await Purchases.shared.purchase(package: package)
            guard !result.userCancelled else { return false }
            return result.customerInfo.entitlements["pro"]?.isActive == true
        }

        func restore() async throws -> Bool {
            let customerInfo = try await Purchases.shared.restorePurchases()
            return customerInfo.entitlements["pro"]?.isActive == true
        }

        func coins() async throws -> Int {
            try await Purchases.shared.virtualCurrencies()["COIN"]?.balance ?? 0
        }
    }
}
