package import PurchaseModel

/// The JWT that authorises a call of the App Store Server API.
package struct APIToken: Hashable, Sendable {
    /// The longest that a token may live, in seconds.
    package static let maximumLifetime: Int64 = 3600
    /// How far the clock of whoever made a token may be ahead, in seconds.
    private static let skew: Int64 = 60
    private static let audience = "appstoreconnect-v1"

    /// The developer's issuer identifier in App Store Connect, a UUID.
    package var issuerID: String
    /// The app whose data is asked for.
    package var bundleID: BundleID
    /// When it was made; whole seconds count.
    package var issuedAt: Timestamp
    /// How long it is good, in seconds.
    package var lifetime: Int64

    private struct Claims: Encodable {
        let iss: String
        let iat: Int64
        let exp: Int64
        let aud: String
        let bid: BundleID
    }

    /// Creates a token that is not signed yet, good for five minutes unless said otherwise.
    package init(issuerID: String, bundleID: BundleID, issuedAt: Timestamp, lifetime: Int64 = 300) {
        self.issuerID = issuerID
        self.bundleID = bundleID
        self.issuedAt = issuedAt
        self.lifetime = lifetime
    }

    /// The token.
    package func sign(with key: BackendKey) throws -> String {
        let end = issuedAt.adding(seconds: lifetime)
        return try BackendToken.sign(
            Claims(
                iss: issuerID, iat: issuedAt.milliseconds / 1000, exp: end.milliseconds / 1000, aud: Self.audience, bid: bundleID
            ), with: key
        )
    }

    /// Says what is wrong with a token; nothing when all is well.
    ///
    /// - Parameters:
    ///   - issuerID: Whose it must be; nil for anybody's.
    ///   - bundleID: What it must be for; nil for any app.
    ///   - now: The time at which it is used.
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

    /// Says which app a token is for, and what is wrong with it, as the App Store judges.
    ///
    /// It takes tokens without `iat`, which Apple's own library for Python sends, and without `typ`; such a token counts as made just now.
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
        // Each end is rounded by itself, so an hour between fractions of a second may seem to be a millisecond longer.
        if let start, end > start.adding(seconds: maximumLifetime).adding(milliseconds: 1) {
            let seconds = (end.milliseconds / 1000) - (start.milliseconds / 1000)
            findings.append(.livesTooLong(max(seconds, maximumLifetime + 1)))
        }
    }
}
