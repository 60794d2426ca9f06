import Crypto
import Foundation
import FoundationExtras
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

    private struct State {
        var owners: [OpaqueText: Owner] = [:]
        /// The records that wait for the end of a record that has a purchase.
        var waiting: [OpaqueText: [AsyncStream<Void>.Continuation]] = [:]

        /// Takes a purchase for a record, unless another record has it; returns the other one.
        mutating func take(_ key: OpaqueText, _ customer: CustomerReference?, line: Int64, isPending: Bool) -> Owner? {
            // A record without a customer leaves the purchase to a later one, unless the later one has none either.
            if let owner = owners[key], owner.line != line, owner.isPending || owner.customer != nil || customer == nil { return owner }
            owners[key] = Owner(line: line, customer: customer, isPending: isPending)
            return nil
        }
    }

    private let state = Mutex(State())

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
        state.withLock { $0.take(key, customer, line: line, isPending: isPending) }
    }

    /// Takes the purchases of a record, except those of other records, which it returns.
    ///
    /// The call waits while another record with one of the purchases is processed.
    ///
    /// A waiting record has none of the purchases, so that two records never wait for each other.
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

    /// Ends the processing of a record; the purchases of a refused one are free for later records.
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
