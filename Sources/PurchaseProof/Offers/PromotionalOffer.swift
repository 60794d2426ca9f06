import Crypto
import Foundation
package import PurchaseModel

/// A promotional offer in the format of `SKPaymentDiscount`: a text of seven fields that a developer's server signs.
///
/// The fields are joined by the invisible separator, U+2063, in this order:
///
/// | field | value in the signed text |
/// |---|---|
/// | bundle, key, product, offer | the four identifiers, unchanged |
/// | token | the app account token or application user name in lower case; empty for none, between two separators |
/// | nonce | a UUID in lower case, new for each signature |
/// | timestamp | the time of signing in milliseconds since 1970, as a decimal number |
///
/// No field may contain the separator, because another choice of fields would then have the same text and the same signature.
///
/// The signature is ECDSA with SHA-256 over the text as UTF-8, encoded as DER and then as standard base64. An offer is valid for a day.
package struct PromotionalOffer: Hashable, Sendable {
    /// The fields of the signed text, in their order.
    package enum Field: String, CaseIterable, Hashable, Sendable {
        case bundle
        case key
        case product
        case offer
        case token
        case nonce
        case timestamp
    }

    /// The time after signing in which the App Store accepts an offer, in seconds.
    package static let lifetime: Int64 = 86_400
    /// The character between two fields of the signed text: the invisible separator, U+2063.
    package static let separator = "\u{2063}"

    /// The bundle identifier of the app that sells the subscription.
    package var bundleID: BundleID
    /// The identifier of the signing key in App Store Connect.
    package var keyID: String
    /// The product identifier of the subscription with the offer.
    package var productID: ProductID
    /// The offer's identifier in App Store Connect.
    package var offerID: String
    /// The customer's app account token or application user name; empty for none.
    package var token: String
    /// A nonce: a UUID that is different for each signature.
    package var nonce: String
    /// The time of signing, in milliseconds since 1970.
    package var timestamp: Int64

    /// Creates an offer without signing it.
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

    /// The text that the signature covers: the fields, joined by ``separator``.
    package var text: String {
        Field.allCases.map(value).joined(separator: Self.separator)
    }

    /// The first field whose value contains ``separator``; nil if the fields of the signed text are unambiguous.
    package var fieldWithSeparator: Field? {
        Field.allCases.first { Self.containsSeparator(value($0)) }
    }

    /// Returns whether a text contains ``separator``, also as a part of a character of several scalars.
    package static func containsSeparator(_ text: String) -> Bool {
        text.unicodeScalars.contains { separator.unicodeScalars.contains($0) }
    }

    /// Signs the offer and returns the signature as DER in base64.
    ///
    /// - Throws: ``BackendKeyError/separatorInField(_:)`` when a field contains the separator, and ``BackendKeyError/cannotSign`` when the
    ///   system's random number generator fails.
    package func sign(with key: BackendKey) throws(BackendKeyError) -> String {
        if let field = fieldWithSeparator { throw .separatorInField(field) }
        return try key.sign(Array(text.utf8)).derRepresentation.base64EncodedString()
    }

    /// Returns the value of a field in the signed text.
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

extension PromotionalOffer {
    /// Verifies a signature of the offer and returns the mistakes in both; the array is empty for a valid offer.
    ///
    /// When the signature is invalid, the method verifies it with texts that contain common mistakes, until one of these texts matches. The
    /// search takes up to 6,000 signature verifications, or about a fifth of a second.
    ///
    /// - Parameters:
    ///   - signature: The signature in base64.
    ///   - key: The public key of the developer's server.
    ///   - now: The time of the purchase.
    package func check(_ signature: String, with key: BackendPublicKey, now: Timestamp) -> [SigningFinding] {
        if let field = fieldWithSeparator { return [.separatorInField(field.rawValue)] }
        var findings: [SigningFinding] = []
        if let id = key.id, id != keyID { findings.append(.wrongKeyID(keyID)) }
        if IdentifierText.uuid(nonce) == nil { findings.append(.wrong(Field.nonce.rawValue)) }
        findings += dateFindings(now: now)
        guard let read = Self.read(signature) else { return findings + [.malformed("signature")] }
        findings += read.findings
        if !key.signed(text.utf8, read.signature) { findings += mistakes(read.signature, key) }
        return findings
    }

    /// The limit that tells seconds from milliseconds: a date of this century is below it in seconds, and above it in milliseconds.
    private static let secondsBelow: Int64 = 100_000_000_000

    private func dateFindings(now: Timestamp) -> [SigningFinding] {
        guard timestamp >= Self.secondsBelow else { return [.seconds(Field.timestamp.rawValue)] }
        let signed = Timestamp(milliseconds: timestamp)
        let end = signed.adding(seconds: Self.lifetime)
        if end <= now { return [.expired(end)] }
        return signed > now.adding(seconds: 60) ? [.future(signed)] : []
    }

    /// Parses a signature as DER or as the 64 bytes of r and s, and returns it with the mistakes in its encoding; nil when it is malformed.
    private static func read(_ text: String) -> (signature: P256.Signing.ECDSASignature, findings: [SigningFinding])? {
        var findings: [SigningFinding] = []
        guard var bytes = LenientBase64.decode(text) else { return nil }
        if Data(base64Encoded: text) == nil { findings.append(.wrongBase64("signature")) }
        if let inner = LenientBase64.decode(String(decoding: bytes, as: UTF8.self)) {
            findings.append(.doubleBase64("signature"))
            bytes = inner
        }
        if let signature = try? P256.Signing.ECDSASignature(derRepresentation: bytes) { return (signature, findings) }
        guard bytes.count == 64, let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes) else { return nil }
        return (signature, findings + [.rawSignature])
    }

    /// Returns the mistakes that explain a signature that is invalid for ``text``.
    private func mistakes(_ signature: P256.Signing.ECDSASignature, _ key: BackendPublicKey) -> [SigningFinding] {
        if key.signed(SHA256.hash(data: Data(text.utf8)), signature) { return [.otherText("The SHA-256 of the text")] }
        for spelling in Spelling.all where key.signed(spelling.text(of: self, Field.allCases).utf8, signature) {
            return spelling.findings(of: self)
        }
        let found = Self.firstOrder { order in key.signed(Spelling.proper.text(of: self, order).utf8, signature) }
        return found.map { [.fieldOrder($0)] } ?? [.wrongKey]
    }

    /// Returns the first of the 5,040 orders of the seven fields for which `matches` returns true; nil when there is none.
    private static func firstOrder(where matches: ([Field]) -> Bool) -> [Field]? {
        func search(_ order: [Field], _ rest: [Field]) -> [Field]? {
            guard !rest.isEmpty else { return matches(order) ? order : nil }
            for (index, field) in rest.enumerated() {
                var others = rest
                others.remove(at: index)
                if let found = search(order + [field], others) { return found }
            }
            return nil
        }
        return search([], Field.allCases)
    }
}

extension PromotionalOffer {
    /// A correct or incorrect format of the text that is signed for an offer.
    struct Spelling {
        /// The text between two fields.
        var separator = PromotionalOffer.separator
        /// Whether an empty token is omitted together with its separator.
        var omitsEmpty = false
        /// The fields that are in upper case instead of lower case.
        var upperCase: Set<Field> = []
        /// Whether the timestamp is in seconds instead of milliseconds.
        var inSeconds = false

        /// The correct format.
        static let proper = Spelling()

        /// The correct format, and the formats that result from combinations of common mistakes.
        static let all: [Spelling] = {
            // The correct separator, no separator, other invisible characters, common separators, and the escape sequence as text.
            let separators = [PromotionalOffer.separator, "", " ", "\n", ",", "|", "\u{200B}", "\u{2060}", "\\u2063"]
            return separators.flatMap { separator in
                [false, true].flatMap { omitsEmpty in
                    [[], [.nonce], [.token], [.nonce, .token]].flatMap { upperCase in
                        [false, true].map { inSeconds in
                            Spelling(separator: separator, omitsEmpty: omitsEmpty, upperCase: upperCase, inSeconds: inSeconds)
                        }
                    }
                }
            }
        }()

        /// Returns the text of an offer in this format, with the fields in the given order.
        func text(of offer: PromotionalOffer, _ order: [Field]) -> String {
            order.filter { !(omitsEmpty && $0 == .token && offer.token.isEmpty) }.map { field in
                if field == .timestamp, inSeconds { return String(offer.timestamp / 1000) }
                let value = offer.value(field)
                return upperCase.contains(field) ? value.uppercased() : value
            }.joined(separator: separator)
        }

        /// Returns the mistakes of this format.
        func findings(of offer: PromotionalOffer) -> [SigningFinding] {
            var findings: [SigningFinding] = []
            if separator != PromotionalOffer.separator { findings.append(.separator) }
            if omitsEmpty { findings.append(.missingSeparator) }
            findings += [Field.token, .nonce].filter(upperCase.contains).map { .upperCase($0.rawValue) }
            if inSeconds { findings.append(.seconds(Field.timestamp.rawValue)) }
            return findings
        }
    }
}
