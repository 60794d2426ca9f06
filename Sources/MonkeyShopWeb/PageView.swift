import Foundation
import MonkeyShop
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import PurchaseProof

/// What the page shows, with the names that its templates use.
struct PageView: Sendable {
    let phones: [Choice]
    let phone: PhoneView
    let controls: ControlsView
    let messages: [MessageView]

    @MainActor
    init(_ visitor: Visitor) {
        phones = visitor.phones.enumerated().map { index, phone in
            Choice(value: "\(index)", title: phone.name, isSelected: index == visitor.selected)
        }
        phone = PhoneView(visitor.phone, at: visitor.now)
        controls = ControlsView(visitor)
        messages = visitor.messages.all.map { MessageView($0, isOpen: $0.id == visitor.openMessage) }
    }

    /// A message in the diagram, with its contents if it is open.
    struct MessageView: Sendable {
        let id: Int
        let route: String
        let title: String
        let answer: String
        let isFailure: Bool
        let isOpen: Bool
        let request: String?
        let response: String?

        init(_ message: Message, isOpen: Bool) {
            id = message.id
            route = message.route.rawValue
            title = message.title
            answer = message.answer
            isFailure = message.isFailure
            self.isOpen = isOpen
            request = isOpen ? ReadableJSON.text(message.request).flatMap { $0 == ReadableJSON.empty ? nil : $0 } : nil
            response = isOpen ? ReadableJSON.text(message.response) : nil
        }
    }

    /// A button that selects one of several values.
    struct Choice: Sendable {
        let value: String
        let title: String
        let isSelected: Bool
    }
}

/// The screen of a phone.
struct PhoneView: Sendable {
    let name: String
    let time: String
    let isOffline: Bool
    let isClosed: Bool
    let isLaunching: Bool
    /// Why the app could not be opened; nil if it runs.
    let launchError: String?
    let canReset: Bool
    let tabs: [PageView.Choice]
    let notice: String?
    let problems: [Problem]
    let sheet: SheetView?

    // One of the screens.
    let shop: ShopView?
    let filters: FiltersView?
    let books: BooksView?
    let magazine: MagazineView?
    let settings: SettingsView?

    /// What does not work at present.
    struct Problem: Sendable {
        let message: String
        let nextStep: String
        let canRetry: Bool

        init(_ problem: PurchaseProblem) {
            message = problem.kind == .storeUnreachable ? "Network down?" : problem.message
            nextStep = problem.nextStep
            canRetry = problem.kind == .storeUnreachable || problem.kind == .serverUnreachable
        }
    }

    @MainActor
    init(_ phone: ShopPhone, at now: Timestamp) {
        let (state, screen) = (phone.state, phone.screen)
        name = phone.name
        time = now.date.time
        isOffline = phone.settings.airplaneMode
        isClosed = phone.isClosed
        launchError = phone.launchError?.description
        isLaunching = phone.shop == nil && !isClosed && launchError == nil
        canReset = if case .vault(let error)? = phone.launchError { error.requiresReset } else { false }
        tabs = ShopPhone.Screen.allCases.map {
            PageView.Choice(value: $0.rawValue, title: Self.title(of: $0), isSelected: $0 == phone.screen)
        }
        notice = phone.notice
        problems = (state?.problems ?? []).map { Problem($0) }
        sheet = phone.interface.current.map { SheetView($0.id, $0.sheet, state, phone.person) }
        shop = if let state, screen == .shop { ShopView(state) } else { nil }
        filters = if let state, screen == .filters { FiltersView(phone, state) } else { nil }
        books = if let state, screen == .books { BooksView(phone, state) } else { nil }
        magazine = if let state, screen == .magazine { MagazineView(state) } else { nil }
        settings = if let state, screen == .settings { SettingsView(phone, state) } else { nil }
    }

    private static func title(of screen: ShopPhone.Screen) -> String {
        switch screen {
        case .shop: "Credits"
        case .filters: "Filters"
        case .books: "Books"
        case .magazine: "Magazine"
        case .settings: "Settings"
        }
    }
}

extension Locale {
    /// The locale of the page.
    static let page = Locale(identifier: "en_US")
}

extension Date {
    /// The time of day, such as `09:41`.
    var time: String {
        let style = Date.VerbatimFormatStyle(
            format: "\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)", locale: .page,
            timeZone: .gmt,
            calendar: Calendar(identifier: .gregorian))
        return formatted(style)
    }

    /// The day, such as `January 31, 2026`.
    var day: String { formatted(Date.FormatStyle(date: .long, time: .omitted, locale: .page, timeZone: .gmt)) }
}

/// A product with its button.
struct CardView: Sendable {
    let id: ProductID
    let title: String
    let text: String
    /// The price with its period; nil until the store has answered.
    let price: String?
    /// Why there is no button, such as "Owned"; nil if there is one.
    let status: String?
    let isBuying: Bool
    let isDisabled: Bool
    /// The quantities of a consumable.
    let quantities: [Int]

    init(_ id: ProductID, _ state: PurchasesState, title: String, text: String, hasQuantity: Bool = false) {
        let listing = state.product(id)
        self.id = id
        self.title = listing?.displayName ?? title
        self.text = listing?.description ?? text
        price = listing.map { listing in listing.displayPeriod.map { "\(listing.displayPrice) / \($0)" } ?? listing.displayPrice }
        let owned = state.entitlements[EntitlementName(id.rawValue)]
        status =
            if owned?.isActive == true {
                "Owned"
            } else if state.pending.contains(where: { $0.productID == id }) {
                "Waiting for approval"
            } else {
                nil
            }
        isBuying = state.purchasing.contains(id)
        isDisabled = listing == nil || !state.canMakePayments || isBuying
        quantities = hasQuantity ? Array(1...10) : []
    }
}

/// The screen with credits.
struct ShopView: Sendable {
    let balance: Int64
    let isFrozen: Bool
    let canSpend: Bool
    let isDisabled: Bool
    let cards: [CardView]

    init(_ state: PurchasesState) {
        balance = state.balance(of: .credits)
        isFrozen = state.balances[.credits]?.isFrozen ?? false
        canSpend = balance > 0 && !isFrozen
        isDisabled = !state.canMakePayments
        cards = [
            CardView(MonkeyShopProduct.credits5, state, title: "5 credits", text: "", hasQuantity: true),
            CardView(MonkeyShopProduct.credits10, state, title: "10 credits", text: "", hasQuantity: true),
        ]
    }
}

/// The screen with photo filters.
struct FiltersView: Sendable {
    let picture: String
    let pictureName: String
    let filter: String
    let pictures: [PageView.Choice]
    let filters: [PageView.Choice]
    let cards: [CardView]

    @MainActor
    init(_ phone: ShopPhone, _ state: PurchasesState) {
        let all = [("jungle.svg", "Jungle"), ("ladder.svg", "Ladder")]
        let number = all.indices.contains(phone.picture) ? phone.picture : 0
        (picture, pictureName) = all[number]
        func isOwned(_ product: ProductID) -> Bool { state.entitlements[EntitlementName(product.rawValue)]?.isActive == true }
        let allowed = phone.filter.product.map(isOwned) ?? true ? phone.filter : .none
        filter = allowed.rawValue
        pictures = all.enumerated().map { PageView.Choice(value: "\($0)", title: $1.1, isSelected: $0 == number) }
        filters = [(ShopPhone.Filter.none, "Original"), (.sepia, "Sepia"), (.moonlight, "Moonlight")].filter { filter, _ in
            filter.product.map(isOwned) ?? true
        }.map { PageView.Choice(value: $0.rawValue, title: $1, isSelected: $0 == allowed) }
        cards = [
            CardView(MonkeyShopProduct.sepia, state, title: "Sepia", text: ""),
            CardView(MonkeyShopProduct.moonlight, state, title: "Moonlight", text: ""),
        ]
    }
}

/// The screen with the book.
struct BooksView: Sendable {
    let card: CardView
    let download: Download?
    let canRead: Bool
    let reading: Reading?

    struct Download: Sendable {
        let text: String
        let percent: Int
        let isPaused: Bool
    }

    struct Reading: Sendable {
        let text: [String]
        let position: String
        let previous: Int?
        let next: Int?
    }

    @MainActor
    init(_ phone: ShopPhone, _ state: PurchasesState) {
        let id = MonkeyShopProduct.book
        card = CardView(id, state, title: "The book", text: "")
        download = state.downloads[id].map { progress in
            let percent = Int((progress.fraction * 100).rounded())
            let size = ByteCountFormatStyle(style: .file, locale: .page).format(progress.length)
            let text =
                switch progress.state {
                case .waiting: "Waiting"
                case .active: progress.length > 0 ? "\(percent)% of \(size)" : "Downloading"
                case .paused: "Paused"
                }
            return Download(text: text, percent: percent, isPaused: progress.state == .paused)
        }
        canRead = state.entitlements[EntitlementName(id.rawValue)]?.isActive == true && download == nil
        reading = phone.pages.flatMap { pages in
            guard pages.indices.contains(phone.page) else { return nil }
            return Reading(
                text: pages[phone.page].components(separatedBy: "\n").filter { !$0.isEmpty },
                position: "Page \(phone.page + 1) of \(pages.count)", previous: phone.page > 0 ? phone.page - 1 : nil,
                next: phone.page + 1 < pages.count ? phone.page + 1 : nil)
        }
    }
}

/// The screen with the subscriptions and the season pass.
struct MagazineView: Sendable {
    let sentence: String
    let cards: [CardView]

    init(_ state: PurchasesState) {
        let magazine = state.entitlements[EntitlementName(MonkeyShopProduct.magazine.rawValue)]
        sentence = magazine.map(Self.sentence) ?? "Subscribe to read a new issue each month."
        cards = [
            CardView(MonkeyShopProduct.magazine, state, title: "Canopy", text: ""),
            CardView(MonkeyShopProduct.newsletter, state, title: "Newsletter", text: ""),
            CardView(MonkeyShopProduct.summerPass, state, title: "Summer pass", text: ""),
        ]
    }

    private static func sentence(_ entitlement: EntitlementState) -> String {
        let until = entitlement.until?.day
        return switch entitlement.state {
        case .active, .owned:
            if let until {
                entitlement.renewsTo == nil ? "You can read until \(until). The subscription does not renew." : "It renews on \(until)."
            } else {
                "You can read every issue."
            }
        case .gracePeriod: "The payment was declined. You can read\(until.map { " until \($0)" } ?? " meanwhile")."
        case .billingRetry: "The payment was declined. Update the payment method to read on."
        case .expired: "The subscription has ended\(until.map { " on \($0)" } ?? "")."
        case .revoked: "The subscription was refunded."
        case .none: "Subscribe to read a new issue each month."
        }
    }
}

/// The screen with settings and the purchases.
struct SettingsView: Sendable {
    let isRestoring: Bool
    let account: String
    let purchases: [Purchase]
    let receipt: Receipt?

    /// The app's receipt.
    struct Receipt: Sendable {
        let facts: [SheetView.Line]
        let purchases: [SheetView.Line]
    }

    struct Purchase: Sendable {
        let title: String
        let text: String
        let transaction: TransactionID?
    }

    @MainActor
    init(_ phone: ShopPhone, _ state: PurchasesState) {
        isRestoring = state.isRestoring
        receipt = phone.receipt.map { receipt in
            Receipt(
                facts: [
                    .init(label: "Size", value: "\(phone.receiptSize) bytes, signature verified"),
                    .init(label: "App", value: "\(receipt.bundleID) \(receipt.appVersion)"),
                    .init(label: "Created", value: receipt.creationDate.date.day),
                ],
                purchases: receipt.purchases.map {
                    .init(label: state.product($0.productID)?.displayName ?? $0.productID.rawValue, value: $0.purchaseDate.date.day)
                })
        }
        account = phone.shop?.device.account?.rawValue ?? "Not signed in"
        purchases = state.entitlements.values.sorted { $0.name < $1.name }.map { entitlement in
            let title = entitlement.productID.flatMap { state.product($0)?.displayName } ?? entitlement.name.rawValue
            let text =
                switch entitlement.state {
                case .revoked: "Refunded"
                case .expired: "Ended"
                case .gracePeriod, .billingRetry: "Payment declined"
                default: entitlement.until.map { "Until \($0.day)" } ?? "Owned"
                }
            return Purchase(title: title, text: text, transaction: entitlement.isActive ? entitlement.originalTransactionID : nil)
        }
    }
}
