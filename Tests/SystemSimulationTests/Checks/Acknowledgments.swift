import PurchaseModel
import Synchronization

/// What each party has acknowledged to another one, which must never be lost.
final class Acknowledgments: Sendable {
    /// A payment that a device sent to the store.
    struct Payment: Hashable, Sendable {
        let account: Int
        let product: ProductID
    }

    /// A debit that an app requested.
    struct Debit: Hashable, Sendable {
        let customer: CustomerID
        let amount: Int64
    }

    /// A seat that a customer claimed with an invitation of the owner's account.
    struct Seat: Hashable, Sendable {
        let owner: Int
        let customer: CustomerID
    }

    struct Lists: Sendable {
        /// The payments that reached the store, by their identifiers.
        var payments: [String: Payment] = [:]
        /// The transactions with which the store replied to payments.
        var transactions: Set<TransactionID> = []
        /// The transactions of consumables that purchases returned to apps.
        var purchases: [Payment: Set<TransactionID>] = [:]
        /// The number of purchases of each consumable that apps were told to be pending.
        var pending: [Payment: Int] = [:]
        /// The accounts whose pending purchases a parent or the store could decline, at any time, so that they are no promise.
        var decliningAccounts: Set<Int> = []
        /// The transactions that the server acknowledged to apps.
        var submissions: Set<TransactionID> = []
        /// The notifications that the server acknowledged to the store.
        var notifications: Set<String> = []
        /// The debits that apps requested, by their idempotency keys.
        var debits: [String: Debit] = [:]
        /// The keys of the debits that the server acknowledged.
        var acknowledgedDebits: Set<String> = []
        /// The claims of seats that the server acknowledged, by the store's identifiers.
        var seats: [String: Seat] = [:]
        /// The acknowledged claims that no later step could end.
        var keptSeats: Set<String> = []
        /// The accounts whose subscriptions can end or renew with fewer seats, at any time.
        var endingOwners: Set<Int> = []
        /// The tokens of the invitations whose claims have no definite answer.
        var invitationTokens: [Seat: String] = [:]
    }

    private let state = Mutex(Lists())

    var lists: Lists { state.withLock { $0 } }

    func change(_ body: (inout Lists) -> Void) {
        state.withLock { body(&$0) }
    }

    /// Notes that a claim was acknowledged, unless it was acknowledged before: the store may have ended an earlier claim meanwhile.
    func acknowledge(_ claim: String, of seat: Seat) {
        change { lists in
            guard lists.seats[claim] == nil else { return }
            lists.seats[claim] = seat
            if !lists.endingOwners.contains(seat.owner) { lists.keptSeats.insert(claim) }
        }
    }

    /// Notes that a step can end claims of seats.
    ///
    /// - Parameters:
    ///   - owner: The account with the seats; nil for all accounts.
    ///   - customer: The customer with the claim; nil for all customers.
    ///   - isLasting: Whether later claims can end, too.
    func seatsCanEnd(of owner: Int?, for customer: CustomerID? = nil, fromNowOn isLasting: Bool = false) {
        change { lists in
            lists.keptSeats = lists.keptSeats.filter { claim in
                guard let seat = lists.seats[claim] else { return false }
                return owner.map { $0 != seat.owner } ?? false || customer.map { $0 != seat.customer } ?? false
            }
            if isLasting, let owner { lists.endingOwners.insert(owner) }
        }
    }

    /// Notes that an app was promised a purchase: its transaction, or nil for a pending one.
    func promise(_ transaction: TransactionID?, of product: ProductID, to account: Int) {
        guard SimulatedCatalog.consumables.contains(product) else { return }
        change { lists in
            let payment = Payment(account: account, product: product)
            if let transaction {
                lists.purchases[payment, default: []].insert(transaction)
            } else {
                lists.pending[payment, default: 0] += 1
            }
        }
    }
}
