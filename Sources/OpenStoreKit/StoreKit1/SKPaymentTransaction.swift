public import Foundation
import PurchaseModel
import Synchronization

/// One entry of the payment queue: the same object through all its states.
open class SKPaymentTransaction: NSObject, @unchecked Sendable {
    fileprivate struct Values {
        var state = SKPaymentTransactionState.purchasing
        var identifier: String?
        var date: Date?
        var error: (any Error)?
        var original: SKPaymentTransaction?
        var signed: SignedTransaction?
    }

    let id: PaymentID
    /// The order in which transactions came; smaller is earlier.
    let sequence: Int64
    private let storedPayment: SKPayment
    private let values = Mutex(Values())

    /// Creates a transaction without content, for subclasses.
    public override init() {
        id = PaymentID("")
        sequence = 0
        storedPayment = SKPayment(SKPayment.Values())
    }

    init(_ record: PaymentRecord) {
        id = record.id
        sequence = record.sequence
        storedPayment = SKPayment(record)
        super.init()
        update(record)
    }

    /// The first transaction of a purchase, attached to the one that restores it.
    private init(original transaction: RecordedTransaction, of record: PaymentRecord) {
        id = PaymentID("original-\(record.id)")
        sequence = record.sequence
        storedPayment = SKPayment(record)
        super.init()
        values.withLock { values in
            values.state = .purchased
            values.fill(from: transaction)
        }
    }

    func update(_ record: PaymentRecord) {
        values.withLock { values in
            switch record.state {
            case .queued, .confirmed, .finished:
                values.state = record.transactionID == nil ? .purchasing : values.state
            case .deferred:
                values.state = .deferred
            case .failed(let failure):
                values.state = .failed
                values.error = failure.error
            case .purchased(let transaction):
                values.state = .purchased
                values.fill(from: transaction)
            case .restored(let transaction, let original):
                values.state = .restored
                values.fill(from: transaction)
                values.original = SKPaymentTransaction(original: original, of: record)
            }
        }
    }

    /// The wish that it answers.
    open var payment: SKPayment { storedPayment }
    /// Where it stands.
    open var transactionState: SKPaymentTransactionState { values.withLock { $0.state } }
    /// The store's identifier; nil unless purchased or restored.
    open var transactionIdentifier: String? { values.withLock { $0.identifier } }
    /// When it was purchased, or restored.
    open var transactionDate: Date? { values.withLock { $0.date } }
    /// Why it failed.
    open var error: (any Error)? { values.withLock { $0.error } }
    /// The first transaction, for a restored one.
    open var original: SKPaymentTransaction? { values.withLock { $0.original } }

    /// The transaction as the store signed it, for whoever wants to verify it; nil unless purchased or restored.
    ///
    /// StoreKit 1 has no such member on Apple's platforms; there, StoreKit 2's `VerificationResult.jwsRepresentation` of the same
    /// transaction is the same text.
    public var jwsRepresentation: String? { values.withLock { $0.signed?.compact } }
}

extension SKPaymentTransaction.Values {
    fileprivate mutating func fill(from transaction: RecordedTransaction) {
        identifier = transaction.id.rawValue
        date = transaction.date.date
        signed = transaction.signed
    }
}
