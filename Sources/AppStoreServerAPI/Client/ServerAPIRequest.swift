import Foundation
import FoundationExtras
import PurchaseModel

/// A request to an endpoint, without the token and the headers.
struct ServerAPIRequest: Sendable {
    let endpoint: ServerAPIEndpoint
    /// The percent-encoded path with the query.
    let target: String
    /// The JSON of the body; nil for a request without a body.
    let body: Data?

    /// Creates a request.
    ///
    /// - Parameter parameters: The values for the parameters in the endpoint's path.
    /// - Throws: ``AppStoreServerAPIError/invalidRequest(_:)`` for a value that would change the path, or a body that is not JSON.
    init(
        _ endpoint: ServerAPIEndpoint, _ parameters: [String: String] = [:], query: ServerAPIQuery = ServerAPIQuery(),
        body: (any Encodable & Sendable)? = nil
    ) throws(AppStoreServerAPIError) {
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
            // An empty segment is another path, and HTTP libraries and proxies remove dot segments (RFC 3986, section 5.2.4).
            guard !["", ".", ".."].contains(value), IdentifierText.isValid(value) else { throw .invalidRequest("\(name) is invalid.") }
        }
        self.endpoint = endpoint
        target = endpoint.path(parameters) + (query.items.isEmpty ? "" : "?\(query.text)")
        guard let body else {
            self.body = nil
            return
        }
        guard let json = try? WireJSON.encode(body) else { throw .invalidRequest("The body cannot be encoded as JSON.") }
        self.body = json
    }

    /// Returns the HTTP request with a token.
    func authorized(by token: String, at baseURL: HTTPURL, timeout: Duration) -> ServerAPITransportRequest {
        var headers = [
            "Accept": "application/json", "Authorization": "Bearer \(token)", "User-Agent": AppStoreServerAPIClient.userAgent,
        ]
        if body != nil { headers["Content-Type"] = "application/json" }
        return ServerAPITransportRequest(
            method: endpoint.method.rawValue, url: baseURL.base + target, headers: headers, body: body, timeout: timeout)
    }
}

extension ServerAPIEndpoint {
    /// Whether a repeated request has no further effect.
    ///
    /// - `extendRenewalDate` extends the renewal date again. Apple does not document that the `requestIdentifier` of a single subscription
    ///   prevents a second extension; that of a mass extension does.
    /// - `requestTestNotification` sends another notification.
    ///
    /// All other endpoints read, or set values that a repetition sets again.
    var isIdempotent: Bool {
        switch self {
        case .extendRenewalDate, .requestTestNotification: false
        case .transactionInfo, .transactionHistory, .transactionHistoryV1, .subscriptionStatuses, .sendConsumption, .sendConsumptionV1,
            .setAppAccountToken, .finishTransaction, .appTransactionInfo, .lookUpOrder, .refundHistory, .refundHistoryV1,
            .massExtendRenewalDates, .massExtensionStatus, .testNotificationStatus, .notificationHistory, .seatInfo, .claimSeat,
            .unclaimSeat,
            .associateSeat, .customerGroups, .groupMembers:
            true
        }
    }
}
