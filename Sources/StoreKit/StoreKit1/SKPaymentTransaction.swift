public import CStoreKit
public import Foundation
import OpenStoreKit
import PurchaseModel
import Synchronization

/// A transaction in the payment queue, represented by the same object in all its states.
open class SKPaymentTransaction: NSObject, @unchecked Sendable {
    fileprivate struct Values {
        var payment: SKPayment?
        var state = SKPaymentTransactionState.purchasing
        var identifier: String?
        var date: Date?
        var error: (any Error)?
        var original: SKPaymentTransaction?
        var downloads: [SKDownload] = []
    }

    /// The identifier of the payment; set once, before other threads can access the transaction.
    private(set) var id = PaymentID("")
    /// The sequence number of the transaction, which is lower for earlier transactions.
    ///
    /// The number is set once, before other threads can access the transaction.
    private(set) var sequence: Int64 = 0
    private let values = Mutex(Values())
    private let keyed = KeyedValues()

    /// Creates a transaction with default values, for subclasses.
    public override init() {}

    /// Creates the transaction of a payment record.
    ///
    /// - Parameters:
    ///   - record: The device's record of the payment.
    ///   - payment: The payment that the app added; nil for a record of an earlier app session or from the store.
    convenience init(_ record: PaymentQueueRecord, payment: SKPayment? = nil) {
        self.init()
        id = record.id
        sequence = record.sequence
        values.withLock { $0.payment = payment ?? SKPayment(record) }
        update(record)
    }

    /// Creates the object for the property ``original`` of a restored transaction.
    private convenience init(original transaction: RecordedTransaction, of record: PaymentQueueRecord) {
        self.init()
        id = PaymentID("original-\(record.id)")
        sequence = record.sequence
        values.withLock { values in
            values.payment = SKPayment(record)
            values.state = .purchased
            values.fill(from: transaction)
        }
    }

    func update(_ record: PaymentQueueRecord) {
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

    /// The payment that created the transaction.
    open var payment: SKPayment {
        if let payment: SKPayment = keyed["payment"] { return payment }
        return values.withLock { values in
            let payment = values.payment ?? SKPayment()
            values.payment = payment
            return payment
        }
    }
    /// The current state of the transaction.
    open var transactionState: SKPaymentTransactionState { keyed.choice("transactionState") ?? values.withLock { $0.state } }
    /// The store's identifier of the transaction; nil unless the state is `purchased` or `restored`.
    open var transactionIdentifier: String? { keyed["transactionIdentifier"] ?? values.withLock { $0.identifier } }
    /// The date of the purchase or the restore; nil unless the state is `purchased` or `restored`.
    open var transactionDate: Date? { keyed["transactionDate"] ?? values.withLock { $0.date } }
    /// The error of a failed transaction; nil unless the state is `failed`.
    open var error: (any Error)? { keyed["error"] ?? values.withLock { $0.error } }
    /// The transaction of the original purchase; nil unless the state is `restored`.
    open var original: SKPaymentTransaction? { keyed["original"] ?? values.withLock { $0.original } }
    /// The downloads of the content that the store hosts for the product.
    ///
    /// The array is empty when the store hosts no content for the product, and in states other than `purchased` and `restored`.
    open var downloads: [SKDownload] { keyed["downloads"] ?? values.withLock { $0.downloads } }

    /// Overrides the value of the property with the name `key`, for tests; nil removes the override.
    open func setValue(_ value: Any?, forKey key: String) {
        keyed.set(value, forKey: key)
    }
}

extension SKPaymentTransaction.Values {
    fileprivate mutating func fill(from transaction: RecordedTransaction) {
        identifier = transaction.id.rawValue
        date = transaction.date.date
    }
}
