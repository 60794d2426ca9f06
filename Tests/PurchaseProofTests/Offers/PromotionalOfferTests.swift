import Crypto
import Foundation
import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import PurchaseProof

@Suite struct PromotionalOfferTests {
    static let key = BackendKey(newWithID: "ABC1234567")
    static let token = "7e3fb204-2bb7-4c4b-a6a0-8a9e1f8b7d21"
    static let nonce = "3c6f8a52-91d4-4e0b-a7f3-5d2b1c0e9f84"

    static let offer = PromotionalOffer(
        bundleID: .test, keyID: key.id, productID: "com.example.monkeyshop.magazine", offerID: "comeback", token: token, nonce: nonce,
        timestamp: Timestamp.testStart.milliseconds
    )

    @Test func `the signed text has seven fields, joined by U+2063, with lowercase identifiers`() {
        var offer = Self.offer
        offer.token = Self.token.uppercased()
        offer.nonce = Self.nonce.uppercased()
        let separator = String(decoding: [0xE2, 0x81, 0xA3], as: UTF8.self)
        let fields = [
            "com.example.monkeyshop", "ABC1234567", "com.example.monkeyshop.magazine", "comeback", Self.token, Self.nonce, "1738326896000",
        ]
        #expect(offer.text == fields.joined(separator: separator))
        offer.token = ""
        #expect(offer.text.contains("comeback\(separator)\(separator)\(Self.nonce)"))
    }

    @Test(arguments: ["", token, "Somebody"]) func `a signature of the library has no findings`(token: String) throws {
        var offer = Self.offer
        offer.token = token
        let signature = try offer.sign(with: Self.key)
        #expect(try P256.Signing.ECDSASignature(derRepresentation: Data(base64Encoded: signature) ?? Data()).rawRepresentation.count == 64)
        #expect(offer.check(signature, with: Self.key.publicKey, now: .testStart) == [])
    }

    @Test(arguments: [PromotionalOffer.Field.bundle, .key, .product, .offer, .token, .nonce])
    func `an offer with the separator in a field is not signed, and has no valid signature`(_ field: PromotionalOffer.Field) throws {
        // As the first of two scalars of one character, a search for characters does not find it.
        for separator in ["\u{2063}", "\u{2063}\u{301}"] {
            var offer = Self.offer
            switch field {
            case .bundle: offer.bundleID = BundleID("a\(separator)b")
            case .key: offer.keyID = "a\(separator)b"
            case .product: offer.productID = ProductID("a\(separator)b")
            case .offer: offer.offerID = "a\(separator)b"
            case .token: offer.token = "a\(separator)b"
            case .nonce: offer.nonce = "a\(separator)b"
            case .timestamp: break
            }
            #expect(throws: BackendKeyError.separatorInField(field)) { try offer.sign(with: Self.key) }
            let signature = try Self.key.sign(Array(offer.text.utf8)).derRepresentation.base64EncodedString()
            #expect(offer.check(signature, with: Self.key.publicKey, now: .testStart) == [.separatorInField(field.rawValue)])
        }
    }

    @Test func `one signature does not sell two offers`() throws {
        // Both have the same text: the first one's offer contains what the second one has in two fields.
        var (first, second) = (Self.offer, Self.offer)
        (first.offerID, first.token) = ("comeback\u{2063}x", "y")
        (second.offerID, second.token) = ("comeback", "x\u{2063}y")
        #expect(first.text == second.text)
        let signature = try Self.key.sign(Array(first.text.utf8)).derRepresentation.base64EncodedString()
        for offer in [first, second] { #expect(!offer.check(signature, with: Self.key.publicKey, now: .testStart).isEmpty) }
    }

    @Test func `a private key is read from a .p8 file, and the public key from either PEM file`() throws {
        let key = try BackendKey(pem: Self.key.pem, id: "ABC1234567")
        let signature = try Self.offer.sign(with: key)
        for pem in [Self.key.pem, Self.key.publicKey.pem] {
            let publicKey = try BackendPublicKey(pem: pem, id: nil)
            #expect(Self.offer.check(signature, with: publicKey, now: .testStart) == [])
        }
        #expect(throws: BackendKeyError.notAPrivateKey) { try BackendKey(pem: Self.key.publicKey.pem, id: "") }
        #expect(throws: BackendKeyError.notAKey) { try BackendPublicKey(pem: "hello", id: "") }
    }

    /// A mistake in signing and the expected findings.
    struct Mistake: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let findings: [SigningFinding]
        var offer = PromotionalOfferTests.offer
        var now = Timestamp.testStart
        let sign: @Sendable (PromotionalOffer) throws -> String

        init(
            _ name: String, _ findings: [SigningFinding], token: String = PromotionalOfferTests.token,
            of changed: PromotionalOffer = PromotionalOfferTests.offer, now: Timestamp = .testStart,
            _ sign: @escaping @Sendable (PromotionalOffer) throws -> String = { try $0.sign(with: PromotionalOfferTests.key) }
        ) {
            testDescription = name
            self.findings = findings
            self.sign = sign
            self.now = now
            offer = changed
            offer.token = token
        }
    }

    private static func changed(keyID: String? = nil, nonce: String? = nil, timestamp: Int64? = nil) -> PromotionalOffer {
        var offer = offer
        offer.keyID = keyID ?? offer.keyID
        offer.nonce = nonce ?? offer.nonce
        offer.timestamp = timestamp ?? offer.timestamp
        return offer
    }

    private static func signed(_ fields: [String], _ separator: String = PromotionalOffer.separator) throws -> String {
        try key.sign(Array(fields.joined(separator: separator).utf8)).derRepresentation.base64EncodedString()
    }

    private static func fields(_ offer: PromotionalOffer) -> [String] { PromotionalOffer.Field.allCases.map(offer.value) }

    private static func swapped(_ one: Int, _ other: Int) -> [PromotionalOffer.Field] {
        var order = PromotionalOffer.Field.allCases
        order.swapAt(one, other)
        return order
    }

    static let mistakes: [Mistake] = [
        Mistake("product and offer swapped", [.fieldOrder(swapped(2, 3))]) { try signed(swapped(2, 3).map($0.value)) },
        Mistake("timestamp and nonce swapped", [.fieldOrder(swapped(5, 6))]) { try signed(swapped(5, 6).map($0.value)) },
        Mistake("fields in reverse order", [.fieldOrder(PromotionalOffer.Field.allCases.reversed())]) {
            try signed(PromotionalOffer.Field.allCases.reversed().map($0.value))
        },
        Mistake("another key", [.wrongKey]) { try $0.sign(with: BackendKey(newWithID: "ABC1234567")) },
        Mistake("another key identifier", [.wrongKeyID("OTHER12345")], of: changed(keyID: "OTHER12345")),
        Mistake("another product", [.wrongKey]) { offer in
            var offer = offer
            offer.productID = "other"
            return try offer.sign(with: key)
        },
        Mistake("base64 twice", [.doubleBase64("signature")]) { Data(try $0.sign(with: key).utf8).base64EncodedString() },
        Mistake("base64url", [.wrongBase64("signature")]) {
            let der = Data(base64Encoded: try $0.sign(with: key)) ?? Data()
            return Base64URL.encode(der) + "\n"
        },
        Mistake("raw r and s", [.rawSignature]) { try key.sign(Array($0.text.utf8)).rawRepresentation.base64EncodedString() },
        Mistake("no base64", [.malformed("signature")]) { _ in "MEUC!" },
        Mistake("an empty signature", [.malformed("signature")]) { _ in "" },
        Mistake("base64 of something else", [.malformed("signature")]) { _ in "aGVsbG8=" },
        Mistake("the digest signed again", [.otherText("The SHA-256 of the text")]) { offer in
            try key.sign(Array(SHA256.hash(data: Data(offer.text.utf8)))).derRepresentation.base64EncodedString()
        },
        Mistake("upper-case nonce", [.upperCase("nonce")]) { offer in
            try signed(fields(offer).map { $0 == nonce ? $0.uppercased() : $0 })
        },
        Mistake("upper-case token", [.upperCase("token")]) { offer in
            try signed(fields(offer).map { $0 == token ? $0.uppercased() : $0 })
        },
        Mistake("both in upper case", [.upperCase("token"), .upperCase("nonce")]) { offer in
            try signed(fields(offer).map { $0 == nonce || $0 == token ? $0.uppercased() : $0 })
        },
        Mistake("an omitted empty token", [.missingSeparator], token: "") { offer in
            try signed(fields(offer).filter { !$0.isEmpty })
        },
        Mistake("commas", [.separator]) { try signed(fields($0), ",") },
        Mistake("no separators", [.separator]) { try signed(fields($0), "") },
        Mistake("the separator's escape", [.separator]) { try signed(fields($0), "\\u2063") },
        Mistake("seconds signed", [.seconds("timestamp")]) { try signed(fields($0).dropLast() + [String($0.timestamp / 1000)]) },
        Mistake("seconds given", [.seconds("timestamp")], of: changed(timestamp: offer.timestamp / 1000)),
        Mistake("upper-case nonce, commas and seconds", [.separator, .upperCase("nonce"), .seconds("timestamp")]) { offer in
            try signed(fields(offer).dropLast().map { $0 == nonce ? $0.uppercased() : $0 } + [String(offer.timestamp / 1000)], ",")
        },
        Mistake("a nonce that is not a UUID", [.wrong("nonce")], of: changed(nonce: "1")),
        Mistake("a day later", [.expired(.testStart.adding(days: 1))], now: .testStart.adding(days: 1)),
        Mistake("one second less than a day later", [], now: .testStart.adding(seconds: 86_399)),
        Mistake("a day earlier", [.future(.testStart)], now: .testStart.adding(days: -1)),
    ]

    @Test(arguments: mistakes) func `each mistake in signing has its finding`(mistake: Mistake) throws {
        let signature = try mistake.sign(mistake.offer)
        #expect(mistake.offer.check(signature, with: Self.key.publicKey, now: mistake.now) == mistake.findings)
    }
}
