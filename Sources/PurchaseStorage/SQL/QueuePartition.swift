import Crypto
import Foundation
public import PurchaseModel

/// A part of a queue, with the pending entries for some of the purchases.
///
/// Queries read a queue by date, so the purchase can't be the queue's distribution column. A database of several nodes distributes each
/// queue by app and partition, and a process claims the entries of one partition at a time.
public enum QueuePartition {
    /// The number of partitions, which never changes because stored rows depend on it.
    public static let count = 16

    /// Returns the partition of a purchase, from 0 to ``count`` - 1.
    public static func number(of purchase: TransactionID) -> Int {
        let first = SHA256.hash(data: Data(purchase.rawValue.utf8)).first { _ in true }
        return Int(first ?? 0) % count
    }

    /// Returns the partitions with due entries, in the order of their earliest entries.
    ///
    /// - Parameter earliest: Returns the date of a partition's earliest due entry; nil without due entries.
    package static func due(earliest: (Int) throws -> Timestamp?) rethrows -> [Int] {
        try (0..<count).compactMap { partition in try earliest(partition).map { (partition, $0) } }.sorted { $0.1 < $1.1 }.map(\.0)
    }
}
