import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport

/// Signed events that reach a server about one customer's purchases, and the balance they end in, in whatever order they come.
struct CreditStory: Sendable {
    /// One signed event.
    enum Event: Sendable {
        /// The app posts a signed transaction.
        case posts(TransactionPayload)
        /// The store notifies of a transaction.
        case notifies(String, TransactionPayload)
    }

    let name: String
    let events: [Event]
    let balance: Int

    init(_ name: String, _ balance: Int, _ events: Event...) {
        self.name = name
        self.events = events
        self.balance = balance
    }

    /// The same events with ids and a customer of their own, so that stories do not meet in one server.
    func own(_ number: Int) -> (customer: CustomerID, events: [Event]) {
        let customer = CustomerID(UUID())
        func own(_ payload: TransactionPayload) -> TransactionPayload {
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
                case .posts(let payload): .posts(own(payload))
                case .notifies(let type, let payload): .notifies(type, own(payload))
                }
            }
        )
    }

    /// What the server of these stories sells.
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

    static let all: [CreditStory] = [
        CreditStory("a consumable adds its credits", 5, .posts(seeds)),
        CreditStory("a quantity of 4 adds 4 times the credits", 20, .posts(seeds.with { $0.quantity = 4 })),
        CreditStory("each consumable adds its own", 10, .posts(seeds), .posts(seeds.again("2"))),
        CreditStory("a non-renewing subscription adds its credits each time", 100, .posts(season), .posts(season.again("2"))),
        CreditStory("a consumable whose id is not its original's is a copy", 0, .posts(seeds.copy("9", day: 1))),
        CreditStory("a non-consumable adds its credits", 100, .posts(book)),
        CreditStory(
            "restores of a non-consumable add nothing", 100,
            .posts(book), .posts(book.copy("8", day: 1)), .posts(book.copy("9", day: 2))),
        CreditStory("a restore alone adds nothing", 0, .posts(book.copy("9", day: 2))),
        CreditStory(
            "an owned product bought again at price 0 adds nothing", 100,
            .posts(book),
            .posts(
                book.copy("9", day: 1).with {
                    $0.price = 0
                    $0.originalPurchaseDate = $0.purchaseDate
                })),
        CreditStory("what a relative shares adds nothing", 0, .posts(book.shared()), .posts(january.shared())),
        CreditStory("what is not stated to be purchased adds nothing", 0, .posts(book.with { $0.inAppOwnershipType = "ASSIGNED" })),
        CreditStory("what is of no known kind adds nothing", 0, .posts(book.with { $0.type = "Of 2031" })),
        CreditStory("each period of a subscription adds its credits", 200, .posts(january), .posts(february)),
        CreditStory(
            "restores of a period add nothing", 200,
            .posts(january), .posts(january.copy("8", day: 3)), .posts(february), .posts(february.copy("9", day: 33))),
        CreditStory("a period that only a restore shows adds its credits once", 100, .posts(january.copy("8", day: 3)), .posts(january)),
        CreditStory("a period without its order line adds nothing", 0, .posts(january.with { $0.webOrderLineItemId = nil })),
        CreditStory(
            "a refund takes the credits of a consumable", 5, .posts(seeds), .posts(seeds.again("2")), .notifies("REFUND", seeds.revoked())),
        CreditStory("a refunded transaction that the app posts adds nothing", 0, .posts(seeds.revoked())),
        CreditStory(
            "a kept restore adds nothing after a refund", 0,
            .posts(book), .notifies("REFUND", book.revoked(100)), .posts(book.copy("9", day: 0))),
        CreditStory(
            "a restore that is signed after the refund adds nothing", 0,
            .posts(book), .notifies("REFUND", book.revoked(100)), .posts(book.copy("9", day: 9))),
        CreditStory(
            "a refund of a period takes its credits and no others", 100,
            .posts(january), .posts(january.copy("8", day: 3)), .posts(february), .notifies("REFUND", february.revoked()),
            .posts(february.copy("9", day: 50))),
        CreditStory(
            "a prorated refund takes its percentage, rounded down", 68,
            .posts(january), .notifies("REFUND", january.revoked(type: "REFUND_PRORATED", percentage: 32_999))),
        CreditStory(
            "a prorated refund without a percentage takes all", 0,
            .posts(january), .notifies("REFUND", january.revoked(type: "REFUND_PRORATED"))),
        CreditStory(
            "a prorated refund of more than all takes all", 0,
            .posts(january), .notifies("REFUND", january.revoked(type: "REFUND_PRORATED", percentage: 200_000))),
        CreditStory(
            "a reversed refund gives back what it took, once", 5,
            .posts(seeds), .notifies("REFUND", seeds.revoked(100)), .notifies("REFUND_REVERSED", seeds.signed(200))),
        CreditStory(
            "a reversed prorated refund gives back what it took", 100,
            .posts(january), .notifies("REFUND", january.revoked(100, type: "REFUND_PRORATED", percentage: 40_000)),
            .notifies("REFUND_REVERSED", january.signed(200))),
        CreditStory(
            "a restore that was revoked with its purchase is no refund of its own after the reversal", 100,
            .posts(book), .notifies("REFUND", book.revoked(100)), .posts(book.copy("9", day: 0).revoked(110)),
            .notifies("REFUND_REVERSED", book.signed(200))),
        CreditStory(
            "refunded, reversed and refunded again is refunded", 0,
            .posts(seeds), .notifies("REFUND", seeds.revoked(100)), .notifies("REFUND_REVERSED", seeds.signed(200)),
            .notifies("REFUND", seeds.revoked(300))),
        CreditStory(
            "what a relative loses takes nothing from the purchaser", 100,
            .posts(january), .notifies("REVOKE", january.again("9").shared().revoked(type: "FAMILY_REVOKE"))),
        CreditStory("a notification alone adds nothing", 0, .notifies("ONE_TIME_CHARGE", seeds), .notifies("DID_RENEW", february)),
    ]
}

extension TransactionPayload {
    func with(_ change: (inout TransactionPayload) -> Void) -> TransactionPayload {
        var copy = self
        change(&copy)
        return copy
    }

    /// Another purchase of the same.
    fileprivate func again(_ id: TransactionID) -> TransactionPayload {
        with {
            $0.transactionId = id
            $0.originalTransactionId = id
        }
    }

    /// Another transaction of the same purchase, as a restore makes it.
    fileprivate func copy(_ id: TransactionID, day: Int64) -> TransactionPayload {
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
