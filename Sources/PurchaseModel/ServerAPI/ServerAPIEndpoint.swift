import FoundationExtras

/// The endpoints of the App Store Server API, for its clients and for the local store.
public enum ServerAPIEndpoint: String, Hashable, Sendable, CaseIterable {
    /// Returns one transaction (status 200 with ``TransactionInfoResponse``).
    case transactionInfo
    /// Returns all transactions of a customer (status 200 with ``HistoryResponse``).
    case transactionHistory
    /// Returns the transactions of a customer, except for finished consumables (status 200 with ``HistoryResponse``).
    case transactionHistoryV1
    /// Returns the status of a customer's subscriptions (status 200 with ``StatusResponse``).
    case subscriptionStatuses
    /// Accepts consumption information as a ``ConsumptionRequest`` (status 202 without a body).
    case sendConsumption
    /// Accepts consumption information as a ``ConsumptionRequestV1`` (status 202 without a body).
    case sendConsumptionV1
    /// Sets the app account token of a purchase, from an ``AppAccountTokenRequest`` (status 200 without a body).
    case setAppAccountToken
    /// Finishes a transaction that was delivered (status 200 without a body).
    case finishTransaction
    /// Returns a customer's app transaction (status 200 with ``AppTransactionInfoResponse``).
    case appTransactionInfo
    /// Returns the transactions of a customer's invoice, in production only (status 200 with ``OrderLookupResponse``).
    case lookUpOrder
    /// Returns a customer's refunds (status 200 with ``RefundHistoryResponse``).
    case refundHistory
    /// Returns a customer's newest refunds (status 200 with ``RefundLookupResponse``).
    case refundHistoryV1
    /// Extends a renewal date, from an ``ExtendRenewalDateRequest`` (status 200 with ``ExtendRenewalDateResponse``).
    case extendRenewalDate
    /// Extends many renewal dates, from a ``MassExtendRenewalDateRequest`` (status 200 with ``MassExtendRenewalDateResponse``).
    case massExtendRenewalDates
    /// Returns the progress of a request to extend many renewal dates (status 200 with ``MassExtendRenewalDateStatusResponse``).
    case massExtensionStatus
    /// Requests a test notification (status 200 with ``SendTestNotificationResponse``).
    case requestTestNotification
    /// Returns the delivery status of a test notification (status 200 with ``CheckTestNotificationResponse``).
    case testNotificationStatus
    /// Returns the notification history, from a ``NotificationHistoryRequest`` (status 200 with ``NotificationHistoryResponse``).
    case notificationHistory
    /// Returns the seats of a group subscription (status 200 with ``GetSeatInfoResponse``).
    case seatInfo
    /// Claims a seat, from a ``ClaimSeatRequest`` (status 200 with ``ClaimSeatResponse``).
    case claimSeat
    /// Releases a claimed seat (status 200 without a body).
    case unclaimSeat
    /// Associates a claimed seat with a member, from an ``AssociateSeatRequest`` (status 200 without a body).
    case associateSeat
    /// Returns the groups of a customer (status 200 with ``GetCustomerGroupsResponse``).
    case customerGroups
    /// Returns the members of a group (status 200 with ``GetGroupMembersResponse``).
    case groupMembers

    /// The HTTP method of an endpoint.
    public enum Method: String, Hashable, Sendable {
        /// Reads a resource; the request has no body.
        case get = "GET"
        /// Performs an action.
        case post = "POST"
        /// Updates a resource.
        case put = "PUT"
        /// Deletes a resource; the request has no body.
        case delete = "DELETE"
    }

    /// The HTTP method of the endpoint.
    public var method: Method {
        switch self {
        case .transactionInfo, .transactionHistory, .transactionHistoryV1, .subscriptionStatuses, .appTransactionInfo, .lookUpOrder,
            .refundHistory, .refundHistoryV1, .massExtensionStatus, .testNotificationStatus, .seatInfo, .customerGroups, .groupMembers:
            .get
        case .finishTransaction, .massExtendRenewalDates, .requestTestNotification, .notificationHistory, .claimSeat, .associateSeat:
            .post
        case .unclaimSeat: .delete
        case .sendConsumption, .sendConsumptionV1, .setAppAccountToken, .extendRenewalDate: .put
        }
    }

    /// The path of the endpoint, with parameters in braces.
    public var template: String {
        switch self {
        case .transactionInfo: "/inApps/v1/transactions/{transactionId}"
        case .transactionHistory: "/inApps/v2/history/{transactionId}"
        case .transactionHistoryV1: "/inApps/v1/history/{transactionId}"
        case .subscriptionStatuses: "/inApps/v1/subscriptions/{transactionId}"
        case .sendConsumption: "/inApps/v2/transactions/consumption/{transactionId}"
        case .sendConsumptionV1: "/inApps/v1/transactions/consumption/{transactionId}"
        case .setAppAccountToken: "/inApps/v1/transactions/{transactionId}/appAccountToken"
        case .finishTransaction: "/inApps/v1/transactions/{transactionId}/finish"
        case .appTransactionInfo: "/inApps/v1/transactions/appTransactions/{transactionId}"
        case .lookUpOrder: "/inApps/v1/lookup/{orderId}"
        case .refundHistory: "/inApps/v2/refund/lookup/{transactionId}"
        case .refundHistoryV1: "/inApps/v1/refund/lookup/{transactionId}"
        case .extendRenewalDate: "/inApps/v1/subscriptions/extend/{transactionId}"
        case .massExtendRenewalDates: "/inApps/v1/subscriptions/extend/mass"
        case .massExtensionStatus: "/inApps/v1/subscriptions/extend/mass/{productId}/{requestIdentifier}"
        case .requestTestNotification: "/inApps/v1/notifications/test"
        case .testNotificationStatus: "/inApps/v1/notifications/test/{testNotificationToken}"
        case .notificationHistory: "/inApps/v1/notifications/history"
        case .seatInfo, .claimSeat: "/groups/v1/transactions/{originalTransactionId}/seats"
        case .unclaimSeat: "/groups/v1/transactions/{originalTransactionId}/seats/{seatClaimId}"
        case .associateSeat: "/groups/v1/transactions/{originalTransactionId}/seats/{seatClaimId}/associate"
        case .customerGroups: "/groups/v1/currentGroups/{transactionId}"
        case .groupMembers: "/groups/v1/group/{groupId}"
        }
    }

    /// Returns whether a path belongs to the App Store Server API.
    public static func owns(path: String) -> Bool {
        ["/inApps/", "/groups/"].contains { path.hasPrefix($0) }
    }

    /// Returns the path of the endpoint with percent-encoded parameters; a parameter without a value becomes empty.
    public func path(_ parameters: [String: String] = [:]) -> String {
        PathTemplate.fill(template, parameters)
    }

    /// The rate limit for an app in production, in requests per second; nil when Apple documents no limit.
    ///
    /// The App Store counts requests by the hour. The rate limit in the sandbox is a tenth of this value.
    public var requestsPerSecond: Int64? {
        switch self {
        case .transactionInfo, .transactionHistory, .transactionHistoryV1, .subscriptionStatuses, .sendConsumption, .sendConsumptionV1,
            .finishTransaction, .appTransactionInfo, .notificationHistory:
            50
        case .setAppAccountToken, .extendRenewalDate: 20
        case .lookUpOrder, .refundHistory, .refundHistoryV1: 10
        case .massExtendRenewalDates, .requestTestNotification, .testNotificationStatus: 1
        case .massExtensionStatus, .seatInfo, .claimSeat, .unclaimSeat, .associateSeat, .customerGroups, .groupMembers: nil
        }
    }
}
