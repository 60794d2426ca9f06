import Foundation
public import PurchaseModel

/// The outcome of a restore.
public enum RestoreOutcome: Hashable, Sendable {
    /// The restore completed; the associated value states which products were delivered.
    case finished(RestoreDifference)
    /// The user canceled the restore.
    case cancelled
    /// The restore failed; the associated values are the error's domain and code and a sentence for the user.
    case failed(domain: String, code: Int, message: String)
}

extension RestoreOutcome {
    /// Creates the outcome for an error of StoreKit: `cancelled`, or `failed` with the error's message.
    init(failure error: NSError) {
        switch PurchaseOutcome(failure: error) {
        case .cancelled: self = .cancelled
        default: self = .failed(domain: error.domain, code: error.code, message: error.localizedDescription)
        }
    }
}

/// The products of a completed restore, grouped by the effect of the restore.
public struct RestoreDifference: Hashable, Sendable {
    /// The delivered products that the vault did not contain before.
    public var gained: [ProductID] = []
    /// The delivered products that the vault already contained.
    public var kept: [ProductID] = []
    /// The products that the user did not choose; their transactions are finished without delivery.
    public var skipped: [ProductID] = []
    /// The chosen products that could not be delivered; their transactions stay in the queue.
    public var undelivered: [ProductID] = []
}
