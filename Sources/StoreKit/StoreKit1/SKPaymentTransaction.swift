public import CStoreKit
public import Foundation
import OpenStoreKit
import PurchaseModel
import Synchronization

/// A transaction in the payment queue; the object stays the same through all states.
open class SKPaymentTransaction: NSObject, @unchecked Sendable {
    fileprivate struct Values {
        var payment: SKPayment?
        var state = SKPaymentTransactionState.purchasing
        var identifier: String?
        var date: Date?
        var error: (any Error)?
        var original: SKPaymentTransaction?
        var signed: SignedTransaction?
        var downloads: [SKDownload] = []
    }

    /// Set once, before other threads can access the transaction.
    private(set) var id = PaymentID("")
    /// The position in the order of transactions; a smaller number is earlier.
    ///
    /// Set once, before other threads can access the transaction.
    private(set) var sequence: Int64 = 0
    private let values = Mutex(Values())
    private let keyed = KeyedValues()

    /// Creates a transaction without content, for subclasses.
    public override init() {}

    /// Creates the transaction of a record, with the payment that the app added in this app session, if any.
    convenience init(_ record: PaymentRecord, payment: SKPayment? = nil) {
        self.init()
        id = record.id
        sequence = record.sequence
        values.withLock { $0.payment = payment ?? SKPayment(record) }
        update(record)
    }

    /// Creates the original transaction of a restored transaction.
    private convenience init(original transaction: RecordedTransaction, of record: PaymentRecord) {
        self.init()
        id = PaymentID("original-\(record.id)")
        sequence = record.sequence
        values.withLock { values in
            values.payment = SKPayment(record)
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

    func set(downloads: [SKDownload]) {
        values.withLock { $0.downloads = downloads }
    }

    /// The payment of the transaction.
    open var payment: SKPayment {
        if let payment: SKPayment = keyed["payment"] { return payment }
        return values.withLock { values in
            let payment = values.payment ?? SKPayment()
            values.payment = payment
            return payment
        }
    }
    /// The current state.
    open var transactionState: SKPaymentTransactionState { keyed.choice("transactionState") ?? values.withLock { $0.state } }
    /// The store's identifier; nil unless purchased or restored.
    open var transactionIdentifier: String? { keyed["transactionIdentifier"] ?? values.withLock { $0.identifier } }
    /// The date of the purchase or the restore.
    open var transactionDate: Date? { keyed["transactionDate"] ?? values.withLock { $0.date } }
    /// The error of a failure.
    open var error: (any Error)? { keyed["error"] ?? values.withLock { $0.error } }
    /// The original transaction of a restored transaction.
    open var original: SKPaymentTransaction? { keyed["original"] ?? values.withLock { $0.original } }
    /// The downloads of the product's hosted content; empty without content, or unless purchased or restored.
    open var downloads: [SKDownload] { keyed["downloads"] ?? values.withLock { $0.downloads } }

    /// Sets the value of a property by its name, for tests.
    open func setValue(_ value: Any?, forKey key: String) {
        keyed.set(value, forKey: key)
    }

    /// The signed transaction as a compact JWS; nil unless purchased or restored.
    package var jwsRepresentation: String? { values.withLock { $0.signed?.compact } }
}

extension SKPaymentTransaction.Values {
    fileprivate mutating func fill(from transaction: RecordedTransaction) {
        identifier = transaction.id.rawValue
        date = transaction.date.date
        signed = transaction.signed
    }
}
