import Foundation
import FoundationExtras
import GRDB
import PrivateFiles
import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import Testing

@testable import OpenStoreKit

@Suite struct JournalRecordTests {
    // MARK: - Payments

    /// Each state with its stored text.
    static let states: [(state: PaymentQueueRecord.State, text: String)] = [
        (.queued, #"{"name":"queued"}"#),
        (.confirmed, #"{"name":"confirmed"}"#),
        (.deferred, #"{"name":"deferred"}"#),
        (.purchased(JournalSample.transaction), #"{"name":"purchased","transaction":\#(JournalSample.transactionText)}"#),
        (
            .restored(JournalSample.transaction, original: JournalSample.original),
            """
            {"name":"restored","originalTransaction":\(JournalSample.originalText),"transaction":\(JournalSample.transactionText)}
            """
        ),
        (
            .failed(PaymentFailure(.paymentCancelled, "Cancelled.")),
            #"{"failure":{"code":2,"domain":"SKErrorDomain","message":"Cancelled."},"name":"failed"}"#
        ),
        (.finished("2000000000000001"), #"{"name":"finished","transactionID":"2000000000000001"}"#),
    ]

    @Test(arguments: states)
    func `a payment is stored under these names, whatever the code calls them`(_ state: PaymentQueueRecord.State, _ text: String) throws {
        let payment = JournalSample.payment(state)
        let stored = JournalSample.text(state: text)
        #expect(try PaymentJournalRecord.read(Data(stored.utf8)) == payment)
        // The row of a finished payment had a product and an offer before, which a device still reads.
        if case .finished = state { return }
        #expect(try JournalSample.text(of: PaymentJournalRecord(payment)) == stored, "a changed name or value needs a new version")
    }

    @Test func `a finished payment is stored without its product and its offer`() throws {
        let stored = """
            {"account":"ada@example.com","id":"p","isPurchaseCall":true,"productID":"silver","quantity":2,"sequence":7,\
            "simulatesAskToBuy":true,"state":{"name":"finished","transactionID":"2000000000000001"},"username":"ada","version":1}
            """
        #expect(try JournalSample.text(of: PaymentJournalRecord(JournalSample.payment(.finished("2000000000000001")))) == stored)
    }

    @Test(arguments: states.map(\.state))
    func `a payment without optional members is read as it was stored`(_ state: PaymentQueueRecord.State) throws {
        let request = PaymentRequest(id: "p", productID: "silver", quantity: 1, username: nil, product: nil)
        let payment = PaymentQueueRecord(request, sequence: 1, state: state)
        #expect(try PaymentJournalRecord.read(PaymentJournalRecord.write(payment)) == payment)
    }

    @Test(arguments: OfferType.allCases, OfferDiscountType.allCases)
    func `the offers of a product are read as they were stored`(_ type: OfferType, _ mode: OfferDiscountType) throws {
        var payment = JournalSample.payment(.queued)
        for plan in BillingPlanType.allCases {
            let offer = SubscriptionOffer(
                kind: type, id: "offer", mode: mode, period: try #require(BillingPeriod(2, .week)), periodCount: 3,
                price: Money(milliunits: 990, currency: "EUR"), eligibility: Set(OfferEligibility.allCases), isStackable: true,
                isEligible: true, billingPlan: plan)
            var product = try #require(payment.product)
            product.subscription?.offers = [offer]
            let request = PaymentRequest(
                id: payment.id, productID: product.id, quantity: 1, username: nil, product: product,
                offer: OfferChoice(kind: type, id: "offer"))
            payment = PaymentQueueRecord(request, sequence: 1)
            #expect(try PaymentJournalRecord.read(PaymentJournalRecord.write(payment)) == payment)
        }
    }

    @Test(arguments: ProductType.allCases) func `the type of a product is read as it was stored`(_ type: ProductType) throws {
        let product = StoreProduct(
            id: "a", type: type, title: "", summary: "", price: Money(milliunits: 1, currency: "USD"), priceLocale: "en_US")
        let request = PaymentRequest(id: "p", productID: "a", quantity: 1, username: nil, product: product)
        let payment = PaymentQueueRecord(request, sequence: 1)
        #expect(try PaymentJournalRecord.read(PaymentJournalRecord.write(payment)) == payment)
    }

    @Test(
        arguments: [
            (nil, #"{"type":4}"#),
            (
                OfferSignature(keyID: "KEY", nonce: "nonce", timestamp: 1_738_326_896_000, signature: Data([1, 2, 3])),
                #"{"signature":{"keyID":"KEY","nonce":"nonce","signature":"AQID","timestamp":1738326896000},"type":4}"#
            ),
            (OfferSignature(compactJWS: "a.b.c"), #"{"signature":{"compactJWS":"a.b.c"},"type":4}"#),
        ] as [(OfferSignature?, String)])
    func `the offer of a payment is stored under these names`(_ signature: OfferSignature?, _ text: String) throws {
        let offer = OfferChoice(kind: .winBack, id: nil, signature: signature)
        let request = PaymentRequest(id: "p", productID: "a", quantity: 1, username: nil, product: nil, offer: offer)
        let payment = PaymentQueueRecord(request, sequence: 1)
        let stored = """
            {"id":"p","isPurchaseCall":false,"offer":\(text),"productID":"a","quantity":1,"sequence":1,"simulatesAskToBuy":false,\
            "state":{"name":"queued"},"version":1}
            """
        #expect(try JournalSample.text(of: PaymentJournalRecord(payment)) == stored)
        #expect(try PaymentJournalRecord.read(Data(stored.utf8)) == payment)
    }

    @Test(arguments: [
        (#""version":1}"#, #""version":2}"#),
        (#""version":1}"#, #""version":0}"#),
        (#""name":"queued""#, #""name":"asleep""#),
        (#""name":"queued""#, #""name":"purchased""#),
        (#""name":"queued""#, #""name":"restored""#),
        (#""name":"queued""#, #""name":"failed""#),
        (#""name":"queued""#, #""name":"finished""#),
        (#""type":"Auto-Renewable Subscription""#, #""type":"Loan""#),
        (#""period":"P1M""#, #""period":"P1H""#),
        (#""mode":"FREE_TRIAL""#, #""mode":"BARTER""#),
        (#""eligibility":["existing","new"]"#, #""eligibility":["old"]"#),
        (#""billingPlan":"MONTHLY""#, #""billingPlan":"DAILY""#),
        (#""type":2}"#, #""type":9}"#),
        (#""keyID":"KEY","#, ""),
    ])
    func `a payment with an unknown version or value is refused`(_ known: String, _ unknown: String) throws {
        let stored = JournalSample.text(state: #"{"name":"queued"}"#)
        let text = stored.replacing(known, with: unknown)
        try #require(text != stored)
        #expect(throws: UnreadableRecord.self) { try PaymentJournalRecord.read(Data(text.utf8)) }
    }

    @Test func `truncated text is refused`() {
        let stored = Data(JournalSample.text(state: #"{"name":"finished","transactionID":"1"}"#).utf8)
        for count in stored.indices {
            #expect(throws: (any Error).self) { try PaymentJournalRecord.read(stored.prefix(count)) }
        }
    }

    // MARK: - The journal

    @Test func `the journal contains a payment in this form`() throws {
        let folder = try TemporaryFolder()
        let journal = try Journal(path: folder.file("journal").path(percentEncoded: false))
        let (state, text) = Self.states[3]
        try journal.write([.persist(JournalSample.payment(state))])
        let stored = try journal.database.read { try Data.fetchOne($0, sql: "SELECT record FROM payment") }
        let record = try WireJSON.decode(PaymentJournalRecord.self, from: try #require(stored))
        #expect(try JournalSample.text(of: record) == JournalSample.text(state: text))
        #expect(try journal.records() == [JournalSample.payment(state)])
    }

    @Test func `a row of an unknown version does not block the other rows`() throws {
        let folder = try TemporaryFolder()
        let journal = try Journal(path: folder.file("journal").path(percentEncoded: false))
        let payments = (1...3).map { number in
            let request = PaymentRequest(id: PaymentID("\(number)"), productID: "a", quantity: 1, username: nil, product: nil)
            return PaymentQueueRecord(request, sequence: Int64(number))
        }
        try journal.write(payments.map { .persist($0) })
        let text = String(decoding: try PaymentJournalRecord.write(payments[1]), as: UTF8.self)
        let unknown = text.replacing(#""version":1"#, with: #""version":2"#)
        try journal.database.write { database in
            try database.execute(sql: "UPDATE payment SET record = ? WHERE id = '2'", arguments: [Data(unknown.utf8)])
        }
        #expect(try journal.records() == [payments[0], payments[2]])
        #expect(try journal.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM payment") } == 2)
    }

    // MARK: - Subscription statuses

    private static let statusText = #"{"groupID":"G","signedRenewalInfo":"d.e.f","signedTransaction":"a.b.c","status":4,"version":1}"#

    @Test func `a subscription status is stored under these names`() throws {
        let status = JournalSample.status(4)
        #expect(try JournalSample.text(of: SubscriptionStatusRecord(status)) == Self.statusText)
        #expect(try SubscriptionStatusRecord.read(Data(Self.statusText.utf8)) == status)
    }

    @Test func `a subscription status of an unknown version is refused, and the others are read`() throws {
        let unknown = Data(Self.statusText.replacing(#""version":1"#, with: #""version":2"#).utf8)
        #expect(throws: UnreadableRecord.self) { try SubscriptionStatusRecord.read(unknown) }
        let folder = try TemporaryFolder()
        let journal = try Journal(path: folder.file("journal").path(percentEncoded: false))
        let statuses = (1...5).map { JournalSample.status($0) }
        try journal.set(statuses, of: "ada")
        #expect(try journal.statuses(of: "ada") == statuses)
        try journal.database.write { database in
            try database.execute(sql: "UPDATE subscription SET status = ? WHERE number = 1", arguments: [unknown])
            try database.execute(sql: "UPDATE subscription SET status = 5 WHERE number = 2")
        }
        #expect(try journal.statuses(of: "ada").map(\.status) == [1, 4, 5])
    }
}

/// Values with every member, and their stored text.
private enum JournalSample {
    static let transactionText = """
        {"content":{"length":10,"sha256":"ab","version":"1.0"},"date":1738326896000,"id":"2000000000000001","signed":"a.b.c"}
        """
    static let originalText = #"{"date":1738326800000,"id":"1000000000000001","signed":"d.e.f"}"#

    static let transaction = transaction(transactionText)
    static let original = transaction(originalText)

    /// A transaction from its stored text; only the journal and the verifier create transactions.
    private static func transaction(_ text: String) -> RecordedTransaction {
        let payment = """
            {"id":"p","isPurchaseCall":false,"productID":"a","quantity":1,"sequence":1,"simulatesAskToBuy":false,\
            "state":{"name":"purchased","transaction":\(text)},"version":1}
            """
        guard let recorded = try? PaymentJournalRecord.read(Data(payment.utf8)).recorded else {
            fatalError("not the stored text of a transaction: \(text)")
        }
        return recorded
    }

    static func payment(_ state: PaymentQueueRecord.State) -> PaymentQueueRecord {
        var product = StoreProduct(
            id: "silver", type: .autoRenewable, title: "Silver", summary: "A/B", price: Money(milliunits: 9990, currency: "USD"),
            priceLocale: "en_US", isFamilyShareable: true)
        product.content = HostedContent(version: "1.0", length: 10)
        product.subscription = BillingPeriod(1, .month).map { month in
            SubscriptionTerms(
                group: "G", level: 2, period: month, groupName: "Gold",
                offers: [
                    SubscriptionOffer(
                        kind: .code, id: "spring", mode: .freeTrial, period: month, price: Money(milliunits: 0, currency: "USD"),
                        eligibility: [.new, .existing], isStackable: true, isEligible: false, billingPlan: .monthly)
                ])
        }
        let request = PaymentRequest(
            id: "p", productID: "silver", quantity: 2, username: "ada", product: product,
            offer: OfferChoice(
                kind: .promotional, id: "spring",
                signature: OfferSignature(keyID: "KEY", nonce: "nonce", timestamp: 1_738_326_896_000, signature: Data([1, 2, 3]))),
            simulatesAskToBuy: true, isPurchaseCall: true)
        return PaymentQueueRecord(request, sequence: 7, state: state, account: "ada@example.com")
    }

    static func text(state: String) -> String {
        """
        {"account":"ada@example.com","id":"p","isPurchaseCall":true,\
        "offer":{"id":"spring","signature":{"keyID":"KEY","nonce":"nonce","signature":"AQID","timestamp":1738326896000},"type":2},\
        "product":{"content":{"length":10,"version":"1.0"},"id":"silver","isFamilyShareable":true,\
        "price":{"currency":"USD","milliunits":9990},"priceLocale":"en_US",\
        "subscription":{"groupID":"G","groupName":"Gold","level":2,"offers":[{"billingPlan":"MONTHLY",\
        "eligibility":["existing","new"],"id":"spring","isEligible":false,"isStackable":true,"mode":"FREE_TRIAL",\
        "period":"P1M","periodCount":1,\
        "price":{"currency":"USD","milliunits":0},"type":3}],"period":"P1M"},\
        "summary":"A/B","title":"Silver","type":"Auto-Renewable Subscription"},\
        "productID":"silver","quantity":2,"sequence":7,"simulatesAskToBuy":true,"state":\(state),"username":"ada","version":1}
        """
    }

    static func status(_ status: Int) -> HistoryReply.Status {
        HistoryReply.Status(
            group: "G", status: status, signedTransaction: SignedTransaction("a.b.c"), signedRenewalInfo: SignedRenewalInfo("d.e.f"))
    }

    /// The record as JSON with sorted names; the journal does not sort them.
    static func text(of record: some Encodable) throws -> String {
        String(decoding: try WireJSON.encode(record), as: UTF8.self)
    }
}
