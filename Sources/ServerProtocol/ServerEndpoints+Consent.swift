package import PurchaseModel
package import Wire

extension ServerEndpoints {
    /// Reads the consent of the customer.
    package static let consent = Endpoint<Empty, ConsentReply>(.get, "/v1/customer/consent")
    /// Records the consent of the customer, or its withdrawal.
    package static let setConsent = Endpoint<ConsentRequest, ConsentReply>(.post, "/v1/customer/consent")
}

/// A request to record the consent of a customer.
package struct ConsentRequest: Codable, Hashable, Sendable {
    /// Whether the customer consents to sharing consumption data with Apple, which decides about refund requests.
    package var consumption: Bool

    /// Creates a request.
    package init(consumption: Bool) {
        self.consumption = consumption
    }
}

/// The consent of a customer.
package struct ConsentReply: Codable, Hashable, Sendable {
    /// Whether the customer consents to sharing consumption data with Apple.
    package var consumption: Bool
    /// The date of the consent; nil without consent.
    package var since: Timestamp?

    /// Creates a reply.
    package init(since: Timestamp?) {
        consumption = since != nil
        self.since = since
    }
}
