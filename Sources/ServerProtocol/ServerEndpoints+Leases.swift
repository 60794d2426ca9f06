package import PurchaseModel
package import Wire

extension ServerEndpoints {
    /// Reads the public keys with which an app verifies signed answers and leases, as a JWK set (RFC 7517).
    package static let verificationKeys = Endpoint<Empty, Empty>(.get, "/v1/verification-keys")
    /// Issues a lease, which states the customer's entitlements and balances for offline use on a device.
    package static let lease = Endpoint<LeaseRequest, LeaseReply>(.post, "/v1/customer/lease")
}

/// A request for a lease for one device.
package struct LeaseRequest: Codable, Hashable, Sendable {
    /// The SHA-256 thumbprint of the device's public P-256 key (RFC 7638), in base64url.
    package var deviceKey: String

    package init(deviceKey: String) {
        self.deviceKey = deviceKey
    }
}

/// A lease for one device.
package struct LeaseReply: Codable, Hashable, Sendable {
    /// The lease as a JWT (RFC 7519).
    package var lease: String
    /// The date when the lease expires.
    package var expires: Timestamp
    /// Whether the customer has more active entitlements or balances than a lease can state; nil for a complete lease.
    package var isTruncated: Bool?

    package init(lease: String, expires: Timestamp, isTruncated: Bool? = nil) {
        self.isTruncated = isTruncated
        self.lease = lease
        self.expires = expires
    }
}
