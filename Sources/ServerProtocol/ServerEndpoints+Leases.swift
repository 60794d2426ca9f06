package import PurchaseModel
package import Wire

extension ServerEndpoints {
    /// Reads the public keys with which an app verifies signed answers and leases, as a JWK set (RFC 7517).
    package static let verificationKeys = Endpoint<Empty, Empty>(.get, "/v1/verification-keys")
    /// Issues a lease, with which a device uses the customer's entitlements offline, and shows the balances.
    package static let lease = Endpoint<LeaseRequest, LeaseReply>(.post, "/v1/customer/lease")
}

/// A request for a lease.
package struct LeaseRequest: Codable, Hashable, Sendable {
    /// The SHA-256 thumbprint of the device's public P-256 key (RFC 7638), in base64url.
    package var deviceKey: String

    /// Creates a request.
    package init(deviceKey: String) {
        self.deviceKey = deviceKey
    }
}

/// A lease.
package struct LeaseReply: Codable, Hashable, Sendable {
    /// The lease as a JWT.
    package var lease: String
    /// The date when the lease expires.
    package var expires: Timestamp
    /// Whether the customer has more active entitlements or balances than a lease can state; nil if the lease has all of them.
    package var isTruncated: Bool?

    /// Creates a reply.
    package init(lease: String, expires: Timestamp, isTruncated: Bool? = nil) {
        self.isTruncated = isTruncated
        self.lease = lease
        self.expires = expires
    }
}
