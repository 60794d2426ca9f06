package import Foundation
package import PurchaseModel

/// A JWS with which a developer's server authorizes one purchase.
///
/// The purchase has a promotional offer or an introductory offer, or is an Advanced Commerce request.
package struct OfferToken: Hashable, Sendable {
    /// The purchases that a token can authorize.
    package enum Subject: Hashable, Sendable {
        /// A promotional offer, with an optional transaction of the customer.
        case promotionalOffer(ProductID, offer: String, transaction: String?)
        /// The customer's eligibility for the introductory offer, with a transaction of the customer.
        case introductoryOffer(ProductID, isAllowed: Bool, transaction: String)
        /// An Advanced Commerce request, as JSON.
        case advancedCommerce(request: [UInt8])
    }

    /// The developer's issuer identifier in App Store Connect, a UUID.
    package var issuerID: String
    /// The app.
    package var bundleID: BundleID
    /// The date when the token was issued, in whole seconds.
    package var issuedAt: Timestamp
    /// A new UUID for each token.
    package var nonce: UUID
    /// The authorized purchase.
    package var subject: Subject

    /// Creates a token that is not signed yet.
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

    /// Signs the token.
    ///
    /// It has no `exp`: the App Store computes the expiration from `iat`.
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
    /// The purpose of the token, as in `aud`.
    package var audience: OfferToken.Audience {
        switch self {
        case .promotionalOffer: .promotionalOffer
        case .introductoryOffer: .introductoryOffer
        case .advancedCommerce: .advancedCommerce
        }
    }
}

extension OfferToken {
    /// The purpose of a token, as in `aud`.
    package enum Audience: String, CaseIterable, Hashable, Sendable {
        /// A promotional offer.
        case promotionalOffer = "promotional-offer"
        /// Eligibility for an introductory offer.
        case introductoryOffer = "introductory-offer-eligibility"
        /// An Advanced Commerce request.
        case advancedCommerce = "advanced-commerce-api"
    }

    /// Checks a token and returns its mistakes; empty for a valid token.
    ///
    /// - Parameters:
    ///   - audience: The required purpose; nil for the stated one.
    ///   - issuerID: The required issuer; nil for any.
    ///   - bundleID: The required app; nil for any.
    ///   - now: The time of the purchase. The lifetime of a token is not published, so an old token is not a mistake.
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
