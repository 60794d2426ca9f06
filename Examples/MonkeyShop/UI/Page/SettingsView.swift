import MonkeyShop
import MonkeyShopBackend
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import PurchaseProof

/// The screen with settings and the purchases.
struct SettingsView: Codable, Equatable, Sendable {
    let isRestoring: Bool
    /// The title of the button that restores the purchases of the app's user only.
    let restoreOnly: String
    let account: String
    let purchases: [Purchase]
    let receipt: Receipt?

    struct Receipt: Codable, Equatable, Sendable {
        let facts: [SheetView.Line]
        let purchases: [SheetView.Line]
        /// The result of `verifyReceipt` as a sentence; nil before the first request.
        let validation: String?
    }

    struct Purchase: Codable, Equatable, Sendable {
        let title: String
        let text: String
        let transaction: TransactionID?
    }

    @MainActor
    init(_ phone: ShopPhone, _ state: PurchasesState, in text: PageLanguage) {
        isRestoring = state.isRestoring
        restoreOnly = text("Restore only \(phone.person.name)’s purchases")
        receipt = phone.receipt.map { receipt in
            Receipt(
                facts: [
                    .init(label: text("Size"), value: text("\(receipt.bytes.count) bytes, signature verified")),
                    .init(label: text("App"), value: "\(receipt.payload.bundleID) \(receipt.payload.appVersion)"),
                    .init(label: text("Created"), value: text.day(receipt.payload.creationDate.date)),
                ],
                purchases: receipt.payload.purchases.map {
                    .init(label: state.product($0.productID)?.displayName ?? $0.productID.rawValue, value: text.day($0.purchaseDate.date))
                },
                validation: receipt.status.map { status in
                    text(status == .valid ? "Status 0: the receipt is valid." : "Status \(status.rawValue): the receipt is refused.")
                })
        }
        account = phone.app?.device.account?.rawValue ?? text("Not signed in")
        purchases = state.entitlements.values.sorted { $0.name < $1.name }.map { entitlement in
            let title = entitlement.productID.flatMap { state.product($0)?.displayName } ?? entitlement.name.rawValue
            let state: Phrase =
                switch entitlement.state {
                case .revoked: "Refunded"
                case .expired: "Ended"
                case .gracePeriod, .billingRetry: "Payment declined"
                default: entitlement.until.map { "Until \(text.day($0))" } ?? "Owned"
                }
            return Purchase(title: title, text: text(state), transaction: entitlement.isActive ? entitlement.originalTransactionID : nil)
        }
    }
}
