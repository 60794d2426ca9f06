package import Foundation
package import PurchaseModel

extension DeviceEndpoints {
    /// Makes a new transaction for each purchase that can be restored.
    package static let restore = Endpoint<RestoreRequest, RestoreReply>(.post, "/device/v1/restore")
}

/// A customer's wish to have everything restored.
package struct RestoreRequest: Codable, Hashable, Sendable {
    /// Made by the device for this wish; a repeat after a lost reply carries the same and makes no more transactions.
    package var request: String
    /// Limits the restore to purchases of this customer of the developer's server.
    package var appAccountToken: CustomerID?
    /// Limits the restore to purchases with this application username, which is no UUID.
    package var applicationUsername: String?
    /// Where the last page ended (``RestoreReply/next``); nil for the first, which makes the transactions.
    package var after: String?

    /// Creates a request.
    package init(request: UUID, appAccountToken: CustomerID?, applicationUsername: String? = nil) {
        self.request = request.uuidString.lowercased()
        self.appAccountToken = appAccountToken
        self.applicationUsername = applicationUsername
    }
}

/// The transactions that a restore made.
package struct RestoreReply: Codable, Hashable, Sendable {
    /// One new transaction for each restorable purchase, with its original.
    package var transactions: [UnfinishedTransaction]
    /// Where this page ends when there are more; nil on the last.
    package var next: String?

    /// How many transactions a reply holds at most.
    package static let limit = 500

    /// Creates a reply.
    package init(transactions: [UnfinishedTransaction], next: String? = nil) {
        self.transactions = transactions
        self.next = next
    }
}
