package import Foundation
package import PurchaseModel

/// A JWS with which a developer's server authorizes one purchase: with a promotional offer, with an introductory offer, or as an Advanced
/// Commerce request.
package struct OfferToken: Hashable, Sendable {
    /// The kinds of purchase that a token can authorize.
    package enum Subject: Hashable, Sendable {
        /// A purchase of a subscription with a promotional offer; optionally with the identifier of a transaction of the customer.
        case promotionalOffer(ProductID, offer: String, transaction: String?)
        /// Whether the customer may purchase a subscription with its introductory offer; with the identifier of a transaction of the
        /// customer.
        case introductoryOffer(ProductID, isAllowed: Bool, transaction: String)
        /// An Advanced Commerce request, as the bytes of its JSON.
        case advancedCommerce(request: [UInt8])
    }

    /// The developer's issuer identifier in App Store Connect, a UUID.
    package var issuerID: String
    /// The bundle identifier of the app in which the customer makes the purchase.
    package var bundleID: BundleID
    /// The date when the token was issued, in whole seconds.
    package var issuedAt: Timestamp
    /// A nonce: a UUID that is different for each token.
    package var nonce: UUID
    /// The purchase that the token authorizes.
    package var subject: Subject

    /// Creates an unsigned token.
    package init(issuerID: String, bundleID: BundleID, issuedAt: Timestamp, nonce: UUID, subject: Subject) {
        self.issuerID = issuerID
        self.bundleID = bundleID
        self.issuedAt = issuedAt
        self.nonce = nonce
        self.subject = subject
    }

    private struct Claims: Encodable {
        let iss: String
        let iat: Int64
        let bid: BundleID
        let nonce: String
        let aud: String
        var productId: ProductID?
        var offerIdentifier: String?
        var allowIntroductoryOffer: Bool?
        var transactionId: String?
        var request: String?
    }

    /// Signs the token with the developer's key and returns the compact JWS.
    ///
    /// The token has no member `exp`, because the App Store computes the expiration from `iat`.
    package func sign(with key: BackendKey) throws -> String {
        var claims = Claims(
            iss: issuerID, iat: issuedAt.milliseconds / 1000, bid: bundleID, nonce: nonce.uuidString.lowercased(),
            aud: subject.audience.rawValue
        )
        switch subject {
        case .promotionalOffer(let product, let offer, let transaction):
            (claims.productId, claims.offerIdentifier, claims.transactionId) = (product, offer, transaction)
        case .introductoryOffer(let product, let isAllowed, let transaction):
            (claims.productId, claims.allowIntroductoryOffer, claims.transactionId) = (product, isAllowed, transaction)
        case .advancedCommerce(let request):
            claims.request = Data(request).base64EncodedString()
        }
        return try BackendToken.sign(claims, with: key)
    }
}

extension OfferToken.Subject {
    /// The value of the member `aud` in a token for this kind of purchase.
    package var audience: OfferToken.Audience {
        switch self {
        case .promotionalOffer: .promotionalOffer
        case .introductoryOffer: .introductoryOffer
        case .advancedCommerce: .advancedCommerce
        }
    }
}

extension OfferToken {
    /// The purpose of a token, which the member `aud` states.
    package enum Audience: String, CaseIterable, Hashable, Sendable {
        /// A promotional offer.
        case promotionalOffer = "promotional-offer"
        /// Eligibility for an introductory offer.
        case introductoryOffer = "introductory-offer-eligibility"
        /// An Advanced Commerce request.
        case advancedCommerce = "advanced-commerce-api"
    }

    /// Verifies a token and returns the mistakes in it; the array is empty for a valid token.
    ///
    /// - Parameters:
    ///   - token: The compact JWS.
    ///   - audience: The purpose that the token must state in `aud`; nil to accept any known purpose.
    ///   - key: The public key of the developer's server.
    ///   - issuerID: The issuer identifier that the token must state; nil to accept any.
    ///   - bundleID: The bundle identifier that the token must state; nil to accept any.
    ///   - now: The time of the purchase. Apple publishes no lifetime of these tokens, so only a date in the future is a mistake.
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
        guard let bytes = LenientBase64.decode(text) else { return [.malformed(place)] }
        if (try? JSONScanner(bytes)) != nil { return Data(base64Encoded: text) == nil ? [.wrongBase64(place)] : [] }
        guard let inner = LenientBase64.decode(String(decoding: bytes, as: UTF8.self)), (try? JSONScanner(inner)) != nil else {
            return [.malformed(place)]
        }
        return [.doubleBase64(place)]
    }
}
