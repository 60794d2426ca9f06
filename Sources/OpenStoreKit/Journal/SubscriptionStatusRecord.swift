import Foundation
import PrivateFiles
import PurchaseModel
import StoreProtocol

/// The status of a subscription in the journal's format: JSON in the column `status`.
struct SubscriptionStatusRecord: StoredRecord {
    static let currentVersion = 1

    let version: Int
    let groupID: SubscriptionGroupID
    /// The number of the status, as in the App Store Server API: 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
    let status: Int
    let signedTransaction: SignedTransaction
    let signedRenewalInfo: SignedRenewalInfo
}

extension SubscriptionStatusRecord {
    init(_ status: HistoryReply.Status) {
        version = Self.currentVersion
        groupID = status.group
        self.status = status.status
        signedTransaction = status.signedTransaction
        signedRenewalInfo = status.signedRenewalInfo
    }

    func value() throws -> HistoryReply.Status {
        try checkVersion()
        return HistoryReply.Status(
            group: groupID, status: status, signedTransaction: signedTransaction, signedRenewalInfo: signedRenewalInfo)
    }
}
