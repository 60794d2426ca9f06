import Foundation
import PrivateFiles
import PurchaseModel
import StoreProtocol

/// A payment in the journal's format: JSON in the column `record`.
struct PaymentJournalRecord: StoredRecord {
    static let currentVersion = 1

    struct State: Codable, Hashable, Sendable {
        let name: String
        var transaction: Transaction?
        var originalTransaction: Transaction?
        var transactionID: TransactionID?
        var failure: StoredFailure?
    }

    struct Transaction: Codable, Hashable, Sendable {
        let id: TransactionID
        let date: Timestamp
        let signed: SignedTransaction
        let content: StoredHostedContent?
    }

    struct Product: Codable, Hashable, Sendable {
        let id: ProductID
        let type: String
        let title: String
        let summary: String
        let price: Price
        let priceLocale: String
        let subscription: Terms?
        let isFamilyShareable: Bool
        let content: StoredHostedContent?
    }

    struct Terms: Codable, Hashable, Sendable {
        let groupID: SubscriptionGroupID
        let groupName: String
        let level: Int
        let period: String
        let offers: [Offer]
        let monthlyPlan: MonthlyPlan?
        let seats: Seats?
    }

    struct Seats: Codable, Hashable, Sendable {
        let invitationManagement: String
        let tiers: [SeatTier]
    }

    struct SeatTier: Codable, Hashable, Sendable {
        let minimumSeats: Int
        let price: Price
    }

    struct MonthlyPlan: Codable, Hashable, Sendable {
        let price: Price
        let charges: Int
        let commitmentPrice: Price
    }

    struct Offer: Codable, Hashable, Sendable {
        let type: Int
        let id: String?
        let mode: String
        let period: String
        let periodCount: Int
        let price: Price
        let eligibility: [String]
        let isStackable: Bool
        let isEligible: Bool?
        let billingPlan: String?
    }

    struct Price: Codable, Hashable, Sendable {
        let milliunits: Int64
        let currency: String
    }

    struct OfferRequest: Codable, Hashable, Sendable {
        let type: Int
        let id: String?
        let signature: Signature?
    }

    struct Signature: Codable, Hashable, Sendable {
        let keyID: String?
        let nonce: String?
        let timestamp: Int64?
        let signature: Data?
        let compactJWS: String?
    }

    let version: Int
    let id: PaymentID
    let sequence: Int64
    let productID: ProductID
    let quantity: Int
    let username: String?
    let product: Product?
    let state: State
    let account: AccountID?
    let offer: OfferRequest?
    let billingPlan: String?
    let seats: Int?
    let isPurchaseCall: Bool
    let simulatesAskToBuy: Bool
}

/// The stored form of the store's description of hosted content, as part of a record.
struct StoredHostedContent: Codable, Hashable, Sendable {
    let version: String
    let length: Int64
    let sha256: String?

    init(_ content: HostedContent) {
        version = content.version
        length = content.length
        sha256 = content.sha256
    }

    var content: HostedContent { HostedContent(version: version, length: length, sha256: sha256) }
}

/// The stored form of a ``PaymentFailure``, as part of a record.
struct StoredFailure: Codable, Hashable, Sendable {
    let domain: String
    let code: Int
    let message: String

    init(_ failure: PaymentFailure) {
        domain = failure.domain
        code = failure.code
        message = failure.message
    }

    var failure: PaymentFailure { PaymentFailure(domain: domain, code: code, message: message) }
}

// MARK: - Payments

extension PaymentJournalRecord {
    init(_ payment: PaymentQueueRecord) {
        version = Self.currentVersion
        id = payment.id
        sequence = payment.sequence
        productID = payment.productID
        quantity = payment.quantity
        username = payment.username
        // Only an unfinished payment needs the product and the offer, for the sheet and the request to the store.
        product = payment.isFinished ? nil : payment.product.map { Product($0) }
        state = State(payment.state)
        account = payment.account
        offer = payment.isFinished ? nil : payment.offer.map { OfferRequest($0) }
        billingPlan = payment.isFinished ? nil : payment.billingPlan?.rawValue
        seats = payment.isFinished ? nil : payment.seats
        isPurchaseCall = payment.isPurchaseCall
        simulatesAskToBuy = payment.simulatesAskToBuy
    }

    func value() throws -> PaymentQueueRecord {
        try checkVersion()
        let request = PaymentRequest(
            id: id, productID: productID, quantity: quantity, username: username, product: try product?.product(),
            offer: try offer?.offer(),
            billingPlan: try billingPlan.map { try UnreadableRecord.read($0) { BillingPlanType(rawValue: $0) } },
            seats: seats, simulatesAskToBuy: simulatesAskToBuy, isPurchaseCall: isPurchaseCall)
        return PaymentQueueRecord(request, sequence: sequence, state: try state.state(), account: account)
    }
}

extension PaymentJournalRecord.State {
    fileprivate init(_ state: PaymentQueueRecord.State) {
        switch state {
        case .queued: self.init(name: "queued")
        case .confirmed: self.init(name: "confirmed")
        case .deferred: self.init(name: "deferred")
        case .purchased(let transaction):
            self.init(name: "purchased", transaction: PaymentJournalRecord.Transaction(transaction))
        case .restored(let transaction, let original):
            self.init(
                name: "restored", transaction: PaymentJournalRecord.Transaction(transaction),
                originalTransaction: PaymentJournalRecord.Transaction(original))
        case .failed(let failure): self.init(name: "failed", failure: StoredFailure(failure))
        case .finished(let id): self.init(name: "finished", transactionID: id)
        }
    }

    fileprivate func state() throws -> PaymentQueueRecord.State {
        switch (name, transaction, originalTransaction, transactionID, failure) {
        case ("queued", _, _, _, _): .queued
        case ("confirmed", _, _, _, _): .confirmed
        case ("deferred", _, _, _, _): .deferred
        case ("purchased", let transaction?, _, _, _): .purchased(RecordedTransaction(transaction))
        case ("restored", let transaction?, let original?, _, _):
            .restored(RecordedTransaction(transaction), original: RecordedTransaction(original))
        case ("failed", _, _, _, let failure?): .failed(failure.failure)
        case ("finished", _, _, let id?, _): .finished(id)
        default: throw UnreadableRecord(value: name)
        }
    }
}

extension PaymentJournalRecord.Transaction {
    fileprivate init(_ transaction: RecordedTransaction) {
        id = transaction.id
        date = transaction.date
        signed = transaction.signed
        content = transaction.content.map { StoredHostedContent($0) }
    }
}

extension RecordedTransaction {
    fileprivate init(_ stored: PaymentJournalRecord.Transaction) {
        id = stored.id
        date = stored.date
        signed = stored.signed
        content = stored.content?.content
    }
}

// MARK: - Products

extension PaymentJournalRecord.Product {
    fileprivate init(_ product: StoreProduct) {
        id = product.id
        type = product.type.rawValue
        title = product.title
        summary = product.summary
        price = PaymentJournalRecord.Price(product.price)
        priceLocale = product.priceLocale
        subscription = product.subscription.map { PaymentJournalRecord.Terms($0) }
        isFamilyShareable = product.isFamilyShareable
        content = product.content.map { StoredHostedContent($0) }
    }

    fileprivate func product() throws -> StoreProduct {
        var product = StoreProduct(
            id: id,
            type: try UnreadableRecord.read(type) { ProductType(rawValue: $0) },
            title: title,
            summary: summary,
            price: price.money,
            priceLocale: priceLocale,
            subscription: try subscription?.terms(),
            isFamilyShareable: isFamilyShareable
        )
        product.content = content?.content
        return product
    }
}

extension PaymentJournalRecord.Terms {
    fileprivate init(_ terms: SubscriptionTerms) {
        groupID = terms.group
        groupName = terms.groupName
        level = terms.level
        period = terms.period.iso8601
        offers = terms.offers.map { PaymentJournalRecord.Offer($0) }
        monthlyPlan = terms.monthlyPlan.map {
            PaymentJournalRecord.MonthlyPlan(
                price: PaymentJournalRecord.Price($0.price), charges: $0.charges,
                commitmentPrice: PaymentJournalRecord.Price($0.commitmentPrice))
        }
        seats = terms.seats.map { PaymentJournalRecord.Seats($0) }
    }

    fileprivate func terms() throws -> SubscriptionTerms {
        SubscriptionTerms(
            group: groupID,
            level: level,
            period: try UnreadableRecord.read(period) { BillingPeriod(iso8601: $0) },
            groupName: groupName, offers: try offers.map { try $0.offer() },
            monthlyPlan: monthlyPlan.map {
                MonthlyBillingPlan(price: $0.price.money, charges: $0.charges, commitmentPrice: $0.commitmentPrice.money)
            },
            seats: try seats?.terms()
        )
    }
}

extension PaymentJournalRecord.Seats {
    fileprivate init(_ terms: SeatTerms) {
        invitationManagement = terms.invitationManagement.rawValue
        tiers = terms.pricing.tiers.map {
            PaymentJournalRecord.SeatTier(minimumSeats: $0.minimumSeats, price: PaymentJournalRecord.Price($0.price))
        }
    }

    fileprivate func terms() throws -> SeatTerms {
        let stored = tiers.map { SeatPricing.Tier(minimumSeats: $0.minimumSeats, price: $0.price.money) }
        return SeatTerms(
            pricing: try UnreadableRecord.read("\(tiers.count)") { _ in SeatPricing(stored) },
            invitationManagement: try UnreadableRecord.read(invitationManagement) { InvitationManagement(rawValue: $0) })
    }
}

extension PaymentJournalRecord.Offer {
    fileprivate init(_ offer: SubscriptionOffer) {
        type = offer.kind.rawValue
        id = offer.id
        mode = offer.mode.rawValue
        period = offer.period.iso8601
        periodCount = offer.periodCount
        price = PaymentJournalRecord.Price(offer.price)
        eligibility = offer.eligibility.map(Self.name).sorted()
        isStackable = offer.isStackable
        isEligible = offer.isEligible
        billingPlan = offer.billingPlan?.rawValue
    }

    fileprivate func offer() throws -> SubscriptionOffer {
        SubscriptionOffer(
            kind: try UnreadableRecord.read(type) { OfferType(rawValue: $0) },
            id: id,
            mode: try UnreadableRecord.read(mode) { OfferDiscountType(rawValue: $0) },
            period: try UnreadableRecord.read(period) { BillingPeriod(iso8601: $0) },
            periodCount: periodCount,
            price: price.money,
            eligibility: Set(try eligibility.map { try UnreadableRecord.read($0) { Self.eligibility($0) } }),
            isStackable: isStackable,
            isEligible: isEligible,
            billingPlan: try billingPlan.map { try UnreadableRecord.read($0) { BillingPlanType(rawValue: $0) } }
        )
    }

    private static func name(_ eligibility: OfferEligibility) -> String {
        switch eligibility {
        case .new: "new"
        case .existing: "existing"
        case .expired: "expired"
        }
    }

    private static func eligibility(_ name: String) -> OfferEligibility? {
        OfferEligibility.allCases.first { Self.name($0) == name }
    }
}

extension PaymentJournalRecord.Price {
    fileprivate init(_ money: Money) {
        (milliunits, currency) = (money.milliunits, money.currency)
    }

    fileprivate var money: Money { Money(milliunits: milliunits, currency: currency) }
}

// MARK: - Offers

extension PaymentJournalRecord.OfferRequest {
    fileprivate init(_ offer: OfferChoice) {
        type = offer.kind.rawValue
        id = offer.id
        signature = offer.signature.map { PaymentJournalRecord.Signature($0) }
    }

    fileprivate func offer() throws -> OfferChoice {
        OfferChoice(
            kind: try UnreadableRecord.read(type) { OfferType(rawValue: $0) }, id: id, signature: try signature?.offerSignature())
    }
}

extension PaymentJournalRecord.Signature {
    fileprivate init(_ offerSignature: OfferSignature) {
        keyID = offerSignature.keyID
        nonce = offerSignature.nonce
        timestamp = offerSignature.timestamp
        signature = offerSignature.signature
        compactJWS = offerSignature.compactJWS
    }

    fileprivate func offerSignature() throws -> OfferSignature {
        if let compactJWS { return OfferSignature(compactJWS: compactJWS) }
        guard let keyID, let nonce, let timestamp, let signature else { throw UnreadableRecord(value: "incomplete offer signature") }
        return OfferSignature(keyID: keyID, nonce: nonce, timestamp: timestamp, signature: signature)
    }
}

// MARK: - Subscription statuses
