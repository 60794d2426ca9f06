import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseProtocol

/// A customer's past, read and in order.
struct ImportedHistory: Sendable {
    let request: HistoryRequest
    /// What the customer bought, the oldest first.
    let transactions: [ImportedTransaction]
    /// How many transactions a relative shares.
    let shared: Int
    /// The newest statement about each subscription.
    let renewalInfos: [TransactionID: RenewalInfoPayload]
    /// How many statements the App Store signed.
    let genuine: Int

    /// Reads what was sent; who signed it is only counted.
    init(_ request: HistoryRequest) async throws {
        self.request = request
        guard !request.signedTransactions.isEmpty else { throw StoreError.historyUnusable(.empty) }
        var transactions: [ImportedTransaction] = []
        var genuine = 0
        for (index, signed) in request.signedTransactions.enumerated() {
            let transaction = try ImportedTransaction(signed, index: index)
            transactions.append(transaction)
            let verifier = SignedDataVerifier(
                roots: .apple, bundleID: transaction.payload.bundleId, environments: [.production, .sandbox])
            if (try? await verifier.verify(signed)) != nil { genuine += 1 }
        }
        shared = transactions.count(where: \.isShared)
        self.transactions = transactions.filter { !$0.isShared }.sorted { first, second in
            (first.payload.purchaseDate, first.isFirst ? 0 : 1, first.index)
                < (second.payload.purchaseDate, second.isFirst ? 0 : 1, second.index)
        }
        self.genuine = genuine
        renewalInfos = try Self.renewalInfos(request.signedRenewalInfos ?? [])
    }

    private static func renewalInfos(_ signed: [SignedRenewalInfo]) throws -> [TransactionID: RenewalInfoPayload] {
        var newest: [TransactionID: RenewalInfoPayload] = [:]
        for (index, signed) in signed.enumerated() {
            guard let jws = try? UnverifiedJWS(signed.compact),
                let info = try? WireJSON.decode(RenewalInfoPayload.self, from: Data(jws.payload))
            else { throw StoreError.historyUnusable(.unreadable(list: "signedRenewalInfos", index: index)) }
            // It becomes the end of a grace period, by which the store's work goes.
            guard info.gracePeriodExpiresDate.map({ StoreTime.range.contains($0) }) ?? true else {
                throw StoreError.historyUnusable(.unreadable(list: "signedRenewalInfos", index: index))
            }
            guard newest[info.originalTransactionId].map({ $0.signedDate < info.signedDate }) ?? true else { continue }
            newest[info.originalTransactionId] = info
        }
        return newest
    }
}

extension ImportedTransaction {
    /// Whether it is the first transaction of its purchase.
    var isFirst: Bool { payload.transactionId == payload.originalTransactionId }
}
