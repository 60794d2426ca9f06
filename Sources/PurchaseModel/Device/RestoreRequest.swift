public import Foundation

/// A customer's wish to have everything restored.
public struct RestoreRequest: Codable, Hashable, Sendable {
    /// Made by the device for this wish; a repeat after a lost reply carries the same and makes no more transactions.
    public var request: String
    /// Limits the restore to purchases of this customer of the developer's server.
    public var appAccountToken: CustomerID?
    /// Limits the restore to purchases with this application username, which is no UUID.
    public var applicationUsername: String?
    /// Where the last page ended (``RestoreReply/next``); nil for the first, which makes the transactions.
    public var after: String?

    /// Creates a request.
    public init(request: UUID, appAccountToken: CustomerID?, applicationUsername: String? = nil) {
        self.request = request.uuidString.lowercased()
        self.appAccountToken = appAccountToken
        self.applicationUsername = applicationUsername
    }
}
