import MonkeyShop
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import StoreControl

/// The values of a sheet on the page.
struct SheetView: Codable, Equatable, Sendable {
    let id: Int
    let title: String
    let lines: [Line]
    /// The account and the password that the page fills in when the sheet asks to sign in.
    var account: String?
    var password: String?
    /// The label of the text field; nil if the sheet has no field.
    var field: String?
    var options: [Option] = []
    var subscriptions: [Subscription] = []
    var reasons: [Reason] = []
    /// The button that confirms the sheet, such as Buy or Sign In; nil if the sheet has no such button.
    var agree: Button?
    var refuse: Button?
    let cancel: String

    struct Line: Codable, Equatable, Sendable {
        let label: String
        let value: String
    }

    struct Button: Codable, Equatable, Sendable {
        let title: String
        let answer: String
    }

    struct Option: Codable, Equatable, Sendable {
        let id: ProductID
        let title: String
        let text: String
    }

    struct Subscription: Codable, Equatable, Sendable {
        let title: String
        let transaction: TransactionID
        let button: String
        let on: String
    }

    struct Reason: Codable, Equatable, Sendable {
        let value: String
        let title: String
    }

    init(_ id: Int, _ sheet: Sheet, _ state: PurchasesState?, _ person: ShopWorld.Person, in text: PageLanguage) {
        self.id = id
        func name(_ product: ProductID) -> String { state?.product(product)?.displayName ?? product.rawValue }
        func lines(_ sheet: ConfirmationSheet) -> [Line] {
            let total = Line(label: text("Total"), value: sheet.total)
            guard sheet.quantity > 1 else { return [total] }
            return [Line(label: text("Price"), value: sheet.unitPrice), Line(label: text("Quantity"), value: "\(sheet.quantity)"), total]
        }
        switch sheet {
        case .signIn(_, let reason):
            (title, self.lines, cancel) = (
                text("Sign in to the App Store"), [Line(label: text(Phrase(reason.text)), value: "")], text("Cancel")
            )
            (account, password) = (person.account.rawValue, ShopWorld.Person.password)
            agree = Button(title: text("Sign In"), answer: "sign-in")
        case .confirmation(let sheet):
            (title, self.lines, cancel) = (text("Buy \(sheet.title)?"), lines(sheet), text("Cancel"))
            agree = Button(title: text("Buy"), answer: "agree")
        case .permission(let sheet):
            (title, self.lines, cancel) = (text("Ask your parent to buy \(sheet.title)?"), lines(sheet), text("Cancel"))
            agree = Button(title: text("Ask"), answer: "agree")
        case .priceConsent(let sheet):
            (title, self.lines, cancel) = (text(Self.consent(sheet)), [], text("Not now"))
            (agree, refuse) = (Button(title: text("Agree"), answer: "agree"), Button(title: text("Do not agree"), answer: "refuse"))
        case .offerCode:
            (title, self.lines, cancel) = (
                text("Redeem an offer code"), [Line(label: text("The code BANANA gives one free month of Canopy."), value: "")],
                text("Cancel")
            )
            (field, agree) = (text("Code"), Button(title: text("Redeem"), answer: "text"))
        case .offerCodeRefused(let code, let reason):
            (title, self.lines, cancel) = (
                text("The code \(code) was not redeemed"), [Line(label: text(Phrase(reason)), value: "")], text("OK")
            )
        case .refund(let sheet):
            (title, self.lines, cancel) = (text("Request a refund for \(name(sheet.productID))"), [], text("Cancel"))
            reasons = [
                Reason(value: "UNINTENDED_PURCHASE", title: text("I did not mean to buy this")),
                Reason(value: "FULFILLMENT_ISSUE", title: text("I did not receive it")),
                Reason(value: "UNSATISFIED_WITH_PURCHASE", title: text("I am not satisfied")),
                Reason(value: "OTHER", title: text("Other")),
            ]
        case .subscriptions(let sheet):
            (title, self.lines, cancel) = (text("Subscriptions"), [], text("Done"))
            subscriptions = sheet.subscriptions.map {
                Subscription(
                    title: name($0.productID), transaction: $0.transaction,
                    button: text($0.willAutoRenew ? "Cancel subscription" : "Renew again"), on: $0.willAutoRenew ? "0" : "1")
            }
        case .restore(let products):
            (title, self.lines, cancel) = (text("What do you want to restore?"), [], text("Nothing"))
            options = products.map { product in
                Option(
                    id: product.productID, title: name(product.productID),
                    text: text(product.isDelivered ? "On this phone" : "Bought on \(text.day(product.purchaseDate))"))
            }
            agree = Button(title: text("Restore"), answer: "products")
        }
    }

    private static func consent(_ sheet: PriceConsentSheet) -> Phrase {
        sheet.price.map { "\(sheet.title) will cost \($0) per period. Do you agree?" } ?? "\(sheet.title) will cost more. Do you agree?"
    }
}

/// The controls beside the phone.
struct ControlsView: Equatable, Sendable {
    let date: String
    let isOnline: Bool
    let isFast: Bool
    let isRestricted: Bool
    let hasValidPaymentMethod: Bool
    let isOpen: Bool
    let canAddPhone: Bool
    let hasChild: Bool
    let hasBackup: Bool
    let canRestoreOnNewPhone: Bool
    let problem: String?
    /// Whether the App Store sells the winter hat.
    let isHatSold: Bool
    /// The server's answer to the last request for the book; nil before the first request.
    let contentAnswer: String?
    /// The address of a page that repeats the visit so far; nil if the address is too long or earlier actions are unknown.
    let link: String?
    let approvals: [Approval]
    let refunds: [Refund]

    /// A refund request that the App Store has not decided yet.
    struct Refund: Equatable, Sendable {
        let request: Int64
        let text: String
    }

    struct Approval: Equatable, Sendable {
        let payment: String
        let text: String
    }

    @MainActor
    init(_ visitor: Visitor, _ report: PhoneReport, of reports: [PhoneReport]) {
        let (phone, text) = (visitor.phone, visitor.language)
        date = text.day(visitor.now.date)
        (isOnline, isFast, isRestricted) = (report.isOnline, report.isFast, report.isRestricted)
        hasValidPaymentMethod = visitor.hasValidPaymentMethod
        isOpen = report.isRunning
        canAddPhone = visitor.phones.count < Visitor.phoneLimit
        hasBackup = phone.files.hasBackup
        canRestoreOnNewPhone = hasBackup && canAddPhone
        hasChild = visitor.phones.contains { $0.person.isChild }
        problem = visitor.problem
        isHatSold = reports.contains { $0.names[MonkeyShopProduct.winterHat.rawValue] != nil }
        contentAnswer = visitor.contentAnswer.isEmpty ? nil : visitor.contentAnswer.map { text($0) }.joined(separator: " ")
        link = visitor.script.text.map { "?play=\($0)" }
        func name(_ product: ProductID) -> String {
            reports.lazy.compactMap { $0.names[product.rawValue] }.first ?? product.rawValue
        }
        refunds = visitor.refundRequests.map { request in
            let product = reports.lazy.compactMap { $0.purchases[request.transactionID.rawValue] }.first
            return Refund(
                request: request.id,
                text: text(product.map { "A customer wants a refund for \(name($0))." } ?? "A customer wants a refund."))
        }
        approvals = visitor.approvals.map { approval in
            Approval(
                payment: "\(approval.payment)", text: text("Sam wants \(approval.quantity) × \(name(approval.productID))"))
        }
    }
}
