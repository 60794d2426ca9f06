import MonkeyShop
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import StoreKit

/// The screen with the subscriptions and the season pass.
struct MagazineView: Codable, Equatable, Sendable {
    let sentence: String
    let cards: [CardView]

    init(_ state: PurchasesState, in text: PageLanguage) {
        let group = Subscriptions(state, text)
        sentence = text(group.sentence)
        cards = [
            group.card(MonkeyShopProduct.magazine, title: "Canopy", other: MonkeyShopProduct.magazinePlus, change: "Change"),
            group.card(MonkeyShopProduct.magazinePlus, title: "Canopy Plus", other: MonkeyShopProduct.magazine, change: "Upgrade"),
            CardView(MonkeyShopProduct.newsletter, state, title: "Newsletter", in: text),
            CardView(MonkeyShopProduct.summerPass, state, title: "Summer pass", in: text),
        ]
    }
}

/// The two service levels of the magazine; a customer subscribes to one of them at most.
private struct Subscriptions {
    let state: PurchasesState
    let text: PageLanguage
    /// The active subscription, or else the latest subscription; nil if the customer never subscribed.
    let current: EntitlementState?

    init(_ state: PurchasesState, _ text: PageLanguage) {
        (self.state, self.text) = (state, text)
        let all = [MonkeyShopProduct.magazine, MonkeyShopProduct.magazinePlus].compactMap { state.entitlement(to: $0) }
        current = all.first(where: \.isActive) ?? all.max { ($0.until ?? .distantPast) < ($1.until ?? .distantPast) }
    }

    /// The state of the subscription as a sentence.
    var sentence: Phrase {
        guard let current else { return "Subscribe to read a new issue each month." }
        let until = current.until.map { text.day($0) }
        return switch current.state {
        case .active, .owned: until.map { active(current, $0) } ?? "You can read every issue."
        case .gracePeriod:
            until.map { "The payment was declined. You can read until \($0)." } ?? "The payment was declined. You can still read."
        case .billingRetry: "The payment was declined. Update the payment method to continue reading."
        case .expired: until.map { "The subscription ended on \($0)." } ?? "The subscription has ended."
        case .revoked: "The subscription was refunded."
        case .none: "Subscribe to read a new issue each month."
        }
    }

    private func active(_ subscription: EntitlementState, _ until: String) -> Phrase {
        guard let next = subscription.renewsTo else { return "You can read until \(until). The subscription does not renew." }
        return next == subscription.productID
            ? "The subscription renews on \(until)." : "The subscription changes to \(name(next)) on \(until)."
    }

    private func name(_ product: ProductID) -> String { state.product(product)?.displayName ?? product.rawValue }

    /// Returns the card of a service level.
    ///
    /// - Parameters:
    ///   - other: The other service level.
    ///   - change: The title of the button while the customer has the other service level.
    func card(_ id: ProductID, title: Phrase, other: ProductID, change: Phrase) -> CardView {
        var card = CardView(id, state, title: title, in: text)
        if state.entitlement(to: other)?.isActive == true { card.change = text(change) }
        guard let product = state.product(id)?.product, let subscription = product.subscription else { return card }
        // Show the introductory offer to new subscribers, and other offers to former subscribers and subscribers who will not renew.
        if current == nil {
            card.introduction = subscription.introductoryOffer.map { text("\(text($0.phrase(product))), then \(card.price ?? "")") }
        }
        if let current, current.renewsTo == nil {
            card.offers = subscription.promotionalOffers.compactMap { offer in
                offer.id.map { CardView.Offer(id: $0, text: text("Come back: \(text(offer.phrase(product)))")) }
            }
        }
        return card
    }
}

extension Product.SubscriptionOffer {
    /// The price and the duration of the offer, such as "$0.99 / 1 month, 3 times".
    fileprivate func phrase(_ product: Product) -> Phrase {
        let duration = period.formatted(product.subscriptionPeriodFormatStyle)
        return switch paymentMode {
        case .freeTrial: "\(duration) for free"
        case .payAsYouGo: "\(displayPrice) / \(duration), \(periodCount) times"
        default: "\(displayPrice) for \(duration)"
        }
    }
}
