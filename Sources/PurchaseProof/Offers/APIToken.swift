package import PurchaseModel

/// The JWT that authorizes a request to the App Store Server API.
package struct APIToken: Hashable, Sendable {
    /// The maximum lifetime of a token in seconds.
    package static let maximumLifetime: Int64 = 3600
    /// The tolerance for a signer's clock that is ahead, in seconds.
    private static let skew: Int64 = 60
    private static let audience = "appstoreconnect-v1"

    /// The developer's issuer identifier in App Store Connect, a UUID.
    package var issuerID: String
    /// The app.
    package var bundleID: BundleID
    /// The date when the token was issued, in whole seconds.
    package var issuedAt: Timestamp
    /// The lifetime in seconds.
    package var lifetime: Int64

    private struct Claims: Encodable {
        let iss: String
        let iat: Int64
        let exp: Int64
        let aud: String
        let bid: BundleID
    }

    /// Creates a token that is not signed yet, with a lifetime of five minutes by default.
    package init(issuerID: String, bundleID: BundleID, issuedAt: Timestamp, lifetime: Int64 = 300) {
        self.issuerID = issuerID
        self.bundleID = bundleID
        self.issuedAt = issuedAt
        self.lifetime = lifetime
    }

    /// Signs the token.
    package func sign(with key: BackendKey) throws -> String {
        let end = issuedAt.adding(seconds: lifetime)
        return try BackendToken.sign(
            Claims(
                iss: issuerID, iat: issuedAt.milliseconds / 1000, exp: end.milliseconds / 1000, aud: Self.audience, bid: bundleID
            ), with: key
        )
    }

    /// Checks a token and returns its mistakes; empty for a valid token.
    ///
    /// - Parameters:
    ///   - issuerID: The required issuer; nil for any.
    ///   - bundleID: The required app; nil for any.
    ///   - now: The time of the request.
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

    /// Returns the app of a token, and the token's mistakes according to the App Store's rules.
    ///
    /// Tokens without `iat`, which Apple's library for Python sends, and without `typ` are accepted and count as issued now.
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
        // Both ends are rounded, so an hour between fractions of a second can be a millisecond longer.
        if let start, end > start.adding(seconds: maximumLifetime).adding(milliseconds: 1) {
            let seconds = (end.milliseconds / 1000) - (start.milliseconds / 1000)
            findings.append(.lifetimeTooLong(max(seconds, maximumLifetime + 1)))
        }
    }
}
