package import PurchaseModel
package import Wire

extension ServerEndpoints {
    /// Reads the customer's consent to sharing consumption data with Apple.
    package static let consent = Endpoint<Empty, ConsentReply>(.get, "/v1/customer/consent")
    /// Records that the customer gave or withdrew the consent.
    package static let setConsent = Endpoint<ConsentRequest, ConsentReply>(.post, "/v1/customer/consent")
}

/// A request to record the consent of a customer.
package struct ConsentRequest: Codable, Hashable, Sendable {
    /// Whether the customer consents to sharing consumption data with Apple, for decisions about refund requests.
    package var consumption: Bool

    package init(consumption: Bool) {
        self.consumption = consumption
    }
}

/// A customer's consent to sharing consumption data with Apple.
package struct ConsentReply: Codable, Hashable, Sendable {
    /// Whether the customer consents to sharing consumption data with Apple.
    package var consumption: Bool
    /// The date when the customer consented; nil without consent.
    package var since: Timestamp?

    package init(since: Timestamp?) {
        consumption = since != nil
        self.since = since
    }
}
