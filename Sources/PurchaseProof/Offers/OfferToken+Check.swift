import Foundation
package import PurchaseModel

extension OfferToken {
    /// What a token is for, as `aud` spells it.
    package enum Audience: String, CaseIterable, Hashable, Sendable {
        /// A promotional offer.
        case promotionalOffer = "promotional-offer"
        /// Whether a customer may have the introductory offer.
        case introductoryOffer = "introductory-offer-eligibility"
        /// A request of Advanced Commerce.
        case advancedCommerce = "advanced-commerce-api"
    }

    /// Says what is wrong with a token; nothing when all is well.
    ///
    /// - Parameters:
    ///   - audience: What it must be for; nil for whatever it says.
    ///   - issuerID: Whose it must be; nil for anybody's.
    ///   - bundleID: What app it must be for; nil for any.
    ///   - now: The time at which it is used. How long the store takes a token is not published, so an old one is no finding.
    package static func check(
        _ token: String, for audience: Audience? = nil, with key: BackendPublicKey, issuerID: String? = nil, bundleID: BundleID? = nil,
        now: Timestamp
    ) -> [SigningFinding] {
        var (claims, findings) = BackendToken.read(token, key)
        guard let claims else { return findings }
        claims.string("iss", mustBe: issuerID, &findings)
        claims.string("bid", mustBe: bundleID?.rawValue, &findings)
        claims.uuid("nonce", &findings)
        if let date = claims.date("iat", &findings), date > now.adding(seconds: 60) { findings.append(.future(date)) }
        if claims.has("exp") { findings.append(.unexpected("payload.exp")) }
        guard let stated = claims.string("aud", &findings) else { return findings }
        guard let known = Audience(rawValue: stated), audience == nil || audience == known else {
            return findings + [.wrong("payload.aud")]
        }
        switch known {
        case .promotionalOffer:
            _ = claims.string("productId", &findings)
            _ = claims.string("offerIdentifier", &findings)
            if claims.has("transactionId") { _ = claims.string("transactionId", &findings) }
        case .introductoryOffer:
            _ = claims.string("productId", &findings)
            _ = claims.bool("allowIntroductoryOffer", &findings)
            _ = claims.string("transactionId", &findings)
        case .advancedCommerce:
            if let request = claims.string("request", &findings) { findings += requestFindings(request) }
        }
        return findings
    }

    private static func requestFindings(_ text: String) -> [SigningFinding] {
        let place = "payload.request"
        guard let bytes = LooseBase64.decode(text) else { return [.malformed(place)] }
        if (try? JSONScanner(bytes)) != nil { return Data(base64Encoded: text) == nil ? [.wrongBase64(place)] : [] }
        guard let inner = LooseBase64.decode(String(decoding: bytes, as: UTF8.self)), (try? JSONScanner(inner)) != nil else {
            return [.malformed(place)]
        }
        return [.doubleBase64(place)]
    }
}
