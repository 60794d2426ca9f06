import Foundation
import OpenStoreKit
import PurchaseKit
import PurchaseModel

/// An action on a phone while the app runs.
enum PhoneCommand: Codable, Sendable, Hashable {
    case tap(ShopAction.Tap)
    case answer(sheet: Int, ShopSheetAnswer)
    case setNetwork(Bool)
    case setRestricted(Bool)
    case setSpeed(isFast: Bool)
    /// Requests the state of the App Store and the server again, for example after a change on another phone.
    case refresh
    /// Loads the products again after a change of the App Store's catalog.
    case loadProducts
    /// Changes the language of the app, and loads the products with the texts of the changed storefront.
    case setLanguage(PageLanguage)
    /// Exports the purchases for another phone.
    case export
}

/// The screen of a phone, and the state of its app for the page.
///
/// A process of a phone sends the report to the page as one value.
struct PhoneReport: Codable, Sendable, Equatable {
    var view: PhoneView
    var screen: ShopPhone.Screen
    var isRunning: Bool
    var isOnline: Bool
    var isRestricted: Bool
    var isFast: Bool
    /// The identifier of the sheet that waits for an answer; nil if there is no sheet.
    var sheet: Int?
    /// The transaction of the first subscription in a sheet that manages subscriptions; nil for other sheets.
    var managedSubscription: TransactionID?
    /// Whether the app has loaded the products, or shows a problem.
    var isLoaded: Bool
    /// The number of downloads that run or wait for the network.
    var downloads: Int
    /// The names of the products by product identifier.
    var names: [String: String]
    /// The purchased products by the identifier of the original transaction.
    var purchases: [String: ProductID]

    @MainActor
    init(_ phone: ShopPhone, at now: Timestamp, in language: PageLanguage) {
        view = PhoneView(phone, at: now, in: language)
        screen = phone.screen
        isRunning = phone.app != nil
        isOnline = !phone.settings.airplaneMode
        isRestricted = phone.settings.restrictsPayments
        isFast = !phone.speed.isSlow
        let current = phone.interface.current
        sheet = current?.id
        if case .subscriptions(let sheet)? = current?.sheet { managedSubscription = sheet.subscriptions.first?.transaction }
        isLoaded = phone.state.map { (!$0.products.isEmpty && $0.isKnown) || !$0.problems.isEmpty } ?? (phone.launches > 0)
        downloads = phone.state?.runningDownloads ?? 0
        let listings = phone.state?.products ?? []
        names = Dictionary(listings.map { ($0.id.rawValue, $0.displayName) }) { first, _ in first }
        let purchased = (phone.state?.entitlements.values).map { Array($0) } ?? []
        purchases = Dictionary(
            purchased.compactMap { entitlement in
                guard let transaction = entitlement.originalTransactionID, let product = entitlement.productID else { return nil }
                return (transaction.rawValue, product)
            }
        ) { first, _ in first }
    }
}

/// The first line that an app process receives: the environment of the app, and the state of the phone before the launch.
struct PhoneLaunch: Codable, Sendable {
    let account: AccountID
    let title: Phrase
    let folder: String
    let storeURL: String
    let serverURL: String
    let rootsPEM: String
    let credentials: ServerCredentials?
    let language: PageLanguage
    let screen: ShopPhone.Screen
    let isFast: Bool
    let now: Timestamp
    let resetsVault: Bool
    /// The export of another phone, whose purchases the app adds; nil for a launch without an import.
    let export: Data?
}

/// A request to an app process, sent as one line of JSON.
struct PhoneRequest: Codable, Sendable {
    let id: Int
    let now: Timestamp
    let command: PhoneCommand
}

/// A line of JSON that an app process prints.
enum PhoneLine: Codable, Sendable {
    case report(PhoneReport)
    case message(Message)
    /// The effects of a request have ended; `data` is the result of ``PhoneCommand/export``, otherwise nil.
    case done(id: Int, data: Data?)
}
