import MonkeyShop
import PurchaseModel

struct TourStop: Sendable {
    let title: Phrase
    let text: Phrase
    /// The actions that the button “Show me” plays, which depend on the actions of earlier stops.
    let script: VisitScript

    static let all: [TourStop] = [
        TourStop(
            title: "Prices come from the App Store",
            text: "The app requests the product list from the server and the prices from the App Store, and then enables the buttons.",
            script: VisitScript([["do": "show", "screen": "shop"]])),
        TourStop(
            title: "Buy three packs of credits",
            text:
                "The sheet states price, quantity and total. The server verifies the signed transaction and adds the credits; then the app finishes the transaction.",
            script: VisitScript([
                ["do": "show", "screen": "shop"], buy(MonkeyShopProduct.credits5, quantity: 3), agree, signIn,
            ])),
        TourStop(
            title: "Spend a credit",
            text: "The balance is a ledger on the server. Each order has a key, so that a repeated order is debited once.",
            script: VisitScript([["do": "show", "screen": "shop"], ["do": "spend"]])),
        TourStop(
            title: "Kill the app",
            text:
                "Purchases are in an encrypted and authenticated vault, which the next launch reads even without a network.",
            script: VisitScript([["do": "network", "on": "0"], ["do": "kill"], ["do": "open"], ["do": "network", "on": "1"]])),
        TourStop(
            title: "A photo filter",
            text: "A non-consumable is charged once. A second purchase is free of charge, and delivered like the first purchase.",
            script: VisitScript([
                ["do": "show", "screen": "filters"], buy(MonkeyShopProduct.sepia), agree, signIn, ["do": "filter", "filter": "sepia"],
            ])),
        TourStop(
            title: "A book to download",
            text: "The server sends content to its owners only. A failed download resumes, and the app then finishes the transaction.",
            script: VisitScript([["do": "show", "screen": "books"], buy(MonkeyShopProduct.book), agree, signIn, ["do": "open-book"]])),
        TourStop(
            title: "A declined payment",
            text: "A month later, the payment for the renewal is declined. In the grace period, the customer can still read the magazine.",
            script: VisitScript([
                ["do": "show", "screen": "magazine"], buy(MonkeyShopProduct.magazine), agree, signIn,
                ["do": "payment-method", "on": "0"], ["do": "advance", "days": "31"],
            ])),
        TourStop(
            title: "A refund",
            text: "The App Store notifies the server of a refund, and the server revokes the entitlement on every device.",
            script: VisitScript([
                ["do": "payment-method", "on": "1"], ["do": "show", "screen": "settings"],
                ["do": "refund", "product": MonkeyShopProduct.sepia.rawValue],
                ["do": "answer", "answer": "refund", "reason": "UNINTENDED_PURCHASE"],
                ["do": "decide-refund", "approve": "1"], ["do": "show", "screen": "filters"],
            ])),
        TourStop(
            title: "A new phone",
            text: "The app restores purchases only on request. The user chooses the products before any download.",
            script: VisitScript([
                ["do": "add-phone"], ["do": "show", "screen": "settings"], ["do": "restore"], signIn,
                ["do": "answer", "answer": "products", MonkeyShopProduct.book.rawValue: "1"],
            ])),
        TourStop(
            title: "Messages",
            text: "The list below shows the latest messages between app, App Store and server. An open message shows decoded signed data.",
            script: VisitScript([["do": "message"]])),
    ]

    private static let agree = ["do": "answer", "answer": "agree"]
    private static let signIn = ["do": "answer", "answer": "sign-in"]

    private static func buy(_ product: ProductID, quantity: Int = 1) -> [String: String] {
        ["do": "buy", "product": product.rawValue, "quantity": "\(quantity)"]
    }
}

/// The panel with a stop of the guided tour.
struct TourView: Equatable, Sendable {
    let position: String
    let title: String
    let text: String
    let previous: String?
    let next: String?
    /// Whether a script is played; the button “Show me” is then disabled.
    let isPlaying: Bool
    /// Whether the script of the stop has ended; “Next stop” is then the primary button.
    let isShown: Bool

    init(_ number: Int, isPlaying: Bool, isShown: Bool, in text: PageLanguage) {
        let stop = TourStop.all[number]
        position = text("Stop \(number + 1) of \(TourStop.all.count)")
        (title, self.text) = (text(stop.title), text(stop.text))
        previous = number > 0 ? "\(number - 1)" : nil
        (self.isPlaying, self.isShown) = (isPlaying, isShown)
        next = number + 1 < TourStop.all.count ? "\(number + 1)" : nil
    }
}
