import PurchaseModel
import PurchaseProof

/// The token that a client's requests share, and the correction of the clock with which it is signed.
struct TokenSource: Sendable {
    /// A signed token with its dates in corrected time.
    struct Token: Sendable {
        let text: String
        let issuedAt: Timestamp
        let expires: Timestamp
    }

    /// The largest difference in seconds that is corrected.
    ///
    /// A larger one is reported only, because a token for a distant time would remain
    /// valid for whoever has it.
    static let maximumCorrection: Int64 = 86_400

    private let issuerID: String
    private let bundleID: BundleID
    private let key: BackendKey
    private let lifetime: Int64
    /// The number of milliseconds that is added to the local time.
    private(set) var correction: Int64 = 0
    private var current: Token?

    init(_ configuration: AppStoreServerAPIConfiguration) {
        issuerID = configuration.issuerID
        bundleID = configuration.bundleID
        key = configuration.key
        let seconds = min(max(configuration.tokenLifetime, .seconds(60)), .seconds(APIToken.maximumLifetime))
        lifetime = seconds.components.seconds
    }

    /// Returns the current token, or signs a new one if the current one is about to expire or was signed in the future.
    ///
    /// - Parameter now: The local time.
    mutating func token(at now: Timestamp) throws -> (token: Token, isNew: Bool) {
        let time = now.adding(milliseconds: correction)
        // A token must arrive before it expires.
        if let current, current.issuedAt <= time.adding(milliseconds: ClockSkew.tolerance), time.adding(seconds: 30) < current.expires {
            return (current, false)
        }
        let issuedAt = time.wholeSeconds
        let text = try APIToken(issuerID: issuerID, bundleID: bundleID, issuedAt: issuedAt, lifetime: lifetime).sign(with: key)
        let token = Token(text: text, issuedAt: issuedAt, expires: issuedAt.adding(seconds: lifetime))
        current = token
        return (token, true)
    }

    /// Discards a token that the App Store refused, and returns whether another token can be accepted.
    ///
    /// That is the case if the clock was corrected, here or by another call, or if the token was not new.
    ///
    /// - Parameters:
    ///   - isNew: Whether the refused token was signed for the refused request.
    ///   - serverTime: The date of the response; nil if the response has none.
    ///   - now: The local time of the response.
    mutating func renew(_ refused: Token, isNew: Bool, serverTime: Timestamp?, now: Timestamp) -> Bool {
        guard current?.text == refused.text else { return true }
        current = nil
        guard let serverTime else { return !isNew }
        let ahead = ClockSkew.milliseconds(of: now, aheadOf: serverTime)
        guard ahead.magnitude <= Self.maximumCorrection * 1000 else { return !isNew }
        let needed = ClockSkew.isSignificant(ahead) ? -ahead : 0
        guard ClockSkew.isSignificant(needed - correction) else { return !isNew }
        correction = needed
        return true
    }
}
