package import Foundation
package import PurchaseModel
package import Wire

extension DeviceEndpoints {
    /// Restores purchases: creates a new transaction for each restorable purchase of the account.
    package static let restore = Endpoint<RestoreRequest, RestoreReply>(.post, "/device/v1/restore")
}

/// A customer's request to restore purchases.
package struct RestoreRequest: Codable, Hashable, Sendable {
    /// The idempotency key of the restore; a request that is repeated after a lost reply has the same key and creates no more transactions.
    package var requestID: String
    /// The customer of the developer's server whose purchases are restored; nil for the purchases of all customers.
    package var appAccountToken: CustomerID?
    /// The application username, other than a UUID, whose purchases are restored; nil for the purchases of all usernames.
    package var applicationUsername: String?
    /// The token of the previous page (``RestoreReply/paginationToken``); nil for the first page, which creates the transactions.
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
    /// The new transactions, one for each restorable purchase, with their original transactions; at most ``limit``.
    package var transactions: [UnfinishedTransaction]
    /// The token for the next page; nil on the last page.
    package var paginationToken: String?

    /// The maximum number of transactions in a reply.
    package static let limit = 500

    /// Creates a reply.
    package init(transactions: [UnfinishedTransaction], paginationToken: String? = nil) {
        self.transactions = transactions
        self.paginationToken = paginationToken
    }
}
