import Crypto
import Foundation
public import PurchaseModel

/// A part of a queue, with the pending work for some of the purchases.
///
/// A queue is read by date, so the purchase can't be its distribution column. A database of several nodes distributes each queue by app and
/// partition, and a process claims the work of one partition at a time.
public enum QueuePartition {
    /// The number of partitions, which never changes because stored rows depend on it.
    public static let count = 16

    /// Returns the partition of a purchase, from 0 to ``count`` - 1.
    public static func number(of purchase: TransactionID) -> Int {
        let first = SHA256.hash(data: Data(purchase.rawValue.utf8)).first { _ in true }
        return Int(first ?? 0) % count
    }

    /// Returns the partitions with due work, in the order of the earliest work.
    ///
    /// - Parameter earliest: Returns the date of a partition's earliest work that is due; nil without due work.
    package static func due(earliest: (Int) throws -> Timestamp?) rethrows -> [Int] {
        try (0..<count).compactMap { partition in try earliest(partition).map { (partition, $0) } }.sorted { $0.1 < $1.1 }.map(\.0)
    }
}
