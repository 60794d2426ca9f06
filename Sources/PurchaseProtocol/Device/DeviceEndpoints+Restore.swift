package import Foundation
package import PurchaseModel

extension DeviceEndpoints {
    /// Creates a new transaction for each purchase that can be restored.
    package static let restore = Endpoint<RestoreRequest, RestoreReply>(.post, "/device/v1/restore")
}

/// A customer's request to restore purchases.
package struct RestoreRequest: Codable, Hashable, Sendable {
    /// The idempotency key from the device; a request that is repeated after a lost reply has the same key and creates no more
    /// transactions.
    package var requestID: String
    /// The customer of the developer's server whose purchases the restore is limited to.
    package var appAccountToken: CustomerID?
    /// The application username, not a UUID, that the restore is limited to.
    package var applicationUsername: String?
    /// The end of the previous page (``RestoreReply/paginationToken``); nil for the first page, which creates the transactions.
    package var paginationToken: String?

    /// Creates a request.
    package init(requestID: UUID, appAccountToken: CustomerID?, applicationUsername: String? = nil) {
        self.requestID = requestID.uuidString.lowercased()
        self.appAccountToken = appAccountToken
        self.applicationUsername = applicationUsername
    }
}

/// The transactions that a restore created.
package struct RestoreReply: Codable, Hashable, Sendable {
    /// One new transaction for each restorable purchase, with its original transaction.
    package var transactions: [UnfinishedTransaction]
    /// The end of this page when more pages follow; nil on the last page.
    package var paginationToken: String?

    /// The maximum number of transactions in a reply.
    package static let limit = 500

    /// Creates a reply.
    package init(transactions: [UnfinishedTransaction], paginationToken: String? = nil) {
        self.transactions = transactions
        self.paginationToken = paginationToken
    }
}
