import Foundation
public import PurchaseModel

/// How a restore ended; always exactly one of these.
public enum RestoreOutcome: Hashable, Sendable {
    /// Everything was handed over; what the user chose was delivered, the rest finished at once.
    case finished(RestoreDifference)
    /// The user cancelled.
    case cancelled
    /// The store could not be asked, or refused.
    case failed(domain: String, code: Int, message: String)
}

extension RestoreOutcome {
    /// Tells cancelling from failing: the first has no message.
    init(failure error: NSError) {
        switch PurchaseOutcome(failure: error) {
        case .cancelled: self = .cancelled
        default: self = .failed(domain: error.domain, code: error.code, message: error.localizedDescription)
        }
    }
}

/// What a restore changed.
public struct RestoreDifference: Hashable, Sendable {
    /// Chosen and delivered, and not there before.
    public var gained: [ProductID] = []
    /// Chosen, and there already.
    public var kept: [ProductID] = []
    /// Not chosen; finished at once.
    public var skipped: [ProductID] = []
    /// Chosen, but not delivered; they stay in the queue.
    public var undelivered: [ProductID] = []
}
