import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport

/// Signed events about one customer's purchases, and the resulting balance for every order of the events.
struct CreditScenario: Sendable {
    /// A signed event that a server receives.
    enum Event: Sendable {
        /// The app posts a signed transaction.
        case appPosts(TransactionPayload)
        /// The store sends a notification about a transaction.
        case storeNotifies(String, TransactionPayload)
    }

    let name: String
    let events: [Event]
    let balance: Int64

    init(_ name: String, _ balance: Int64, _ events: Event...) {
        self.name = name
        self.events = events
        self.balance = balance
    }

    /// Returns the events with unique identifiers and a new customer, so that scenarios do not interfere on one server.
    func withUniqueIDs(_ number: Int) -> (customer: CustomerID, events: [Event]) {
        let customer = CustomerID(UUID())
        func withUniqueIDs(_ payload: TransactionPayload) -> TransactionPayload {
            payload.with {
                $0.transactionId = TransactionID("\(number)000\(payload.transactionId)")
                $0.originalTransactionId = TransactionID("\(number)000\(payload.originalTransactionId)")
                $0.webOrderLineItemId = payload.webOrderLineItemId.map { "\(number)000\($0)" }
                $0.appAccountToken = customer
            }
        }
        return (
            customer,
            events.map { event in
                switch event {
                case .appPosts(let payload): .appPosts(withUniqueIDs(payload))
                case .storeNotifies(let type, let payload): .storeNotifies(type, withUniqueIDs(payload))
                }
            }
        )
    }

    /// The products of the server in these scenarios.
    static let products = """
        [{"id":"seeds","credits":5},{"id":"book","credits":100},{"id":"magazine","credits":100},{"id":"season","credits":50}]
        """

    private static let seeds = TransactionPayload.sample(id: "1", product: "seeds", type: .consumable)
    private static let season = TransactionPayload.sample(id: "1", product: "season", type: .nonRenewing)
    private static let book = TransactionPayload.sample(id: "1", product: "book", type: .nonConsumable)
    private static let january = month("1", line: "71", 0)
    private static let february = month("2", line: "72", 1)

    private static func month(_ id: TransactionID, line: String, _ number: Int64) -> TransactionPayload {
        let start = Timestamp.testStart.adding(days: 30 * number)
        var payload = TransactionPayload.sample(
            id: id, original: "1", product: "magazine", type: .autoRenewable, date: start, expires: start.adding(days: 30))
        payload.webOrderLineItemId = line
        payload.transactionReason = number == 0 ? "PURCHASE" : "RENEWAL"
        return payload
    }

    static let all: [CreditScenario] = [
        CreditScenario("a consumable adds its credits", 5, .appPosts(seeds)),
        CreditScenario("a quantity of 4 adds 4 times the credits", 20, .appPosts(seeds.with { $0.quantity = 4 })),
        CreditScenario("each consumable adds its credits", 10, .appPosts(seeds), .appPosts(seeds.repurchased("2"))),
        CreditScenario(
            "a non-renewing subscription adds its credits each time", 100, .appPosts(season), .appPosts(season.repurchased("2"))),
        CreditScenario(
            "a consumable whose transaction ID differs from its original transaction ID adds nothing", 0,
            .appPosts(seeds.restoredCopy("9", day: 1))),
        CreditScenario("a non-consumable adds its credits", 100, .appPosts(book)),
        CreditScenario(
            "restores of a non-consumable add nothing", 100,
            .appPosts(book), .appPosts(book.restoredCopy("8", day: 1)), .appPosts(book.restoredCopy("9", day: 2))),
        CreditScenario("a restore alone adds nothing", 0, .appPosts(book.restoredCopy("9", day: 2))),
        CreditScenario(
            "an owned product bought again at price 0 adds nothing", 100,
            .appPosts(book),
            .appPosts(
                book.restoredCopy("9", day: 1).with {
                    $0.price = 0
                    $0.originalPurchaseDate = $0.purchaseDate
                })),
        CreditScenario("a Family Sharing entitlement adds nothing", 0, .appPosts(book.shared()), .appPosts(january.shared())),
        CreditScenario(
            "the transaction of a group's member adds nothing", 0, .appPosts(book.with { $0.inAppOwnershipType = "ASSIGNED" })),
        CreditScenario("a transaction with an unknown product type adds nothing", 0, .appPosts(book.with { $0.type = "Of 2031" })),
        CreditScenario("each period of a subscription adds its credits", 200, .appPosts(january), .appPosts(february)),
        CreditScenario(
            "restores of a period add nothing", 200,
            .appPosts(january), .appPosts(january.restoredCopy("8", day: 3)), .appPosts(february),
            .appPosts(february.restoredCopy("9", day: 33))),
        CreditScenario(
            "a period adds its credits once, even if its restore is posted first", 100, .appPosts(january.restoredCopy("8", day: 3)),
            .appPosts(january)),
        CreditScenario("a period without a webOrderLineItemId adds nothing", 0, .appPosts(january.with { $0.webOrderLineItemId = nil })),
        CreditScenario(
            "a refund removes the credits of a consumable", 5, .appPosts(seeds), .appPosts(seeds.repurchased("2")),
            .storeNotifies("REFUND", seeds.revoked())),
        CreditScenario("a refunded transaction that the app posts adds nothing", 0, .appPosts(seeds.revoked())),
        CreditScenario(
            "a restore that is signed before the refund adds nothing", 0,
            .appPosts(book), .storeNotifies("REFUND", book.revoked(100)), .appPosts(book.restoredCopy("9", day: 0))),
        CreditScenario(
            "a restore that is signed after the refund adds nothing", 0,
            .appPosts(book), .storeNotifies("REFUND", book.revoked(100)), .appPosts(book.restoredCopy("9", day: 9))),
        CreditScenario(
            "a refund of a period removes its credits and no others", 100,
            .appPosts(january), .appPosts(january.restoredCopy("8", day: 3)), .appPosts(february),
            .storeNotifies("REFUND", february.revoked()),
            .appPosts(february.restoredCopy("9", day: 50))),
        CreditScenario(
            "a prorated refund removes its percentage, rounded down", 68,
            .appPosts(january), .storeNotifies("REFUND", january.revoked(type: "REFUND_PRORATED", percentage: 32_999))),
        CreditScenario(
            "a prorated refund without a percentage removes all credits", 0,
            .appPosts(january), .storeNotifies("REFUND", january.revoked(type: "REFUND_PRORATED"))),
        CreditScenario(
            "a prorated refund of more than 100 percent removes all credits", 0,
            .appPosts(january), .storeNotifies("REFUND", january.revoked(type: "REFUND_PRORATED", percentage: 200_000))),
        CreditScenario(
            "a reversed refund adds the removed credits again, once", 5,
            .appPosts(seeds), .storeNotifies("REFUND", seeds.revoked(100)), .storeNotifies("REFUND_REVERSED", seeds.signed(200))),
        CreditScenario(
            "a reversed prorated refund adds the removed credits again", 100,
            .appPosts(january), .storeNotifies("REFUND", january.revoked(100, type: "REFUND_PRORATED", percentage: 40_000)),
            .storeNotifies("REFUND_REVERSED", january.signed(200))),
        CreditScenario(
            "a restore that was revoked with its purchase is not a refund after the reversal", 100,
            .appPosts(book), .storeNotifies("REFUND", book.revoked(100)), .appPosts(book.restoredCopy("9", day: 0).revoked(110)),
            .storeNotifies("REFUND_REVERSED", book.signed(200))),
        CreditScenario(
            "a purchase that is refunded, reversed and refunded again is refunded", 0,
            .appPosts(seeds), .storeNotifies("REFUND", seeds.revoked(100)), .storeNotifies("REFUND_REVERSED", seeds.signed(200)),
            .storeNotifies("REFUND", seeds.revoked(300))),
        CreditScenario(
            "a revoked Family Sharing entitlement removes nothing from the purchaser", 100,
            .appPosts(january), .storeNotifies("REVOKE", january.repurchased("9").shared().revoked(type: "FAMILY_REVOKE"))),
        CreditScenario(
            "a notification alone adds the credits", 105, .storeNotifies("ONE_TIME_CHARGE", seeds), .storeNotifies("DID_RENEW", february)),
    ]
}

extension TransactionPayload {
    func with(_ change: (inout TransactionPayload) -> Void) -> TransactionPayload {
        var copy = self
        change(&copy)
        return copy
    }

    /// Another purchase of the same product.
    fileprivate func repurchased(_ id: TransactionID) -> TransactionPayload {
        with {
            $0.transactionId = id
            $0.originalTransactionId = id
        }
    }

    /// Another transaction of the same purchase, as a restore creates it.
    fileprivate func restoredCopy(_ id: TransactionID, day: Int64) -> TransactionPayload {
        with {
            $0.transactionId = id
            $0.purchaseDate = Timestamp.testStart.adding(days: day)
            $0.signedDate = $0.purchaseDate
        }
    }

    fileprivate func shared() -> TransactionPayload {
        with {
            $0.inAppOwnershipType = "FAMILY_SHARED"
            $0.webOrderLineItemId = $0.webOrderLineItemId.map { "9\($0)" }
            $0.price = nil
            $0.currency = nil
        }
    }

    fileprivate func signed(_ seconds: Int64) -> TransactionPayload {
        with { $0.signedDate = purchaseDate.adding(seconds: seconds) }
    }

    fileprivate func revoked(_ seconds: Int64 = 100, type: String? = "REFUND_FULL", percentage: Int? = nil) -> TransactionPayload {
        signed(seconds).with {
            $0.revocationDate = $0.signedDate
            $0.revocationReason = 0
            $0.revocationType = type
            $0.revocationPercentage = percentage
        }
    }
}
