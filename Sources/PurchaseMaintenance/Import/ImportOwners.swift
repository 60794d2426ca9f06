import Crypto
import Foundation
import FoundationExtras
import PurchaseModel
import PurchaseServer
import Synchronization

/// Assigns each purchase to one record of a file, so that later records do not move the purchase to another customer.
final class ImportOwners: Sendable {
    /// The record of the file to which a purchase is assigned.
    struct Owner: Sendable {
        /// The line number in the file at which the record begins, counted from 1.
        let line: Int64
        /// The customer in the record; nil for a record without a customer.
        let customer: CustomerReference?
        /// Whether the record is being processed.
        var isPending = true
    }

    private struct State {
        var owners: [OpaqueText: Owner] = [:]
        /// The records that wait until an earlier record with the same purchase is processed, by the key of the purchase.
        var waiting: [OpaqueText: [AsyncStream<Void>.Continuation]] = [:]

        /// Assigns a purchase to a record, or returns the other record to which the purchase is assigned.
        mutating func take(_ key: OpaqueText, _ customer: CustomerReference?, line: Int64, isPending: Bool) -> Owner? {
            // The purchase of a processed record without a customer can be assigned to a later record with a customer.
            if let owner = owners[key], owner.line != line, owner.isPending || owner.customer != nil || customer == nil { return owner }
            owners[key] = Owner(line: line, customer: customer, isPending: isPending)
            return nil
        }
    }

    private let state = Mutex(State())

    /// Returns the key of the purchase of a record, from the identifier or the receipt in the record; nil for a record without a usable
    /// proof.
    ///
    /// - Parameter usesIdentifier: Whether the import looks up identifiers at the App Store.
    static func key(of row: ImportRow, usesIdentifier: Bool) -> OpaqueText? {
        if let identifier = row.identifier, usesIdentifier { return key(of: identifier) }
        return row.receipt.map { OpaqueText("receipt \(Hexadecimal.encode(SHA256.hash(data: $0)))") }
    }

    /// Returns the key of a purchase.
    static func key(of purchase: TransactionID) -> OpaqueText { OpaqueText("purchase \(purchase)") }

    /// Assigns a purchase to a record, or returns the other record to which the purchase is assigned.
    func take(_ key: OpaqueText, _ customer: CustomerReference?, line: Int64, isPending: Bool = true) -> Owner? {
        state.withLock { $0.take(key, customer, line: line, isPending: isPending) }
    }

    /// Assigns purchases to a record, and returns the other records to which some of these purchases are assigned.
    ///
    /// The call waits while another record with one of the purchases is processed.
    ///
    /// The purchases are assigned after the wait, so that two records never wait for each other.
    ///
    /// - Throws: `CancellationError`.
    func take(_ keys: [OpaqueText], _ customer: CustomerReference?, line: Int64) async throws -> [Owner] {
        while true {
            try Task.checkCancellation()
            let (end, continuation) = AsyncStream.makeStream(of: Void.self)
            let others = state.withLock { state -> [Owner]? in
                for key in keys {
                    guard let owner = state.owners[key], owner.line != line, owner.isPending else { continue }
                    state.waiting[key, default: []].append(continuation)
                    return nil
                }
                var others: [Owner] = []
                for key in keys {
                    if let owner = state.take(key, customer, line: line, isPending: true) { others.append(owner) }
                }
                return others
            }
            if let others { return others.sorted { $0.line < $1.line } }
            for await _ in end {}
        }
    }

    /// Ends the processing of a record; the purchases of a refused record can be assigned to later records.
    func end(_ keys: [OpaqueText], line: Int64, isRefused: Bool) {
        let waiting = state.withLock { state -> [AsyncStream<Void>.Continuation] in
            var waiting: [AsyncStream<Void>.Continuation] = []
            for key in keys where state.owners[key]?.line == line {
                if isRefused { state.owners[key] = nil } else { state.owners[key]?.isPending = false }
                waiting += state.waiting.removeValue(forKey: key) ?? []
            }
            return waiting
        }
        for continuation in waiting { continuation.finish() }
    }
}
