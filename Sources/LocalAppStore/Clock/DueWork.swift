import GRDB
import PurchaseModel

/// The work of a feature that is due at dates in the store's time, such as the renewals of subscriptions.
protocol DueWork: Sendable {
    /// Returns the date of the feature's first work after a date, or of its first work of all if `date` is nil; nil if there is none.
    ///
    /// The store calls the method before each request, so the query reads an index or a small table.
    func nextDueDate(after date: Timestamp?, _ db: Database) throws -> Timestamp?

    /// Processes the feature's first work, which is due at `date`, as part of a running database transaction.
    func processDue(at date: Timestamp, _ db: Database) throws
}

extension DueWork {
    /// Returns the date of the feature's first work; nil if there is none.
    func nextDueDate(_ db: Database) throws -> Timestamp? { try nextDueDate(after: nil, db) }
}
