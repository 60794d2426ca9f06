import Foundation
import OpenStoreKit
import PurchaseKit
import PurchaseModel

/// What a person does on a phone while the app runs.
enum PhoneCommand: Codable, Sendable, Hashable {
    case tap(ShopAction.Tap)
    case answer(sheet: Int, ShopSheetAnswer)
    case setNetwork(Bool)
    case setRestricted(Bool)
    case setSpeed(isFast: Bool)
    /// Asks the App Store and the server again, for example because another phone has changed something.
    case refresh
    /// Loads the products again, because the App Store sells others.
    case loadProducts
    /// Changes the language of the app, and loads the products with the texts of the changed storefront.
    case setLanguage(PageLanguage)
    /// Exports the purchases for another phone.
    case export
}

/// What a phone shows, and what the page has to know of its app.
struct PhoneReport: Codable, Sendable, Equatable {
    var view: PhoneView
    var screen: ShopPhone.Screen
    var isRunning: Bool
    var isOnline: Bool
    var isRestricted: Bool
    var isFast: Bool
    /// The identifier of the sheet that waits for an answer; nil without one.
    var sheet: Int?
    /// The first subscription of a sheet that manages subscriptions.
    var managedSubscription: TransactionID?
    /// Whether the products are there, or the app says why not.
    var isLoaded: Bool
    /// The number of downloads that run, or wait for the network.
    var downloads: Int
    /// The names of the products by their identifiers.
    var names: [String: String]
    /// The products of the purchases by the identifiers of the original transactions.
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

/// How an app process begins: what the app can reach, and how its phone was left.
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
    /// The export of another phone, whose purchases are added.
    let export: Data?
}

/// A line that an app process receives.
struct PhoneRequest: Codable, Sendable {
    let id: Int
    let now: Timestamp
    let command: PhoneCommand
}

/// A line that an app process prints.
enum PhoneLine: Codable, Sendable {
    case report(PhoneReport)
    case message(Message)
    /// A request's effects have ended; `data` is the export that it asked for.
    case done(id: Int, data: Data?)
}
