/// The endpoints of the App Store Server API: what a client calls and the local store answers.
public enum ServerAPIEndpoint: String, Hashable, Sendable, CaseIterable {
    /// One transaction; 200 with ``TransactionInfoResponse``.
    case transactionInfo
    /// A customer's transactions, all of them; 200 with ``HistoryResponse``.
    case transactionHistory
    /// A customer's transactions without consumables that were finished; 200 with ``HistoryResponse``.
    case transactionHistoryV1
    /// A customer's subscriptions; 200 with ``StatusResponse``.
    case subscriptionStatuses
    /// Takes a ``ConsumptionRequest``; 202 without a body.
    case sendConsumption
    /// Takes a ``ConsumptionRequestV1``; 202 without a body.
    case sendConsumptionV1
    /// Takes an ``AppAccountTokenRequest``; 200 without a body.
    case setAppAccountToken
    /// Says that a purchase was delivered; 200 without a body.
    case finishTransaction
    /// How a customer came by the app; 200 with ``AppTransactionInfoResponse``.
    case appTransactionInfo
    /// The transactions of a customer's invoice, in production only; 200 with ``OrderLookupResponse``.
    case lookUpOrder
    /// A customer's refunds; 200 with ``RefundHistoryResponse``.
    case refundHistory
    /// A customer's newest refunds; 200 with ``RefundLookupResponse``.
    case refundHistoryV1
    /// Takes an ``ExtendRenewalDateRequest``; 200 with ``ExtendRenewalDateResponse``.
    case extendRenewalDate
    /// Takes a ``MassExtendRenewalDateRequest``; 200 with ``MassExtendRenewalDateResponse``.
    case massExtendRenewalDates
    /// How far extensions are; 200 with ``MassExtendRenewalDateStatusResponse``.
    case massExtensionStatus
    /// Has a test notification sent; 200 with ``SendTestNotificationResponse``.
    case requestTestNotification
    /// What became of a test notification; 200 with ``CheckTestNotificationResponse``.
    case testNotificationStatus
    /// Takes a ``NotificationHistoryRequest``; 200 with ``NotificationHistoryResponse``.
    case notificationHistory

    /// How an endpoint is asked.
    public enum Method: String, Hashable, Sendable {
        /// Reads; has no body.
        case get = "GET"
        /// Acts.
        case post = "POST"
        /// Sets something.
        case put = "PUT"
    }

    /// How it is asked.
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

    /// The path with its parameters filled in and percent-encoded; a parameter that is not given stays empty.
    public func path(_ parameters: [String: String] = [:]) -> String {
        PathTemplate.fill(template, parameters)
    }

    /// How many requests a second an app may make in production, counted by the hour; nil where Apple names no limit.
    ///
    /// The sandbox allows a tenth.
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
