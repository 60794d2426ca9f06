/// A broken promise that a simulation found.
struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// The promise.
    enum Kind: String, Sendable {
        case acknowledgedTransactionLost = "the store lost a transaction that it acknowledged"
        case acknowledgedSubmissionLost = "the server lost a purchase that it acknowledged"
        case acknowledgedNotificationLost = "the server lost a notification that it acknowledged"
        case acknowledgedDebitLost = "the server lost a debit that it acknowledged"
        case chargedWithoutPayment = "the store charged a transaction without a payment"
        case wrongCharge = "the store charged or refunded another amount than the price or the refunded share"
        case promisedPaymentLost = "a payment that the app was promised was not charged"
        case acknowledgedSeatLost = "a customer lost a claimed seat without a reason"
        case debitWithoutRequest = "the server has a debit that no app requested"
        case wrongOutcome = "the server's purchases, entitlements or balances differ from the store's records"
        case wrongBalance = "a balance differs from the credits less the debits"
        case wrongSeats = "the seats of the store, or the members that the store and the server list, do not agree"
        case lockedOut = "a purchaser lost a subscription although some seats of its period were not refunded"
        case wrongEvents = "the events of the server do not add up to its answers"
        case wrongPolicy = "a refund or a debit had another effect than the refund policy states"
        case unbalancedLedger = "the ledger is not balanced"
        case wrongView = "an app shows other purchases or another balance than the customer has"
        case unfinished = "an app has a transaction that it can't finish"
        case unfinishedInStore = "the store has a transaction that no device finished"
        case openDebit = "an app has a debit without an end"
        case failed = "the simulation could not go on"
    }

    let kind: Kind
    let details: String

    init(_ kind: Kind, _ details: String = "") {
        self.kind = kind
        self.details = details
    }

    var description: String { "\(kind.rawValue): \(details)" }
}
