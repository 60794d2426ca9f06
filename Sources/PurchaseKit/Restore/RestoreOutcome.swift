import Foundation
public import PurchaseModel

/// The outcome of a restore.
public enum RestoreOutcome: Hashable, Sendable {
    /// The restore completed: the chosen products were delivered, and the others were finished.
    case finished(RestoreDifference)
    /// The user canceled.
    case cancelled
    /// The store could not be reached, or refused the restore.
    case failed(domain: String, code: Int, message: String)
}

extension RestoreOutcome {
    /// Creates the outcome of an error: canceled, or failed with a message.
    init(failure error: NSError) {
        switch PurchaseOutcome(failure: error) {
        case .cancelled: self = .cancelled
        default: self = .failed(domain: error.domain, code: error.code, message: error.localizedDescription)
        }
    }
}

/// The changes of a restore, as products.
public struct RestoreDifference: Hashable, Sendable {
    /// The delivered products that the vault did not contain before.
    public var gained: [ProductID] = []
    /// The delivered products that the vault already contained.
    public var kept: [ProductID] = []
    /// The products that the user did not choose; their transactions are finished.
    public var skipped: [ProductID] = []
    /// The chosen products that could not be delivered; their transactions stay in the queue.
    public var undelivered: [ProductID] = []
}
