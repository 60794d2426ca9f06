import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Testing

@testable import MessageSignatures

@Suite struct LeaseTests {
    static let customer: CustomerID = "3c6f8a52-91d4-4e0b-a7f3-5d2b1c0e9f84"
    static let issuer = "https://shop.example.com"

    private let key: P256SigningKey
    private let device: KeyThumbprint

    init() throws {
        key = try Sample.key()
        device = try P256SigningKey(newWithID: "device").verificationKey.thumbprint
    }

    private func payload(
        issuedAt: Timestamp = .testStart, notBefore: Timestamp? = nil, expires: Timestamp = .testStart.adding(days: 7),
        id: String = "lease-1",
        _ entitlements: [LeasedEntitlement] = [
            LeasedEntitlement("book"), LeasedEntitlement("magazine", until: .testStart.adding(days: 3)),
        ]
    ) -> LeasePayload {
        LeasePayload(
            issuer: Self.issuer, customer: Self.customer, bundleID: .test, issuedAt: issuedAt, notBefore: notBefore, expires: expires,
            id: id, deviceKey: device, entitlements: entitlements)
    }

    private func verify(
        _ lease: SignedLease, keys: VerificationKeySet? = nil, issuer: String = issuer, bundleID: BundleID = .test,
        device: KeyThumbprint? = nil, at now: Timestamp = .testStart
    ) throws -> VerifiedLease {
        try LeaseVerifier(keys: keys ?? Sample.keys(key), issuer: issuer, bundleID: bundleID).verify(
            lease, deviceKey: device ?? self.device, at: now)
    }

    /// Returns a JWT with the given JSON, and with a valid signature of the key.
    private func token(_ header: String, _ payload: String) throws -> SignedLease {
        let text = Base64URL.encode(header.utf8) + "." + Base64URL.encode(payload.utf8)
        return SignedLease(try text + "." + Base64URL.encode(key.sign(Array(text.utf8))))
    }

    private var header: String { #"{"alg":"ES256","kid":"2025-01","typ":"lease+jwt"}"# }

    private var claims: String {
        #"{"aud":"com.example.monkeyshop","cnf":{"jkt":"\#(device)"},"entitlements":[{"name":"book"},{"name":"magazine","until":1738586096}],"exp":1738931696,"iat":1738326896,"iss":"https://shop.example.com","jti":"lease-1","sub":"3c6f8a52-91d4-4e0b-a7f3-5d2b1c0e9f84"}"#
    }

    @Test func `a lease is a JWT with the claims of RFC 7519 and the key of the device`() throws {
        let lease = try LeaseIssuer(key: key).issue(payload())
        let jws = try UnverifiedJWS(lease.compact)
        #expect(String(decoding: jws.header, as: UTF8.self) == header)
        #expect(String(decoding: jws.payload, as: UTF8.self) == claims)
        #expect(jws.signature.count == 64)
        #expect(try verify(lease).payload == payload())
        #expect(try verify(token(header, claims)).payload == payload())
    }

    @Test func `a verified lease has the issued claims and the signed lease`() throws {
        let fractional = payload(
            issuedAt: .testStart.adding(milliseconds: 999), notBefore: .testStart.adding(milliseconds: 1),
            expires: .testStart.adding(seconds: 10).adding(milliseconds: 500), [])
        #expect(fractional.expires == .testStart.adding(seconds: 10))
        let lease = try LeaseIssuer(key: key).issue(fractional)
        let verified = try verify(lease)
        #expect(verified.payload == fractional)
        #expect(verified.original == lease)
    }

    @Test func `the balances of a lease can be verified on another device, and after the lease has expired`() throws {
        let balances = [LeasedBalance("coins", amount: -5, isFrozen: true), LeasedBalance("gems", amount: 7)]
        let issuer = LeaseIssuer(key: key)
        func lease(_ balances: [LeasedBalance]?) -> LeasePayload {
            LeasePayload(
                issuer: Self.issuer, customer: Self.customer, bundleID: .test, issuedAt: .testStart, expires: .testStart.adding(days: 7),
                id: "lease-1", deviceKey: device, entitlements: [], balances: balances)
        }
        let signed = try issuer.issue(lease(balances))
        let verifier = LeaseVerifier(keys: try Sample.keys(key), issuer: Self.issuer, bundleID: .test)
        #expect(try verifier.verifyIssuance(of: signed).balances == balances)
        #expect(try verify(signed).payload.balances == balances)
        let other = LeaseVerifier(keys: try Sample.keys(Sample.key()), issuer: Self.issuer, bundleID: .test)
        #expect(throws: LeaseError.signature) { _ = try other.verifyIssuance(of: signed) }
        for balances in [
            [LeasedBalance("", amount: 1)], balances + balances, (0...64).map { LeasedBalance(CurrencyID("c\($0)"), amount: 1) },
        ] {
            #expect(throws: LeaseError.self) { try issuer.issue(lease(balances)) }
        }
        #expect(try verify(issuer.issue(lease(nil))).payload.balances == nil)
    }

    @Test func `an entitlement ends at its date, and all of them with the lease`() {
        let lease = payload()
        #expect(lease.isEntitled(to: "book", at: .testStart))
        #expect(!lease.isEntitled(to: "coins", at: .testStart))
        #expect(lease.isEntitled(to: "magazine", at: .testStart.adding(days: 3).adding(milliseconds: -1)))
        #expect(!lease.isEntitled(to: "magazine", at: .testStart.adding(days: 3)))
        #expect(lease.isEntitled(to: "book", at: .testStart.adding(days: 7).adding(milliseconds: -1)))
        #expect(!lease.isEntitled(to: "book", at: .testStart.adding(days: 7)))
    }

    @Test(arguments: [(-61, false), (-60, true), (0, true), (604_859, true), (604_860, false)] as [(Int64, Bool)])
    func `a lease is valid from its date to its expiration, with a tolerance`(_ seconds: Int64, _ isValid: Bool) throws {
        let lease = try LeaseIssuer(key: key).issue(payload())
        let now = Timestamp.testStart.adding(seconds: seconds)
        if isValid {
            _ = try verify(lease, at: now)
        } else {
            let error: LeaseError = seconds < 0 ? .notYetValid(.testStart) : .expired(.testStart.adding(days: 7))
            #expect(throws: error) { try verify(lease, at: now) }
        }
    }

    @Test func `a lease is not valid before its nbf, nor at the ends of time`() throws {
        let start = Timestamp.testStart.adding(days: 1)
        let lease = try LeaseIssuer(key: key).issue(payload(notBefore: start))
        #expect(throws: LeaseError.notYetValid(start)) { try verify(lease) }
        #expect(throws: LeaseError.notYetValid(start)) { try verify(lease, at: Timestamp(milliseconds: .min)) }
        #expect(throws: LeaseError.expired(.testStart.adding(days: 7))) { try verify(lease, at: Timestamp(milliseconds: .max)) }
        _ = try verify(lease, at: start)
    }

    @Test func `a lease of another device, app, server or key is refused`() throws {
        let lease = try LeaseIssuer(key: key).issue(payload())
        let other = try Sample.key()
        #expect(throws: LeaseError.foreignDevice) { try verify(lease, device: other.verificationKey.thumbprint) }
        #expect(throws: LeaseError.foreignBundle(.test)) { try verify(lease, bundleID: "com.example.other") }
        #expect(throws: LeaseError.foreignIssuer(Self.issuer)) { try verify(lease, issuer: "https://shop.example.com/") }
        #expect(throws: LeaseError.signature) { try verify(lease, keys: Sample.keys(other)) }
        #expect(throws: LeaseError.unknownKey) { try verify(lease, keys: Sample.keys(Sample.key("other"))) }
    }

    static let headers: [(String, LeaseError)] = [
        (#"{"alg":"none","kid":"2025-01","typ":"lease+jwt"}"#, .algorithm),
        (#"{"alg":"HS256","kid":"2025-01","typ":"lease+jwt"}"#, .algorithm),
        (#"{"alg":"es256","kid":"2025-01","typ":"lease+jwt"}"#, .algorithm),
        (#"{"alg":"ES256","kid":"2025-01","typ":"JWT"}"#, .type),
        (#"{"alg":"ES256","kid":"2025-01","typ":"Lease+JWT"}"#, .type),
        (#"{"alg":"ES256","kid":"../key","typ":"lease+jwt"}"#, .unknownKey),
        (#"{"alg":"ES256","typ":"lease+jwt"}"#, .malformed(place: "header.kid")),
        (#"{"alg":"ES256","kid":"2025-01"}"#, .malformed(place: "header.typ")),
        (#"{"kid":"2025-01","typ":"lease+jwt"}"#, .malformed(place: "header.alg")),
        (#"{"alg":"ES256","kid":1,"typ":"lease+jwt"}"#, .malformed(place: "header.kid")),
        (#"{"alg":"ES256","alg":"none","kid":"2025-01","typ":"lease+jwt"}"#, .malformed(place: "header.alg")),
        (#"{"alg":"ES256","kid":"2025-01","typ":"lease+jwt","crit":["x"],"x":1}"#, .malformed(place: "header.crit")),
        (#"{"alg":"ES256","kid":"2025-01","typ":"lease+jwt","jwk":{}}"#, .malformed(place: "header.jwk")),
        (#"{"alg":"ES256","kid":"2025-01","typ":"lease+jwt","secret":1}"#, .malformed(place: "header")),
        ("[]", .malformed(place: "header")),
        ("", .malformed(place: "header")),
    ]

    @Test(arguments: headers) func `a JWT with another header is refused, although its signature is valid`(
        _ header: String, _ error: LeaseError
    ) throws {
        #expect(throws: error) { try verify(token(header, claims)) }
    }

    static let claimEdits: [(String, String, LeaseError)] = [
        (#""iss":"https://shop.example.com","#, "", .malformed(place: "payload.iss")),
        (#""iss":"https"#, #""iss":"http"#, .foreignIssuer("http://shop.example.com")),
        (#""sub":"3c6f8a52-91d4-4e0b-a7f3-5d2b1c0e9f84""#, #""sub":"""#, .malformed(place: "payload.sub")),
        (#""sub":"3c6f8a52"#, #""sub":"3c6f8a52\u0000"#, .malformed(place: "payload.sub")),
        (#""aud":"com.example.monkeyshop""#, #""aud":["com.example.monkeyshop"]"#, .malformed(place: "payload.aud")),
        (#""exp":1738931696"#, #""exp":null"#, .malformed(place: "payload.exp")),
        (#""exp":1738931696"#, #""exp":1738326896"#, .malformed(place: "payload.exp")),
        (#""exp":1738931696"#, #""exp":1738931696.5"#, .malformed(place: "payload.exp")),
        (#""exp":1738931696"#, #""exp":"1738931696""#, .malformed(place: "payload.exp")),
        (#""exp":1738931696"#, #""exp":9223372036854775807"#, .malformed(place: "payload.exp")),
        (#""exp":1738931696"#, #""exp":1e400"#, .malformed(place: "payload.exp")),
        (#""iat":1738326896"#, #""iat":-1"#, .malformed(place: "payload.iat")),
        (#""iat":1738326896"#, #""iat":1738326896,"nbf":-9223372036854775808"#, .malformed(place: "payload.nbf")),
        (#""iat":1738326896"#, #""iat":1738326896,"nbf":1738931696"#, .malformed(place: "payload.exp")),
        (#""jti":"lease-1","#, "", .malformed(place: "payload.jti")),
        (#""jti":"lease-1""#, #""jti":"""#, .malformed(place: "payload.jti")),
        (#""cnf":{"jkt":"#, #""cnf":{"jwk":"#, .malformed(place: "payload.cnf.jkt")),
        (#""cnf":{"jkt":""#, #""cnf":{"jkt":"A"#, .malformed(place: "payload.cnf.jkt")),
        (#""name":"book""#, #""name":"""#, .malformed(place: "payload.entitlements[0].name")),
        (#""name":"magazine""#, #""name":"book""#, .malformed(place: "payload.entitlements[1].name")),
        (#""name":"magazine","#, "", .malformed(place: "payload.entitlements[1].name")),
        (#""until":1738586096"#, #""until":253402300800"#, .malformed(place: "payload.entitlements[1].until")),
        (#""entitlements":["#, #""entitlements":[3,"#, .malformed(place: "payload.entitlements[0]")),
        (#""iat":"#, #""iat":1,"iat":"#, .malformed(place: "payload.iat")),
    ]

    @Test(arguments: claimEdits) func `a lease with an invalid claim is refused, although its signature is valid`(
        _ old: String, _ new: String, _ error: LeaseError
    ) throws {
        try #require(claims.contains(old))
        #expect(throws: error) { try verify(token(header, claims.replacing(old, with: new))) }
    }

    @Test func `unknown claims have no effect`() throws {
        let lease = try token(header, claims.replacing("\"exp\"", with: "\"scope\":{\"a\":[1,null]},\"nbf\":null,\"exp\""))
        #expect(try verify(lease).payload == payload())
    }

    @Test func `a change of any character of a lease is refused`() throws {
        let text = Array(try LeaseIssuer(key: key).issue(payload()).compact.utf8)
        for index in text.indices {
            var changed = text
            changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(throws: LeaseError.self) { try verify(SignedLease(String(decoding: changed, as: UTF8.self))) }
            #expect(throws: LeaseError.self) { try verify(SignedLease(String(decoding: text[..<index], as: UTF8.self))) }
        }
    }

    @Test func `a token of the same key for another purpose is not a lease`() throws {
        let text = try BackendToken.sign(LeaseClaims(payload()), with: key.key)
        #expect(throws: LeaseError.type) { try verify(SignedLease(text)) }
    }

    @Test func `a large lease is refused`() throws {
        let most = (0..<LeasePayload.maximumEntitlements).map { LeasedEntitlement("com.example.product\($0)", until: .testStart) }
        #expect(try verify(LeaseIssuer(key: key).issue(payload(most))).payload.entitlements == most)
        #expect(throws: LeaseError.malformed(place: "payload.entitlements")) {
            try LeaseIssuer(key: key).issue(payload(most + [LeasedEntitlement("x")]))
        }
        let long = (0..<100).map { LeasedEntitlement(String(repeating: "x", count: 1000) + "\($0)") }
        #expect(throws: LeaseError.tooLarge(limit: 49_152)) { try LeaseIssuer(key: key).issue(payload(long)) }
        #expect(throws: LeaseError.tooLarge(limit: 49_152)) { try verify(SignedLease(String(repeating: "A", count: 49_153))) }
    }

    @Test func `a lease with invalid claims is not issued`() throws {
        let issuer = LeaseIssuer(key: key)
        for (payload, place) in [
            (payload(id: ""), "payload.jti"), (payload(id: "a\n"), "payload.jti"), (payload(expires: .testStart), "payload.exp"),
            (payload(issuedAt: Timestamp(milliseconds: -1)), "payload.iat"),
            (payload(notBefore: Timestamp(milliseconds: .min)), "payload.nbf"),
            (payload(expires: Timestamp(milliseconds: .max)), "payload.exp"),
            (payload([LeasedEntitlement("")]), "payload.entitlements[0].name"),
            (payload([LeasedEntitlement("a"), LeasedEntitlement("a")]), "payload.entitlements[1].name"),
        ] {
            #expect(throws: LeaseError.malformed(place: place)) { try issuer.issue(payload) }
        }
    }

    @Test func `errors say what to do`() {
        #expect(LeaseError.expired(.testStart).description == "The lease expired at 2025-01-31T12:34:56Z. Request a new one.")
        #expect(LeaseError.foreignDevice.description == "The lease is for another device. Request one for this device.")
    }
}
