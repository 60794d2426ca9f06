import Foundation
import FoundationExtras
import ProcessTestSupport
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import ServerProtocol
import Testing
import Wire
import WireClient

/// A request that changes a customer's balance. A repeated request must change nothing more.
struct LoadRequest: Sendable {
    enum Kind: Sendable {
        case purchase(SignedTransaction)
        case notification(SignedNotification)
        case debit
        case grant
    }

    let kind: Kind
    let customer: CustomerID
    /// The idempotency key, or the identifier of the transaction.
    let key: String
    /// The change of the balance.
    let amount: Int64

    /// Returns the request of an app that submits a purchase of credits.
    static func purchase(_ payload: TransactionPayload) throws -> LoadRequest {
        let transaction: SignedTransaction = try TestAuthority.shared.signedData.sign(payload)
        return LoadRequest(
            kind: .purchase(transaction), customer: payload.appAccountToken ?? CustomerID(UUID()), key: payload.transactionId.rawValue,
            amount: Int64(5 * payload.quantity))
    }

    /// The posting that the request must make, once.
    var posting: Posting {
        switch kind {
        case .purchase, .notification: Posting(kind: "purchase", key: "\(key) transaction:\(key)", amount: amount)
        case .debit: Posting(kind: "debit", key: key, amount: amount)
        case .grant: Posting(kind: "grant", key: key, amount: amount)
        }
    }

    /// Sends the request, and returns whether the server states that it knew the request; nil if the response states nothing about that.
    func send(to backend: ServerBackend) async throws -> Bool? {
        switch kind {
        case .purchase(let transaction):
            return try await backend.submit(transaction).isKnown
        case .notification(let signed):
            _ = try await backend.call(ServerEndpoints.notifications, NotificationRequest(signedPayload: signed))
            return nil
        case .debit:
            return try await backend.call(ServerEndpoints.debit, DebitRequest(idempotencyKey: key, amount: -amount), customer).isRepeated
        case .grant:
            return try await backend.call(ServerEndpoints.creditGrant, DebitRequest(idempotencyKey: key, amount: amount), customer)
                .isRepeated
        }
    }
}

extension TransactionPayload {
    /// Creates the purchase of a consumable with five credits for a customer.
    static func credits(_ id: TransactionID, quantity: Int, of customer: CustomerID) -> TransactionPayload {
        var payload = sample(id: id, product: "com.example.monkeyshop.credits5", quantity: quantity)
        payload.type = ProductType.consumable.rawValue
        payload.appAccountToken = customer
        return payload
    }
}

/// A posting of a customer's statement.
struct Posting: Hashable {
    let kind: String
    let key: String
    let amount: Int64
}

/// Random requests for a few new customers, some of which are sent twice at the same time.
struct ServerLoad: Sendable {
    /// The credits of each customer at the start, so that no debit is refused.
    static let start: Int64 = 10_000

    let customers: [CustomerID]
    /// The first request of each customer, which grants ``start``.
    let grants: [LoadRequest]
    let requests: [LoadRequest]

    /// Creates a load.
    ///
    /// - Parameter name: A number that no other load of the server has, of which the identifiers consist.
    init(_ count: Int, name: Int, using random: inout SeededRandom) throws {
        let customers = (0..<3).map { _ in CustomerID(UUID()) }
        self.customers = customers
        grants = customers.map { LoadRequest(kind: .grant, customer: $0, key: "start", amount: Self.start) }
        var requests: [LoadRequest] = []
        for number in 0..<count {
            let customer = customers.randomElement(using: &random) ?? customers[0]
            let quantity = Int.random(in: 1...10, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                requests.append(LoadRequest(kind: .debit, customer: customer, key: "\(number)", amount: -Int64(quantity)))
            case 1:
                requests.append(LoadRequest(kind: .grant, customer: customer, key: "\(number)", amount: Int64(quantity)))
            case let kind:
                let payload = TransactionPayload.credits(
                    TransactionID("\(9_000_000_000 + name * 10_000 + number)"), quantity: quantity, of: customer)
                let purchase = try LoadRequest.purchase(payload)
                guard case .purchase(let transaction) = purchase.kind else { continue }
                let notification = NotificationPayload.sample(
                    type: "ONE_TIME_CHARGE", uuid: UUID().uuidString, transaction: transaction, renewalInfo: nil, date: payload.signedDate)
                let notified = LoadRequest(
                    kind: .notification(try TestAuthority.shared.signedData.sign(notification)), customer: customer, key: purchase.key,
                    amount: purchase.amount)
                // The app, the App Store or both report the purchase.
                if kind != 2 { requests.append(purchase) }
                if kind != 3 { requests.append(notified) }
            }
            if Int.random(in: 0..<4, using: &random) == 0, let last = requests.last { requests.append(last) }
        }
        self.requests = requests
    }

    /// The postings that all requests of a customer make together.
    func postings(of customer: CustomerID) -> Set<Posting> {
        Set((grants + requests).filter { $0.customer == customer }.map(\.posting))
    }
}

extension ServerBackend {
    /// Returns a page of the feed, and waits up to two seconds for the first event.
    func events(after cursor: String) async throws -> (events: [FeedEvent], next: String) {
        let page = try await wire.call(
            ServerEndpoints.events, Empty(), query: ["after": cursor, "limit": "500", "wait": "2"], headers: [:], token: key)
        return (try page.events.map { try WireJSON.decode(FeedEvent.self, from: Data($0.bytes)) }, page.nextCursor)
    }

    /// Returns all postings of a customer, and expects that they add up to the balance.
    func postings(of customer: CustomerID) async throws -> [Posting] {
        var postings: [Posting] = []
        var before: Int64?
        repeat {
            var query = ["limit": "200"]
            query["before"] = before.map { "\($0)" }
            let page = try await wire.call(
                ServerEndpoints.statement, Empty(), query: query, headers: [ServerHeader.customer: customer.rawValue], token: key)
            for posting in page.postings {
                #expect(posting.entries.map(\.amount).reduce(0, +) == 0)
                postings.append(Posting(kind: posting.kind, key: posting.key, amount: posting.amount))
            }
            before = page.nextBefore
        } while before != nil
        #expect(try await balance(of: customer) == postings.map(\.amount).reduce(0, +))
        return postings
    }
}
