import Foundation
import MonkeyShop
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import PurchaseProof

/// The values of the page, with the names that the templates use.
///
/// The terminal shows the same values, and offers the same actions as the page.
struct PageView: Equatable, Sendable {
    /// The language code, such as `de`.
    let lang: String
    let languages: [Choice]
    let phones: [Choice]
    let phone: PhoneView
    let controls: ControlsView
    let messages: [MessageView]
    let tour: TourView?
    /// The progress of the current script; nil while no script is played.
    let progress: String?
    let code: [CodeView]

    @MainActor
    init(_ visitor: Visitor) {
        let text = visitor.language
        lang = text.rawValue
        languages = PageLanguage.allCases.map { Choice(value: $0.rawValue, title: $0.name, isSelected: $0 == text) }
        phones = visitor.phones.enumerated().map { index, phone in
            Choice(value: "\(index)", title: text(phone.title), isSelected: index == visitor.selected)
        }
        let reports = visitor.phones.map { visitor.report(of: $0) }
        let report = reports[visitor.selected]
        phone = report.view
        controls = ControlsView(visitor, report, of: reports)
        messages = visitor.messages.all.map { message in
            let isOpen = message.id == visitor.openMessage
            return MessageView(message, isOpen: isOpen, isOpen ? visitor.verifications : [], in: text)
        }
        tour = visitor.tour.view(in: text)
        progress = visitor.tour.progress.map { text("Step \($0.done + 1) of \($0.total) …") }
        code = CodeView.all[report.screen] ?? []
    }

    /// A part of the page that is replaced after a change; the raw value is the name of the part's template and event.
    enum Part: String, CaseIterable {
        case head, stage, controls, messages, code
    }

    /// Returns whether a part is the same in another view of the same language.
    func isEqual(_ part: Part, in other: PageView) -> Bool {
        switch part {
        case .head: (languages, tour, progress) == (other.languages, other.tour, other.progress)
        case .stage: (phones, phone) == (other.phones, other.phone)
        case .controls: controls == other.controls
        case .messages: messages == other.messages
        case .code: code == other.code
        }
    }

    /// A message in the diagram; the request, the response and the verifications are included only if the message is open.
    struct MessageView: Equatable, Sendable {
        let id: Int
        let route: String
        let title: String
        let answer: String
        let isFailure: Bool
        let isOpen: Bool
        let request: String?
        let response: String?
        let verifications: [Verification]

        /// The verification of a signed part of the message.
        struct Verification: Equatable, Sendable {
            let result: String
            let steps: [Step]
        }

        struct Step: Equatable, Sendable {
            let mark: String
            let name: String
            let observed: String
            let rule: String
        }

        init(_ message: Message, isOpen: Bool, _ verifications: [VerificationExplanation], in text: PageLanguage) {
            id = message.id
            route = message.route.rawValue
            title = message.title
            answer = message.answer
            isFailure = message.isFailure
            self.isOpen = isOpen
            request = isOpen ? ReadableJSON.text(message.request).flatMap { $0 == ReadableJSON.empty ? nil : $0 } : nil
            response = isOpen ? ReadableJSON.text(message.response) : nil
            self.verifications = verifications.map { verification in
                Verification(
                    result: text(verification.result == .verified ? "Signature verified" : "Signature not verified"),
                    steps: verification.steps.map {
                        Step(mark: Self.mark(of: $0.status), name: $0.name, observed: $0.observed, rule: $0.rule)
                    })
            }
        }

        private static func mark(of status: VerificationExplanation.Status) -> String {
            switch status {
            case .passed: "✓"
            case .failed: "✗"
            case .indeterminate: "?"
            case .skipped: "–"
            }
        }
    }

    /// A button that selects one of several values.
    struct Choice: Codable, Equatable, Sendable {
        let value: String
        let title: String
        let isSelected: Bool
    }
}

struct PhoneView: Codable, Equatable, Sendable {
    let name: String
    let time: String
    let isOffline: Bool
    let isClosed: Bool
    let isLaunching: Bool
    /// The error of the last launch; nil if the launch succeeded.
    let launchError: String?
    let canReset: Bool
    let tabs: [PageView.Choice]
    let notice: String?
    let problems: [Problem]
    let sheet: SheetView?

    // At most one of these screens has a value.
    let shop: ShopView?
    let filters: FiltersView?
    let books: BooksView?
    let magazine: MagazineView?
    let settings: SettingsView?

    /// A current problem of the app.
    struct Problem: Codable, Equatable, Sendable {
        let message: String
        let nextStep: String
        let canRetry: Bool

        init(_ problem: PurchaseProblem, in text: PageLanguage) {
            canRetry = problem.kind == .storeUnreachable || problem.kind == .serverUnreachable
            message = text(canRetry ? "Network down?" : Phrase(problem.message))
            nextStep = text(Phrase(problem.nextStep))
        }
    }

    @MainActor
    init(_ phone: ShopPhone, at now: Timestamp, in text: PageLanguage) {
        let (state, screen) = (phone.state, phone.screen)
        name = text(phone.title)
        time = now.date.time
        isOffline = phone.settings.airplaneMode
        isClosed = phone.isClosed
        launchError = phone.launchError.map { text(Phrase($0.description)) }
        isLaunching = phone.app == nil && !isClosed && launchError == nil
        canReset = if case .vault(let error)? = phone.launchError { error.requiresReset } else { false }
        tabs = ShopPhone.Screen.allCases.map {
            PageView.Choice(value: $0.rawValue, title: text(Self.title(of: $0)), isSelected: $0 == phone.screen)
        }
        notice = phone.notice.isEmpty ? nil : phone.notice.map { text($0) }.joined(separator: " ")
        // Without a network, the app reports a problem of the store and one of the server; show the store's problem.
        let all = state?.problems ?? []
        let isStoreUnreachable = all.contains { $0.kind == .storeUnreachable }
        problems = all.filter { problem in
            // Hide the refused delivery, because the card of the book explains the canceled download.
            if case .deliveryRefused(let product) = problem.kind, state?.hostedDownloads[product]?.state == .canceled { return false }
            return !isStoreUnreachable || problem.kind != .serverUnreachable
        }.map { Problem($0, in: text) }
        sheet = phone.interface.current.map { SheetView($0.id, $0.sheet, state, phone.person, in: text) }
        shop = if let state, screen == .shop { ShopView(state, in: text) } else { nil }
        filters = if let state, screen == .filters { FiltersView(phone, state, in: text) } else { nil }
        books = if let state, screen == .books { BooksView(phone, state, in: text) } else { nil }
        magazine = if let state, screen == .magazine { MagazineView(state, in: text) } else { nil }
        settings = if let state, screen == .settings { SettingsView(phone, state, in: text) } else { nil }
    }

    private static func title(of screen: ShopPhone.Screen) -> Phrase {
        switch screen {
        case .shop: "Credits"
        case .filters: "Filters"
        case .books: "Books"
        case .magazine: "Magazine"
        case .settings: "Settings"
        }
    }
}

extension Date {
    /// The time of day in GMT, such as `09:41`.
    var time: String {
        let style = Date.VerbatimFormatStyle(
            format: "\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
            timeZone: .gmt, calendar: Calendar(identifier: .gregorian))
        return formatted(style)
    }
}

/// A product with its button to buy.
struct CardView: Codable, Equatable, Sendable {
    /// An offer for a subscription, with a separate button.
    struct Offer: Codable, Equatable, Sendable {
        let id: String
        let text: String
    }

    let id: ProductID
    let title: String
    let text: String
    /// The price with its period; nil until the store has answered.
    let price: String?
    /// The text instead of the button, such as "Owned"; nil if there is a button.
    let status: String?
    let isBuying: Bool
    let isDisabled: Bool
    /// The quantities of a consumable among which the person chooses.
    var quantities: [Int] = []
    /// The effect of the button on another subscription of the group, such as "Upgrade"; nil if there is no other subscription.
    var change: String?
    /// Whether the product is owned and can be purchased again, free of charge.
    var canBuyAgain = false
    /// The price for a new subscriber; nil if there is no introductory offer.
    var introduction: String?
    var offers: [Offer] = []

    init(_ id: ProductID, _ state: PurchasesState, title: Phrase, in text: PageLanguage) {
        let listing = state.product(id)
        self.id = id
        self.title = listing?.displayName ?? text(title)
        self.text = listing?.description ?? ""
        price = listing.map { listing in listing.displayPeriod.map { "\(listing.displayPrice) / \($0)" } ?? listing.displayPrice }
        let owned = state.entitlement(to: id)
        status =
            if let owned, owned.isActive {
                owned.renewsTo == nil ? owned.until.map { text("Until \(text.day($0))") } ?? text("Owned") : text("Subscribed")
            } else if state.pending.contains(where: { $0.productID == id }) {
                text("Waiting for approval")
            } else {
                nil
            }
        isBuying = state.purchasing.contains(id)
        // Disable the button until the app has read the vault, because the ownership of the product is unknown.
        isDisabled = listing == nil || !state.canMakePayments || isBuying || !state.isKnown
    }
}

extension PurchasesState {
    /// Whether the app has read the purchases, or shows a problem.
    var isKnown: Bool { areEntitlementsKnown || !problems.isEmpty }

    /// Returns the customer's current or former entitlement to a product.
    func entitlement(to product: ProductID) -> EntitlementState? { entitlements[EntitlementName(product.rawValue)] }
}

struct ShopView: Codable, Equatable, Sendable {
    /// The number of credits, or an ellipsis while the number is unknown.
    let balance: String
    let isFrozen: Bool
    let canSpend: Bool
    let isDisabled: Bool
    let cards: [CardView]

    init(_ state: PurchasesState, in text: PageLanguage) {
        let amount = state.balance(of: .credits)
        balance = state.isKnown ? "\(amount)" : "…"
        isFrozen = state.balances[.credits]?.isFrozen ?? false
        canSpend = amount > 0 && !isFrozen
        isDisabled = !state.canMakePayments
        let credits = [MonkeyShopProduct.credits5, MonkeyShopProduct.credits10].map { id in
            var card = CardView(id, state, title: id == MonkeyShopProduct.credits5 ? "5 credits" : "10 credits", in: text)
            card.quantities = Array(1...10)
            return card
        }
        // Add the products of the server's list that have no fixed place in the app.
        let known = Set(MonkeyShopProduct.all)
        let others = state.products.filter { !known.contains($0.id) }
        cards = credits + others.map { CardView($0.id, state, title: Phrase($0.displayName), in: text) }
    }
}

struct FiltersView: Codable, Equatable, Sendable {
    let picture: String
    let pictureName: String
    let filter: String
    let pictures: [PageView.Choice]
    let filters: [PageView.Choice]
    let cards: [CardView]

    @MainActor
    init(_ phone: ShopPhone, _ state: PurchasesState, in text: PageLanguage) {
        let all = [("jungle.svg", text("Jungle")), ("ladder.svg", text("Ladder"))]
        let number = all.indices.contains(phone.picture) ? phone.picture : 0
        (picture, pictureName) = all[number]
        func isOwned(_ product: ProductID) -> Bool { state.entitlement(to: product)?.isActive == true }
        let allowed = phone.filter.product.map(isOwned) ?? true ? phone.filter : .none
        filter = allowed.rawValue
        pictures = all.enumerated().map { PageView.Choice(value: "\($0)", title: $1.1, isSelected: $0 == number) }
        let names = [(ShopPhone.Filter.none, text("Original")), (.sepia, text("Sepia")), (.moonlight, text("Moonlight"))]
        filters = names.filter { filter, _ in
            filter.product.map(isOwned) ?? true
        }.map { PageView.Choice(value: $0.rawValue, title: $1, isSelected: $0 == allowed) }
        cards = [(MonkeyShopProduct.sepia, "Sepia" as Phrase), (MonkeyShopProduct.moonlight, "Moonlight")].map { id, title in
            var card = CardView(id, state, title: title, in: text)
            card.canBuyAgain = isOwned(id) && !card.isDisabled
            return card
        }
    }
}
