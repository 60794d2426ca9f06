import Crypto
import Foundation
package import PurchaseModel

/// A promotional offer in its original format: seven fields joined by U+2063, signed by a developer's server.
///
/// | field | |
/// |---|---|
/// | bundle, key, product, offer | unchanged |
/// | token | the customer's token or application user name in lower case; may be empty, with its separators |
/// | nonce | a UUID in lower case, new for each signature |
/// | timestamp | milliseconds, decimal; the offer is valid for a day |
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

    /// The lifetime of an offer in seconds.
    package static let lifetime: Int64 = 86_400
    /// The separator of the fields: the invisible separator, U+2063.
    package static let separator = "\u{2063}"

    /// The app.
    package var bundleID: BundleID
    /// The identifier of the key.
    package var keyID: String
    /// The subscription.
    package var productID: ProductID
    /// The offer's identifier in App Store Connect.
    package var offerID: String
    /// The customer's token or application user name; empty for none.
    package var token: String
    /// A new UUID for each signature.
    package var nonce: String
    /// The time of signing, in milliseconds since 1970.
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

    /// The signed text.
    package var text: String {
        Field.allCases.map(value).joined(separator: Self.separator)
    }

    /// Signs the offer and returns the signature in base64.
    package func sign(with key: BackendKey) throws(BackendKeyError) -> String {
        try key.sign(Array(text.utf8)).derRepresentation.base64EncodedString()
    }

    /// The value of a field in the signed text.
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
    /// Verifies a signature of the offer and returns its mistakes; empty for a valid signature.
    ///
    /// When the signature is invalid, the method tries common mistakes until one explains the signature. Cost: up to 6,000 signature
    /// verifications, a fifth of a second.
    package func check(_ signature: String, with key: BackendPublicKey, now: Timestamp) -> [SigningFinding] {
        var findings: [SigningFinding] = []
        if let id = key.id, id != keyID { findings.append(.wrongKeyID(keyID)) }
        if IdentifierText.uuid(nonce) == nil { findings.append(.wrong(Field.nonce.rawValue)) }
        findings += dateFindings(now: now)
        guard let read = Self.read(signature) else { return findings + [.malformed("signature")] }
        findings += read.findings
        if !key.signed(text.utf8, read.signature) { findings += mistakes(read.signature, key) }
        return findings
    }

    /// Every timestamp of this century is below this value in seconds, and above it in milliseconds.
    private static let secondsBelow: Int64 = 100_000_000_000

    private func dateFindings(now: Timestamp) -> [SigningFinding] {
        guard timestamp >= Self.secondsBelow else { return [.seconds(Field.timestamp.rawValue)] }
        let signed = Timestamp(milliseconds: timestamp)
        let end = signed.adding(seconds: Self.lifetime)
        if end <= now { return [.expired(end)] }
        return signed > now.adding(seconds: 60) ? [.future(signed)] : []
    }

    /// Parses a signature in any format.
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

    /// The mistakes that explain an invalid signature.
    private func mistakes(_ signature: P256.Signing.ECDSASignature, _ key: BackendPublicKey) -> [SigningFinding] {
        if key.signed(SHA256.hash(data: Data(text.utf8)), signature) { return [.otherText("The SHA-256 of the text")] }
        for spelling in Spelling.all where key.signed(spelling.text(of: self, Field.allCases).utf8, signature) {
            return spelling.findings(of: self)
        }
        let found = Self.firstOrder { order in key.signed(Spelling.proper.text(of: self, order).utf8, signature) }
        return found.map { [.fieldOrder($0)] } ?? [.wrongKey]
    }

    /// The first of the 5,040 orders of the fields that matches.
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
    /// A format of the signed text, correct or incorrect.
    struct Spelling {
        /// The separator of the fields.
        var separator = PromotionalOffer.separator
        /// Whether an empty token was omitted.
        var omitsEmpty = false
        /// The fields in upper case.
        var upperCase: Set<Field> = []
        /// Whether the timestamp is in seconds.
        var inSeconds = false

        /// The correct format.
        static let proper = Spelling()

        /// The formats that explain common mistakes.
        static let all: [Spelling] = {
            // The correct separator, none, invisible ones, and common ones.
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

        /// The text of an offer in this format.
        func text(of offer: PromotionalOffer, _ order: [Field]) -> String {
            order.filter { !(omitsEmpty && $0 == .token && offer.token.isEmpty) }.map { field in
                if field == .timestamp, inSeconds { return String(offer.timestamp / 1000) }
                let value = offer.value(field)
                return upperCase.contains(field) ? value.uppercased() : value
            }.joined(separator: separator)
        }

        /// The mistakes of this format.
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
