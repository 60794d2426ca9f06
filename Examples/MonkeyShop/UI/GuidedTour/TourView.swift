import MonkeyShop
import PurchaseModel

/// A stop of the guided tour.
struct TourStop: Sendable {
    let title: Phrase
    let text: Phrase
    /// What the stop shows at the person's request; stops build on those before.
    let script: VisitScript

    static let all: [TourStop] = [
        TourStop(
            title: "Prices come from the App Store",
            text: "The app asks the server which products there are, and the App Store for their prices. The buttons wait for both.",
            script: VisitScript([["do": "show", "screen": "shop"]])),
        TourStop(
            title: "Three at a time",
            text:
                "The sheet states price, quantity and total. The server verifies the signed transaction and adds the credits; then the app finishes it.",
            script: VisitScript([
                ["do": "show", "screen": "shop"], buy(MonkeyShopProduct.credits5, quantity: 3), agree, signIn,
            ])),
        TourStop(
            title: "Spend one",
            text: "The balance is a ledger on the server. Each order has a key, so that it is debited once, however often it is sent.",
            script: VisitScript([["do": "show", "screen": "shop"], ["do": "spend"]])),
        TourStop(
            title: "Kill the app",
            text:
                "Purchases are in a vault that is encrypted and authenticated. They are there at the next launch, also without a network.",
            script: VisitScript([["do": "network", "on": "0"], ["do": "kill"], ["do": "open"], ["do": "network", "on": "1"]])),
        TourStop(
            title: "A filter that filters",
            text: "A product that is purchased once. Buying it again is free of charge, and handled like the first purchase.",
            script: VisitScript([
                ["do": "show", "screen": "filters"], buy(MonkeyShopProduct.sepia), agree, signIn, ["do": "filter", "filter": "sepia"],
            ])),
        TourStop(
            title: "A book to download",
            text: "The server sends content to its owner only. A download that fails resumes, and the transaction is finished after it.",
            script: VisitScript([["do": "show", "screen": "books"], buy(MonkeyShopProduct.book), agree, signIn, ["do": "open-book"]])),
        TourStop(
            title: "A declined payment",
            text: "A subscription is renewed a month later, but the payment is declined. In the grace period the customer reads on.",
            script: VisitScript([
                ["do": "show", "screen": "magazine"], buy(MonkeyShopProduct.magazine), agree, signIn,
                ["do": "payment-method", "on": "0"], ["do": "advance", "days": "31"],
            ])),
        TourStop(
            title: "A refund",
            text: "The App Store tells the server about a refund, and the server takes the access away, on every device.",
            script: VisitScript([
                ["do": "payment-method", "on": "1"], ["do": "show", "screen": "settings"],
                ["do": "refund", "product": MonkeyShopProduct.sepia.rawValue],
                ["do": "answer", "answer": "refund", "reason": "UNINTENDED_PURCHASE"],
                ["do": "decide-refund", "approve": "1"], ["do": "show", "screen": "filters"],
            ])),
        TourStop(
            title: "A new phone",
            text: "Nothing is restored by itself. The person asks for it, and chooses what, before anything is downloaded.",
            script: VisitScript([
                ["do": "add-phone"], ["do": "show", "screen": "settings"], ["do": "restore"], signIn,
                ["do": "answer", "answer": "products", MonkeyShopProduct.book.rawValue: "1"],
            ])),
        TourStop(
            title: "Nothing is hidden",
            text: "Every message between app, App Store and server is below. Open one: signed data is decoded.",
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
    /// Whether a script is being repeated, during which no other can begin.
    let isPlaying: Bool
    /// Whether the stop was shown to its end, so that another one is the next step.
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
