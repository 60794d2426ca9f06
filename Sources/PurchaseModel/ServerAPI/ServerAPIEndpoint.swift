/// The endpoints of the App Store Server API, for its clients and for the local store.
public enum ServerAPIEndpoint: String, Hashable, Sendable, CaseIterable {
    /// Returns one transaction; 200 with ``TransactionInfoResponse``.
    case transactionInfo
    /// Returns all transactions of a customer; 200 with ``HistoryResponse``.
    case transactionHistory
    /// Returns the transactions of a customer, except for finished consumables; 200 with ``HistoryResponse``.
    case transactionHistoryV1
    /// Returns the status of a customer's subscriptions; 200 with ``StatusResponse``.
    case subscriptionStatuses
    /// Accepts a ``ConsumptionRequest``; 202 without a body.
    case sendConsumption
    /// Accepts a ``ConsumptionRequestV1``; 202 without a body.
    case sendConsumptionV1
    /// Accepts an ``AppAccountTokenRequest``; 200 without a body.
    case setAppAccountToken
    /// Finishes a transaction, which was delivered; 200 without a body.
    case finishTransaction
    /// Returns a customer's app transaction; 200 with ``AppTransactionInfoResponse``.
    case appTransactionInfo
    /// Returns the transactions of a customer's invoice, in production only; 200 with ``OrderLookupResponse``.
    case lookUpOrder
    /// Returns a customer's refunds; 200 with ``RefundHistoryResponse``.
    case refundHistory
    /// Returns a customer's newest refunds; 200 with ``RefundLookupResponse``.
    case refundHistoryV1
    /// Accepts an ``ExtendRenewalDateRequest``; 200 with ``ExtendRenewalDateResponse``.
    case extendRenewalDate
    /// Accepts a ``MassExtendRenewalDateRequest``; 200 with ``MassExtendRenewalDateResponse``.
    case massExtendRenewalDates
    /// Returns the progress of renewal date extensions; 200 with ``MassExtendRenewalDateStatusResponse``.
    case massExtensionStatus
    /// Requests a test notification; 200 with ``SendTestNotificationResponse``.
    case requestTestNotification
    /// Returns the delivery status of a test notification; 200 with ``CheckTestNotificationResponse``.
    case testNotificationStatus
    /// Accepts a ``NotificationHistoryRequest``; 200 with ``NotificationHistoryResponse``.
    case notificationHistory

    /// The HTTP method of an endpoint.
    public enum Method: String, Hashable, Sendable {
        /// A read, without a body.
        case get = "GET"
        /// An action.
        case post = "POST"
        /// An update.
        case put = "PUT"
    }

    /// The HTTP method.
    public var method: Method {
        switch self {
        case .transactionInfo, .transactionHistory, .transactionHistoryV1, .subscriptionStatuses, .appTransactionInfo, .lookUpOrder,
            .refundHistory, .refundHistoryV1, .massExtensionStatus, .testNotificationStatus:
            .get
        case .finishTransaction, .massExtendRenewalDates, .requestTestNotification, .notificationHistory: .post
        case .sendConsumption, .sendConsumptionV1, .setAppAccountToken, .extendRenewalDate: .put
        }
    }

    /// The path, with parameters in braces.
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
        }
    }

    /// The path with percent-encoded parameters; a parameter without a value becomes empty.
    public func path(_ parameters: [String: String] = [:]) -> String {
        PathTemplate.fill(template, parameters)
    }

    /// The rate limit of an app in production, in requests per second, counted by the hour; nil when Apple documents no limit.
    ///
    /// The sandbox's limit is a tenth.
    public var requestsPerSecond: Int64? {
        switch self {
        case .transactionInfo, .transactionHistory, .transactionHistoryV1, .subscriptionStatuses, .sendConsumption, .sendConsumptionV1,
            .finishTransaction, .appTransactionInfo, .notificationHistory:
            50
        case .setAppAccountToken, .extendRenewalDate: 20
        case .lookUpOrder, .refundHistory, .refundHistoryV1: 10
        case .massExtendRenewalDates, .requestTestNotification, .testNotificationStatus: 1
        case .massExtensionStatus: nil
        }
    }
}
