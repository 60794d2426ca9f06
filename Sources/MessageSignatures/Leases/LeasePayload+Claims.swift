import PurchaseModel

/// The JSON of a lease (RFC 7519, section 4).
struct LeaseClaims: Codable {
    /// The confirmation of the device's key by its thumbprint (RFC 9449, section 6.1).
    struct Confirmation: Codable {
        let jkt: String
    }

    struct Entitlement: Codable {
        let name: String
        let until: Int64?
    }

    struct Balance: Codable {
        let currency: CurrencyID
        let amount: Int64
        /// Absent for a balance that is not frozen.
        let frozen: Bool?
    }

    let iss: String
    let sub: CustomerID
    let aud: BundleID
    let iat: Int64
    let nbf: Int64?
    let exp: Int64
    let jti: String
    let cnf: Confirmation
    let entitlements: [Entitlement]
    let balances: [Balance]?

    init(_ payload: LeasePayload) {
        iss = payload.issuer
        sub = payload.customer
        aud = payload.bundleID
        iat = payload.issuedAt.seconds
        nbf = payload.notBefore?.seconds
        exp = payload.expires.seconds
        jti = payload.id
        cnf = Confirmation(jkt: payload.deviceKey.rawValue)
        entitlements = payload.entitlements.map { Entitlement(name: $0.name, until: $0.until?.seconds) }
        balances = payload.balances?.map { Balance(currency: $0.currency, amount: $0.amount, frozen: $0.isFrozen ? true : nil) }
    }

    /// The validated claims.
    ///
    /// - Throws: ``LeaseError/malformed(place:)``.
    var payload: LeasePayload {
        get throws(LeaseError) {
            guard let deviceKey = KeyThumbprint(cnf.jkt) else { throw .malformed(place: "payload.cnf.jkt") }
            let payload = LeasePayload(
                issuer: iss, customer: sub, bundleID: aud, issuedAt: Timestamp(seconds: iat), notBefore: nbf.map { Timestamp(seconds: $0) },
                expires: Timestamp(seconds: exp), id: jti, deviceKey: deviceKey,
                entitlements: entitlements.map { LeasedEntitlement($0.name, until: $0.until.map { Timestamp(seconds: $0) }) },
                balances: balances?.map { LeasedBalance($0.currency, amount: $0.amount, isFrozen: $0.frozen ?? false) })
            try payload.validate()
            return payload
        }
    }
}
