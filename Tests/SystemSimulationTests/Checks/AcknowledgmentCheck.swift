import GRDB
import PurchaseModel
import PurchaseTestSupport

@testable import PurchaseServer
@testable import PurchaseStorage

/// Checks that the store and the server still have everything that they have acknowledged, at any time and not only at the end.
struct AcknowledgmentCheck {
    let world: SimulatedWorld

    func violations() async throws -> [Violation] {
        let lists = world.acknowledgments.lists
        let stored = try await world.store.storedTransactions()
        let server = try await ServerRecords(of: world.server)
        var violations: [Violation] = []
        func expect(_ acknowledged: Set<String>, in stored: Set<String>, _ kind: Violation.Kind) {
            let lost = acknowledged.subtracting(stored)
            if !lost.isEmpty { violations.append(Violation(kind, lost.sorted().joined(separator: ", "))) }
        }
        expect(Set(lists.transactions.map(\.rawValue)), in: Set(stored.map(\.id)), .acknowledgedTransactionLost)
        expect(Set(lists.submissions.map(\.rawValue)), in: server.transactions, .acknowledgedSubmissionLost)
        expect(lists.notifications, in: server.notifications, .acknowledgedNotificationLost)
        expect(lists.acknowledgedDebits, in: Set(server.debits.map(\.key)), .acknowledgedDebitLost)
        expect(Set(lists.seats.keys), in: Set(server.claims.compactMap(\.seatClaimID)), .acknowledgedSeatLost)
        for transaction in stored where transaction.isCharged && lists.payments[transaction.payment ?? ""] == nil {
            // A renewal has no payment.
            if transaction.payment != nil { violations.append(Violation(.chargedWithoutPayment, transaction.id)) }
        }
        for debit in server.debits where lists.debits[debit.key]?.customer != debit.customer {
            violations.append(Violation(.debitWithoutRequest, debit.key))
        }
        return violations
    }
}

/// What a server's storage has, read without the server's code.
struct ServerRecords: Sendable {
    struct Debit: Hashable, Sendable {
        let customer: CustomerID
        let key: String
        /// The balance after the debit.
        let balance: Int64
    }

    /// A claim of a seat.
    struct Claim: Hashable, Sendable {
        let team: TransactionID
        let customer: CustomerID
        /// The store's identifier; nil before the store's answer.
        let seatClaimID: String?
        let state: String
    }

    let transactions: Set<String>
    let notifications: Set<String>
    let debits: [Debit]
    let claims: [Claim]
    /// The credits that refunds wrote off, by customer.
    let writtenOff: [CustomerID: Int64]

    init(of server: SimulatedServer) async throws {
        self = try await server.disk.read(.test) { records in
            guard let records = records as? SQLTransaction else { throw SimulatedStore.NotRunning() }
            return ServerRecords(
                transactions: Set(
                    try records.all("SELECT transaction_id FROM transaction_version WHERE app = ?1") { try $0["transaction_id"] }),
                notifications: Set(try records.all("SELECT uuid FROM notification WHERE app = ?1") { try $0["uuid"] }),
                debits: try records.all("SELECT customer, key, balance FROM ledger_posting WHERE app = ?1 AND kind = 'debit'") {
                    Debit(customer: CustomerID(try $0["customer"] as String), key: try $0["key"], balance: try $0["balance"])
                },
                claims: try records.all("SELECT * FROM seat_claim WHERE app = ?1") {
                    Claim(
                        team: TransactionID(try $0["original_transaction_id"] as String),
                        customer: CustomerID(try $0["customer"] as String), seatClaimID: try $0["seat_claim_id"], state: try $0["state"])
                },
                writtenOff: Dictionary(
                    uniqueKeysWithValues: try records.all(
                        "SELECT customer, sum(written_off) AS amount FROM purchase_credit WHERE app = ?1 GROUP BY customer"
                    ) { (CustomerID(try $0["customer"] as String), try $0["amount"] as Int64) }))
        }
    }

    private init(
        transactions: Set<String>, notifications: Set<String>, debits: [Debit], claims: [Claim], writtenOff: [CustomerID: Int64]
    ) {
        self.transactions = transactions
        self.notifications = notifications
        self.debits = debits
        self.claims = claims
        self.writtenOff = writtenOff
    }
}
