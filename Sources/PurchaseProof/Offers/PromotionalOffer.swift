import Crypto
import Foundation
package import PurchaseModel

/// A promotional offer in its first form: seven fields joined by U+2063, signed by the developer's server.
///
/// | field | |
/// |---|---|
/// | bundle, key, product, offer | as they are |
/// | token | the customer's token or application user name in lower case; may be empty, its separators stay |
/// | nonce | a UUID in lower case, new for each signature |
/// | timestamp | milliseconds, decimal; the offer is good for a day |
///
/// The signature is ECDSA over SHA-256 of the UTF-8 text, DER, in standard base64.
package struct PromotionalOffer: Hashable, Sendable {
    /// The fields in the order in which they are signed.
    package enum Field: String, CaseIterable, Hashable, Sendable {
        case bundle
        case key
        case product
        case offer
        case token
        case nonce
        case timestamp
    }

    /// How long an offer is good, in seconds.
    package static let lifetime: Int64 = 86_400
    /// What joins the fields: the invisible separator, U+2063.
    package static let separator = "\u{2063}"

    /// The app.
    package var bundleID: BundleID
    /// The identifier of the key that signs.
    package var keyID: String
    /// The subscription.
    package var productID: ProductID
    /// The offer's identifier in App Store Connect.
    package var offerID: String
    /// The customer's token or application user name; empty for none.
    package var token: String
    /// A UUID, new for each signature.
    package var nonce: String
    /// When it was signed, in milliseconds.
    package var timestamp: Int64

    /// Creates an offer that is not signed yet.
    package init(
        bundleID: BundleID, keyID: String, productID: ProductID, offerID: String, token: String, nonce: String, timestamp: Int64
    ) {
        self.bundleID = bundleID
        self.keyID = keyID
        self.productID = productID
        self.offerID = offerID
        self.token = token
        self.nonce = nonce
        self.timestamp = timestamp
    }

    /// The text that is signed.
    package var text: String {
        Field.allCases.map(value).joined(separator: Self.separator)
    }

    /// The signature in base64, as the app hands it to the store.
    package func sign(with key: BackendKey) throws(BackendKeyError) -> String {
        try key.sign(Array(text.utf8)).derRepresentation.base64EncodedString()
    }

    /// A field as it is signed.
    func value(_ field: Field) -> String {
        switch field {
        case .bundle: bundleID.rawValue
        case .key: keyID
        case .product: productID.rawValue
        case .offer: offerID
        case .token: token.lowercased()
        case .nonce: nonce.lowercased()
        case .timestamp: String(timestamp)
        }
    }
}
