import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseProtocol

/// A customer's transaction history, parsed and sorted.
struct ImportedHistory: Sendable {
    let request: ImportHistoryRequest
    /// The customer's transactions, oldest first.
    let transactions: [ImportedTransaction]
    /// The number of transactions from Family Sharing.
    let sharedCount: Int
    /// The newest renewal info of each subscription.
    let renewalInfos: [TransactionID: RenewalInfoPayload]
    /// The number of transactions, including skipped ones, whose App Store signature was verified.
    let verifiedCount: Int

    /// Parses a history; the signatures are counted, but not required.
    init(_ request: ImportHistoryRequest) async throws {
        self.request = request
        guard !request.signedTransactions.isEmpty else { throw StoreError.invalidHistory(.empty) }
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
            else { throw StoreError.invalidHistory(.malformedJWS(list: "signedRenewalInfos", index: index)) }
            // The date becomes the end of a billing grace period, at which the store schedules an event.
            guard info.gracePeriodExpiresDate.map({ StoreTime.range.contains($0) }) ?? true else {
                throw StoreError.invalidHistory(.malformedJWS(list: "signedRenewalInfos", index: index))
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
