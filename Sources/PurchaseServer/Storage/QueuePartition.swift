import Crypto
import Foundation
public import PurchaseModel

/// The part of a queue in which the work about a purchase waits.
///
/// A queue is read by date, so that its purchases alone don't distribute it. A database of several nodes distributes each queue by app and
/// partition; a process can read the partitions one by one.
public enum QueuePartition {
    /// The number of partitions; stored rows depend on it, so it never changes.
    public static let count = 16

    /// Returns the partition of a purchase, from 0 to ``count`` - 1.
    public static func number(of purchase: TransactionID) -> Int {
        let first = SHA256.hash(data: Data(purchase.rawValue.utf8)).first { _ in true }
        return Int(first ?? 0) % count
    }
}
