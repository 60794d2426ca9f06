public import PurchaseModel

/// The claims of a lease: a customer's entitlements, which a device can use without the server until the lease expires, and balances.
///
/// The server issues a lease with a ``LeaseIssuer``, and the device verifies it with a ``LeaseVerifier`` whenever it reads it. Dates have
/// whole seconds, as NumericDate of RFC 7519, section 2.
public struct LeasePayload: Hashable, Sendable {
    /// The maximum number of entitlements.
    public static let maximumEntitlements = 256
    /// The maximum number of balances.
    public static let maximumBalances = 64

    /// The server that issued the lease (`iss`).
    public let issuer: String
    /// The customer to whom the entitlements belong (`sub`).
    public let customer: CustomerID
    /// The app that can use the lease (`aud`).
    public let bundleID: BundleID
    /// The date when the lease was issued (`iat`).
    public let issuedAt: Timestamp
    /// The date before which the lease is not valid (`nbf`); nil when it is valid from ``issuedAt``.
    public let notBefore: Timestamp?
    /// The date from which the lease is not valid (`exp`).
    public let expires: Timestamp
    /// The unique identifier of the lease (`jti`).
    public let id: String
    /// The thumbprint of the device's key, to which the lease is bound (`cnf` with `jkt`; RFC 7800, section 3, and RFC 9449, section 6.1).
    public let deviceKey: KeyThumbprint
    /// The customer's entitlements.
    public let entitlements: [LeasedEntitlement]
    /// The customer's balances at ``issuedAt``; nil for a lease without them.
    public let balances: [LeasedBalance]?

    /// Creates claims; fractions of seconds are removed from dates.
    public init(
        issuer: String, customer: CustomerID, bundleID: BundleID, issuedAt: Timestamp, notBefore: Timestamp? = nil, expires: Timestamp,
        id: String, deviceKey: KeyThumbprint, entitlements: [LeasedEntitlement], balances: [LeasedBalance]? = nil
    ) {
        self.issuer = issuer
        self.customer = customer
        self.bundleID = bundleID
        self.issuedAt = Timestamp(seconds: issuedAt.seconds)
        self.notBefore = notBefore.map { Timestamp(seconds: $0.seconds) }
        self.expires = Timestamp(seconds: expires.seconds)
        self.id = id
        self.deviceKey = deviceKey
        self.entitlements = entitlements
        self.balances = balances
    }

    /// Returns whether the customer has an entitlement at a point in time, which must be within the validity of the lease.
    ///
    /// - Parameters:
    ///   - name: The name of the entitlement.
    ///   - now: The current time.
    public func isEntitled(to name: String, at now: Timestamp) -> Bool {
        now < expires && entitlements.contains { $0.name.utf8.elementsEqual(name.utf8) && $0.until.map { now < $0 } ?? true }
    }

    /// Checks that the values are within their limits, before a lease is signed and after one is verified.
    ///
    /// - Throws: ``LeaseError/malformed(place:)`` with the place of the first value that is not.
    func validate() throws(LeaseError) {
        let texts = [("payload.iss", issuer), ("payload.sub", customer.rawValue), ("payload.aud", bundleID.rawValue), ("payload.jti", id)]
        for (place, text) in texts {
            guard !text.isEmpty, IdentifierText.isValid(text) else { throw .malformed(place: place) }
        }
        let dates = [("payload.iat", issuedAt), ("payload.nbf", notBefore), ("payload.exp", expires)]
        for (place, date) in dates {
            guard date.map({ DateRange.seconds.contains($0.seconds) }) ?? true else { throw .malformed(place: place) }
        }
        guard max(issuedAt, notBefore ?? issuedAt) < expires else { throw .malformed(place: "payload.exp") }
        guard entitlements.count <= Self.maximumEntitlements else { throw .malformed(place: "payload.entitlements") }
        var names: Set<[UInt8]> = []
        for (index, entitlement) in entitlements.enumerated() {
            guard !entitlement.name.isEmpty, IdentifierText.isValid(entitlement.name), names.insert(Array(entitlement.name.utf8)).inserted
            else { throw .malformed(place: "payload.entitlements[\(index)].name") }
            guard entitlement.until.map({ DateRange.seconds.contains($0.seconds) }) ?? true else {
                throw .malformed(place: "payload.entitlements[\(index)].until")
            }
        }
        let balances = balances ?? []
        guard balances.count <= Self.maximumBalances else { throw .malformed(place: "payload.balances") }
        var currencies: Set<CurrencyID> = []
        for (index, balance) in balances.enumerated() {
            guard !balance.currency.rawValue.isEmpty, IdentifierText.isValid(balance.currency.rawValue),
                currencies.insert(balance.currency).inserted
            else { throw .malformed(place: "payload.balances[\(index)].currency") }
        }
    }
}

/// An entitlement of a lease.
public struct LeasedEntitlement: Hashable, Sendable {
    /// The name of the entitlement, such as a product identifier, unique in the lease.
    public let name: String
    /// The date from which the customer is no longer entitled; nil for an entitlement without an end.
    public let until: Timestamp?

    /// Creates an entitlement; a fraction of a second is removed from the date.
    public init(_ name: String, until: Timestamp? = nil) {
        self.name = name
        self.until = until.map { Timestamp(seconds: $0.seconds) }
    }
}

/// A balance of a lease.
public struct LeasedBalance: Hashable, Sendable {
    /// The currency of the credits, unique in the lease.
    public let currency: CurrencyID
    /// The number of credits; negative after a refund of spent credits.
    public let amount: Int64
    /// Whether a refund has frozen the balance.
    public let isFrozen: Bool

    /// Creates a balance.
    public init(_ currency: CurrencyID, amount: Int64, isFrozen: Bool = false) {
        self.currency = currency
        self.amount = amount
        self.isFrozen = isFrozen
    }
}

/// A lease as a JWT, not yet verified.
///
/// A device stores a lease in this form, and verifies it again after reading it.
public typealias SignedLease = Signed<LeasePayload>
