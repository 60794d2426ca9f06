package import Foundation
package import PurchaseModel

/// A JWS by which the developer's server allows one purchase: an offer, a trial, or a request of Advanced Commerce.
package struct OfferToken: Hashable, Sendable {
    /// What is allowed.
    package enum Subject: Hashable, Sendable {
        /// A promotional offer; the transaction is any of the customer's, and may be left out.
        case promotionalOffer(ProductID, offer: String, transaction: String?)
        /// Whether a customer may have the introductory offer; the transaction is any of the customer's.
        case introductoryOffer(ProductID, isAllowed: Bool, transaction: String)
        /// A request of Advanced Commerce, as JSON.
        case advancedCommerce(request: [UInt8])
    }

    /// The developer's issuer identifier in App Store Connect, a UUID.
    package var issuerID: String
    /// The app.
    package var bundleID: BundleID
    /// When it was made; whole seconds count.
    package var issuedAt: Timestamp
    /// New for each token.
    package var nonce: UUID
    /// What is allowed.
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

    /// The token.
    ///
    /// It has no `exp`: the store reckons from `iat`.
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
    /// What the token is for, by its name in `aud`.
    package var audience: OfferToken.Audience {
        switch self {
        case .promotionalOffer: .promotionalOffer
        case .introductoryOffer: .introductoryOffer
        case .advancedCommerce: .advancedCommerce
        }
    }
}
