import Crypto
import Foundation
import PurchaseModel
import Synchronization

/// The records of a file that name a purchase first, so that later records of the same purchase don't move it.
final class ImportOwners: Sendable {
    /// The record that names a purchase first.
    struct Owner: Sendable {
        /// The number of its first line.
        let line: Int64
        /// The customer that it names; nil for none.
        let customer: CustomerReference?
        /// Whether the record is being processed.
        var isPending = true
    }

    private let owners = Mutex<[OpaqueText: Owner]>([:])

    /// Returns the key of the purchase that a record names, as far as its text shows it; nil for a record without one.
    ///
    /// - Parameter usesIdentifier: Whether identifiers are looked up.
    static func key(of row: ImportRow, usesIdentifier: Bool) -> OpaqueText? {
        if let identifier = row.identifier, usesIdentifier { return key(of: identifier) }
        return row.receipt.map { OpaqueText("receipt \(Hexadecimal.encode(SHA256.hash(data: $0)))") }
    }

    /// Returns the key of a purchase.
    static func key(of purchase: TransactionID) -> OpaqueText { OpaqueText("purchase \(purchase)") }

    /// Takes a purchase for a record, unless another record with a customer has it; returns the other one.
    func take(_ key: OpaqueText, _ customer: CustomerReference?, line: Int64, isPending: Bool = true) -> Owner? {
        owners.withLock { owners in
            // A record without a customer leaves the purchase to a later one, unless the later one has none either.
            if let owner = owners[key], owner.line != line, owner.isPending || owner.customer != nil || customer == nil { return owner }
            owners[key] = Owner(line: line, customer: customer, isPending: isPending)
            return nil
        }
    }

    /// Ends the processing of a record; the purchases of a refused one are free for later records.
    func end(_ keys: [OpaqueText], line: Int64, isRefused: Bool) {
        owners.withLock { owners in
            for key in keys where owners[key]?.line == line {
                if isRefused { owners[key] = nil } else { owners[key]?.isPending = false }
            }
        }
    }
}
