import Foundation
import FoundationExtras
import PurchaseModel
import ServerProtocol

/// An event of the feed as RevenueCat's webhooks state events, for endpoints that exist already.
///
/// The fields are described at <https://www.revenuecat.com/docs/integrations/webhooks/event-types-and-fields>. A field without a source, such
/// as the price in US dollars of a sale in another currency, is null.
struct RevenueCatMessage: Sendable {
    let event: FeedEvent
    /// The signed transaction of the event's purchase; nil for an event without a transaction, or after its removal.
    let signed: SignedEvent?
    /// The signed transaction of the period before a renewal.
    let earlier: SignedEvent?
    /// The newest renewal info of the purchase.
    let renewal: RenewalInfoPayload?
    /// The entitlements of the product.
    let entitlements: [EntitlementName]

    /// The name of an event's type; nil for an event that RevenueCat's webhooks do not have.
    static func type(of event: FeedEvent) -> String? {
        guard event.customer != nil else { return nil }
        let purchase = event.purchase
        switch event.type {
        case .purchaseRecorded, .purchaseAttributed:
            return purchase?.productType == .autoRenewable ? "INITIAL_PURCHASE" : "NON_RENEWING_PURCHASE"
        case .grantCreated: return "NON_RENEWING_PURCHASE"
        case .subscriptionRenewed, .subscriptionRecovered: return "RENEWAL"
        case .subscriptionBillingIssue: return "BILLING_ISSUE"
        case .subscriptionProductChanged, .subscriptionProductChangeScheduled: return "PRODUCT_CHANGE"
        case .subscriptionAutoRenewChanged: return purchase?.renewsTo == nil ? "CANCELLATION" : "UNCANCELLATION"
        case .purchaseRefunded, .purchaseRevoked: return "CANCELLATION"
        case .purchaseRefundReversed: return "REFUND_REVERSED"
        case .purchaseTransferred: return "TRANSFER"
        case .entitlementEnded: return event.reason == "moved" ? nil : "EXPIRATION"
        case .ledgerCredited, .ledgerDebited: return "VIRTUAL_CURRENCY_TRANSACTION"
        case .purchaseSharingChanged, .subscriptionGracePeriodStarted, .subscriptionPriceIncrease, .subscriptionSeatsChanged,
            .entitlementActivated, .entitlementChanged, .grantEnded, .ledgerInDebt, .seatClaimed, .seatEnded, .customerMerged,
            .customerMergeUndone, .notificationNotUnderstood:
            return nil
        }
    }

    /// The names of all types.
    static let types = [
        "INITIAL_PURCHASE", "NON_RENEWING_PURCHASE", "RENEWAL", "BILLING_ISSUE", "PRODUCT_CHANGE", "CANCELLATION", "UNCANCELLATION",
        "REFUND_REVERSED", "TRANSFER", "EXPIRATION", "VIRTUAL_CURRENCY_TRANSACTION",
    ]

    /// The body; nil for an event that RevenueCat's webhooks do not have.
    var json: JSONValue? {
        guard let type = Self.type(of: event), let customer = event.customer else { return nil }
        var members = [
            JSONValue.Member("type", .string(type)), JSONValue.Member("id", .string(event.id)),
            JSONValue.Member("app_id", .string(event.app.rawValue)),
            JSONValue.Member("event_timestamp_ms", .number(event.recordedAt.milliseconds)),
        ]
        if type == "TRANSFER" {
            members += [
                JSONValue.Member("store", .string("APP_STORE")), JSONValue.Member("environment", environment),
                JSONValue.Member(
                    "transferred_from", .array([event.earlierPurchase?.customer].compactMap { $0 }.map { .string($0.rawValue) })),
                JSONValue.Member("transferred_to", .array([.string(customer.rawValue)])),
            ]
        } else {
            let names = [customer.rawValue] + event.aliases
            members += [
                // An app that sends its own identifiers as aliases finds the identifier that it knows.
                JSONValue.Member("app_user_id", .string(event.aliases.first ?? customer.rawValue)),
                JSONValue.Member("original_app_user_id", .string(customer.rawValue)),
                JSONValue.Member("aliases", .array(names.map { .string($0) })),
            ]
            members += posting ?? sale(type)
        }
        return .object([JSONValue.Member("api_version", .string("1.0")), JSONValue.Member("event", .object(members))])
    }

    private var environment: JSONValue {
        event.environment.map { .string($0 == "Production" ? "PRODUCTION" : "SANDBOX") } ?? .null
    }

    // MARK: Balances

    private var posting: [JSONValue.Member]? {
        guard case .balance(let balance)? = event.after, let posting = balance.posting else { return nil }
        let transaction = event.originals.transactions.first
        return [
            JSONValue.Member("virtual_currency_transaction_id", .string("\(posting.number)")),
            JSONValue.Member("source", .string(transaction == nil ? "admin_api" : "in_app_purchase")),
            JSONValue.Member("transaction_id", .text(transaction?.transactionID.rawValue)),
            JSONValue.Member("purchase_environment", environment),
            JSONValue.Member(
                "adjustments",
                .array([
                    .object([
                        JSONValue.Member("amount", .number(posting.amount)),
                        JSONValue.Member("currency", .object([JSONValue.Member("code", .string(balance.currency.rawValue))])),
                    ])
                ])),
        ]
    }

    // MARK: Sales

    private func sale(_ type: String) -> [JSONValue.Member] {
        let isPromotional = product == nil
        let transaction = signed?.transaction
        let names = isPromotional || type == "EXPIRATION" ? [entitlement].compactMap { $0 } : entitlements
        let (price, dollars) = price(isRefund: event.type == .purchaseRefunded)
        var members = [
            JSONValue.Member("product_id", .text(product?.rawValue ?? entitlement.map { "rc_promo_\($0.rawValue)_custom" })),
            JSONValue.Member("entitlement_ids", names.isEmpty ? .null : .array(names.map { .string($0.rawValue) })),
            JSONValue.Member("entitlement_id", .null),
            JSONValue.Member("period_type", .string(isPromotional ? "PROMOTIONAL" : transaction?.periodType ?? "NORMAL")),
            JSONValue.Member("purchased_at_ms", .date(transaction?.purchaseDate ?? event.purchase?.purchaseDate ?? event.grantedAt)),
            JSONValue.Member("expiration_at_ms", .date(transaction?.expiresDate ?? event.grantedUntil)),
            JSONValue.Member("environment", environment),
            JSONValue.Member("store", .string(isPromotional ? "PROMOTIONAL" : "APP_STORE")),
            JSONValue.Member("transaction_id", .text(transaction?.transactionId.rawValue ?? event.purchase?.transactionID.rawValue)),
            JSONValue.Member(
                "original_transaction_id",
                .text(transaction?.originalTransactionId.rawValue ?? event.purchase?.originalTransactionID.rawValue)),
            JSONValue.Member("is_family_share", .bool(transaction?.inAppOwnershipType == "FAMILY_SHARED")),
            JSONValue.Member("offer_code", .text(transaction?.offerType == 3 ? transaction?.offerIdentifier : nil)),
            JSONValue.Member("currency", .text(transaction?.currency)), JSONValue.Member("price_in_purchased_currency", price),
            JSONValue.Member("price", dollars),
        ]
        members += ["country_code", "presented_offering_id", "tax_percentage", "commission_percentage", "takehome_percentage"].map {
            JSONValue.Member($0, .null)
        }
        members.append(JSONValue.Member("subscriber_attributes", .object([])))
        switch type {
        case "RENEWAL": members.append(JSONValue.Member("is_trial_conversion", .bool(earlier?.transaction.periodType == "TRIAL")))
        case "CANCELLATION": members.append(JSONValue.Member("cancel_reason", .string(cancelReason)))
        case "EXPIRATION": members.append(JSONValue.Member("expiration_reason", .string(expirationReason)))
        case "PRODUCT_CHANGE": members.append(JSONValue.Member("new_product_id", .text(newProduct?.rawValue)))
        case "BILLING_ISSUE":
            let isInGracePeriod = event.purchase?.state == .gracePeriod
            members.append(JSONValue.Member("grace_period_expiration_at_ms", .date(isInGracePeriod ? event.purchase?.until : nil)))
        default: break
        }
        return members
    }

    private var product: ProductID? {
        if event.type == .subscriptionProductChanged { return event.earlierPurchase?.productID }
        return signed?.transaction.productId ?? event.purchase?.productID ?? event.entitlement?.productID
    }

    private var newProduct: ProductID? {
        event.type == .subscriptionProductChanged ? event.purchase?.productID : event.purchase?.renewsTo
    }

    private var entitlement: EntitlementName? {
        if case .grant(let grant)? = event.after { return grant.entitlement }
        return event.entitlement?.name
    }

    /// The price in the currency of the purchase, and in US dollars if this is the currency; negative for a refund.
    private func price(isRefund: Bool) -> (JSONValue, dollars: JSONValue) {
        guard let transaction = signed?.transaction, let price = transaction.price else { return (.null, .null) }
        let number = JSONValue.number("\(Decimal(price) / (isRefund ? -1_000 : 1_000))")
        return (number, transaction.currency == "USD" ? number : .null)
    }

    private var cancelReason: String {
        switch event.type {
        case .purchaseRefunded: return "CUSTOMER_SUPPORT"
        case .subscriptionAutoRenewChanged: return "UNSUBSCRIBE"
        default: return "UNKNOWN"
        }
    }

    private var expirationReason: String {
        switch (event.reason, renewal?.expirationIntent) {
        case ("revoked", _): "CUSTOMER_SUPPORT"
        case ("billing-issue", _), (_, 2): "BILLING_ERROR"
        case (_, 1): "UNSUBSCRIBE"
        case (_, 3): "PRICE_INCREASE"
        case (_, 4): "DEVELOPER_INITIATED"
        default: "UNKNOWN"
        }
    }
}

extension FeedEvent {
    /// The state of the event's purchase after the event.
    fileprivate var purchase: FeedState.Purchase? { if case .purchase(let purchase)? = after { purchase } else { nil } }

    /// The state of the event's purchase before the event.
    fileprivate var earlierPurchase: FeedState.Purchase? { if case .purchase(let purchase)? = before { purchase } else { nil } }

    /// The state of the event's entitlement, before its end or after another change.
    fileprivate var entitlement: FeedState.Entitlement? {
        if case .entitlement(let entitlement)? = after { return entitlement }
        if case .entitlement(let entitlement)? = before { return entitlement }
        return nil
    }

    fileprivate var grantedAt: Timestamp? { if case .grant(let grant)? = after { grant.grantedAt } else { nil } }
    fileprivate var grantedUntil: Timestamp? { if case .grant(let grant)? = after { grant.until } else { nil } }
}

extension TransactionPayload {
    /// The kind of the paid period: a trial, another introductory offer, or a period with the normal price.
    fileprivate var periodType: String {
        if offerDiscountType == "FREE_TRIAL" { return "TRIAL" }
        return offerType == 1 ? "INTRO" : "NORMAL"
    }
}

extension JSONValue {
    fileprivate static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
    fileprivate static func date(_ date: Timestamp?) -> JSONValue { date.map { .number($0.milliseconds) } ?? .null }
}
