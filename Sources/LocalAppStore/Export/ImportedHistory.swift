import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseProtocol

/// A transaction history that an account imports, parsed and sorted.
struct ImportedHistory: Sendable {
    let request: ImportHistoryRequest
    /// The transactions without those of Family Sharing, oldest first.
    let transactions: [ImportedTransaction]
    /// The number of Family Sharing transactions, which are not imported.
    let sharedCount: Int
    /// The newest renewal info of each subscription, by original transaction identifier.
    let renewalInfos: [TransactionID: RenewalInfoPayload]
    /// The number of transactions, including Family Sharing transactions, that the App Store signed.
    let verifiedCount: Int

    /// Parses a transaction history; transactions without a valid signature of the App Store are accepted and only not counted as verified.
    ///
    /// - Throws: ``ImportError/invalidHistory(_:)`` if the history is empty or a part of it is invalid.
    init(_ request: ImportHistoryRequest) async throws {
        self.request = request
        guard !request.signedTransactions.isEmpty else { throw ImportError.invalidHistory(.empty) }
        var transactions: [ImportedTransaction] = []
        var verifiedCount = 0
        for (index, signed) in request.signedTransactions.enumerated() {
            let transaction = try ImportedTransaction(signed, index: index)
            transactions.append(transaction)
            let verifier = SignedDataVerifier(
                roots: .apple, bundleID: transaction.payload.bundleId, environments: [.production, .sandbox])
            if (try? await verifier.verify(signed)) != nil { verifiedCount += 1 }
        }
        sharedCount = transactions.count(where: \.isShared)
        self.transactions = transactions.filter { !$0.isShared }.sorted { first, second in
            (first.payload.purchaseDate, first.isFirst ? 0 : 1, first.index)
                < (second.payload.purchaseDate, second.isFirst ? 0 : 1, second.index)
        }
        self.verifiedCount = verifiedCount
        renewalInfos = try Self.renewalInfos(request.signedRenewalInfos ?? [])
    }

    private static func renewalInfos(_ signed: [SignedRenewalInfo]) throws -> [TransactionID: RenewalInfoPayload] {
        var newest: [TransactionID: RenewalInfoPayload] = [:]
        for (index, signed) in signed.enumerated() {
            guard let jws = try? UnverifiedJWS(signed.compact),
                let info = try? WireJSON.decode(RenewalInfoPayload.self, from: Data(jws.payload))
            else { throw ImportError.invalidHistory(.malformedJWS(list: "signedRenewalInfos", index: index)) }
            // The store will schedule an event at the end of the billing grace period, so the date must be in the store's time range.
            guard info.gracePeriodExpiresDate.map({ StoreTime.range.contains($0) }) ?? true else {
                throw ImportError.invalidHistory(.malformedJWS(list: "signedRenewalInfos", index: index))
            }
            guard newest[info.originalTransactionId].map({ $0.signedDate < info.signedDate }) ?? true else { continue }
            newest[info.originalTransactionId] = info
        }
        return newest
    }
}

extension ImportedTransaction {
    /// Whether the transaction is the original transaction of its purchase.
    var isFirst: Bool { payload.transactionId == payload.originalTransactionId }
}
