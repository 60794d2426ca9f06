package import PurchaseModel

/// The JWT that authorizes a request to the App Store Server API.
package struct APIToken: Hashable, Sendable {
    /// The maximum lifetime of a token in seconds.
    package static let maximumLifetime: Int64 = 3600
    /// The time in seconds by which the clock of a token's signer may be ahead.
    private static let skew: Int64 = 60
    private static let audience = "appstoreconnect-v1"

    /// The developer's issuer identifier in App Store Connect, a UUID.
    package var issuerID: String
    /// The bundle identifier of the app that the requests concern.
    package var bundleID: BundleID
    /// The date when the token was issued, in whole seconds.
    package var issuedAt: Timestamp
    /// The time after ``issuedAt`` in which the token is valid, in seconds.
    package var lifetime: Int64

    private struct Claims: Encodable {
        let iss: String
        let iat: Int64
        let exp: Int64
        let aud: String
        let bid: BundleID
    }

    /// Creates an unsigned token, which is valid for five minutes by default.
    package init(issuerID: String, bundleID: BundleID, issuedAt: Timestamp, lifetime: Int64 = 300) {
        self.issuerID = issuerID
        self.bundleID = bundleID
        self.issuedAt = issuedAt
        self.lifetime = lifetime
    }

    /// Signs the token with the developer's key and returns the JWT.
    package func sign(with key: BackendKey) throws -> String {
        let end = issuedAt.adding(seconds: lifetime)
        return try BackendToken.sign(
            Claims(
                iss: issuerID, iat: issuedAt.milliseconds / 1000, exp: end.milliseconds / 1000, aud: Self.audience, bid: bundleID
            ), with: key
        )
    }

    /// Verifies a token and returns the mistakes in it; the array is empty for a valid token.
    ///
    /// - Parameters:
    ///   - token: The signed JWT.
    ///   - key: The public key of the developer's server.
    ///   - issuerID: The issuer identifier that the token must state; nil to accept any.
    ///   - bundleID: The bundle identifier that the token must state; nil to accept any.
    ///   - now: The time of the request that the token authorizes.
    package static func check(
        _ token: String, with key: BackendPublicKey, issuerID: String? = nil, bundleID: BundleID? = nil, now: Timestamp
    ) -> [SigningFinding] {
        var (claims, findings) = BackendToken.read(token, key)
        guard let claims else { return findings }
        claims.string("iss", mustBe: issuerID, &findings)
        claims.string("aud", mustBe: audience, &findings)
        claims.string("bid", mustBe: bundleID?.rawValue, &findings)
        let start = claims.date("iat", &findings)
        checkTime(from: start, to: claims.date("exp", &findings), now, &findings)
        return findings
    }

    /// Verifies a token with the App Store's tolerances, and returns the app that it states with the mistakes in it.
    ///
    /// The App Store accepts a token without `typ`. It also accepts a token without `iat`, such as those of Apple's library for Python; for
    /// such a token, the maximum lifetime counts from a minute after `now`. The app is nil when the token is malformed or states no app.
    package static func admit(
        _ token: String, with key: BackendPublicKey, issuerID: String, now: Timestamp
    ) -> (bundleID: BundleID?, findings: [SigningFinding]) {
        var (claims, findings) = BackendToken.read(token, key)
        findings.removeAll { $0 == .missing("header.typ") }
        guard let claims else { return (nil, findings) }
        claims.string("iss", mustBe: issuerID, &findings)
        claims.string("aud", mustBe: audience, &findings)
        let bundleID = claims.string("bid", &findings).map { BundleID($0) }
        let start = claims.has("iat") ? claims.date("iat", &findings) : now.adding(seconds: skew)
        checkTime(from: start, to: claims.date("exp", &findings), now, &findings)
        return (bundleID, findings)
    }

    private static func checkTime(from start: Timestamp?, to end: Timestamp?, _ now: Timestamp, _ findings: inout [SigningFinding]) {
        if let start, start > now.adding(seconds: skew) { findings.append(.future(start)) }
        guard let end else { return }
        if end <= now { findings.append(.expired(end)) }
        // Both dates are rounded to milliseconds, so a lifetime of exactly an hour can appear a millisecond longer.
        if let start, end > start.adding(seconds: maximumLifetime).adding(milliseconds: 1) {
            let seconds = (end.milliseconds / 1000) - (start.milliseconds / 1000)
            findings.append(.lifetimeTooLong(max(seconds, maximumLifetime + 1)))
        }
    }
}
