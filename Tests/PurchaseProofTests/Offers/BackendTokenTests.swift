import Crypto
import Foundation
import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import PurchaseProof

@Suite struct BackendTokenTests {
    static let key = BackendKey(newWithID: "ABC1234567")
    static let issuer = "57246542-96fe-1a63-e053-0824d011072a"
    static let nonce = "3c6f8a52-91d4-4e0b-a7f3-5d2b1c0e9f84"

    @Test func `an API token names the issuer and the app and is valid for five minutes`() throws {
        let token = try APIToken(issuerID: Self.issuer, bundleID: .test, issuedAt: .testStart).sign(with: Self.key)
        let jws = try UnverifiedJWS(token)
        #expect(String(decoding: jws.header, as: UTF8.self) == #"{"alg":"ES256","kid":"ABC1234567","typ":"JWT"}"#)
        #expect(
            String(decoding: jws.payload, as: UTF8.self)
                == #"{"aud":"appstoreconnect-v1","bid":"com.example.monkeyshop","exp":1738327196,"iat":1738326896,"iss":"57246542-96fe-1a63-e053-0824d011072a"}"#
        )
        #expect(jws.signature.count == 64)
        let findings = APIToken.check(token, with: Self.key.publicKey, issuerID: Self.issuer, bundleID: .test, now: .testStart)
        #expect(findings == [])
    }

    static let subjects: [(OfferToken.Subject, String)] = [
        (
            .promotionalOffer("p", offer: "o", transaction: nil),
            #"{"aud":"promotional-offer","bid":"com.example.monkeyshop","iat":1738326896,"iss":"57246542-96fe-1a63-e053-0824d011072a","nonce":"3c6f8a52-91d4-4e0b-a7f3-5d2b1c0e9f84","offerIdentifier":"o","productId":"p"}"#
        ),
        (
            .promotionalOffer("p", offer: "o", transaction: "1"),
            #"{"aud":"promotional-offer","bid":"com.example.monkeyshop","iat":1738326896,"iss":"57246542-96fe-1a63-e053-0824d011072a","nonce":"3c6f8a52-91d4-4e0b-a7f3-5d2b1c0e9f84","offerIdentifier":"o","productId":"p","transactionId":"1"}"#
        ),
        (
            .introductoryOffer("p", isAllowed: false, transaction: "1"),
            #"{"allowIntroductoryOffer":false,"aud":"introductory-offer-eligibility","bid":"com.example.monkeyshop","iat":1738326896,"iss":"57246542-96fe-1a63-e053-0824d011072a","nonce":"3c6f8a52-91d4-4e0b-a7f3-5d2b1c0e9f84","productId":"p","transactionId":"1"}"#
        ),
        (
            .advancedCommerce(request: Array(#"{"a":"ÿ?"}"#.utf8)),
            #"{"aud":"advanced-commerce-api","bid":"com.example.monkeyshop","iat":1738326896,"iss":"57246542-96fe-1a63-e053-0824d011072a","nonce":"3c6f8a52-91d4-4e0b-a7f3-5d2b1c0e9f84","request":"eyJhIjoiw78/In0="}"#
        ),
    ]

    @Test(arguments: subjects) func `each type of offer token has its claims and no expiration`(
        subject: OfferToken.Subject, payload: String
    ) throws {
        let nonce = try #require(UUID(uuidString: Self.nonce))
        let offer = OfferToken(issuerID: Self.issuer, bundleID: .test, issuedAt: .testStart, nonce: nonce, subject: subject)
        let token = try offer.sign(with: Self.key)
        #expect(String(decoding: try UnverifiedJWS(token).payload, as: UTF8.self) == payload)
        let findings = OfferToken.check(
            token, for: subject.audience, with: Self.key.publicKey, issuerID: Self.issuer, bundleID: .test, now: .testStart
        )
        #expect(findings == [])
    }

    /// Signs a token with the given JSON texts, independent of the library's token types.
    private static func token(
        header: String = #"{"alg":"ES256","kid":"ABC1234567","typ":"JWT"}"#, _ payload: String, key: BackendKey = key,
        encode: (P256.Signing.ECDSASignature) -> Data = { $0.rawRepresentation }, message: (String) -> [UInt8] = { Array($0.utf8) }
    ) throws -> String {
        let text = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(payload.utf8))
        return text + "." + Base64URL.encode(encode(try key.sign(message(text))))
    }

    private static func claims(
        iss: String = "\"\(issuer)\"", iat: String = "1738326896", exp: String = "1738330496", aud: String = #""appstoreconnect-v1""#,
        bid: String = #""com.example.monkeyshop""#, more: String = ""
    ) -> String {
        #"{"iss":\#(iss),"iat":\#(iat),"exp":\#(exp),"aud":\#(aud),"bid":\#(bid)\#(more)}"#
    }

    /// A token and the expected findings.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let findings: [SigningFinding]
        let token: @Sendable () throws -> String

        init(_ name: String, _ findings: [SigningFinding], _ token: @escaping @Sendable () throws -> String) {
            testDescription = name
            self.findings = findings
            self.token = token
        }
    }

    static let apiTokens: [Case] = [
        Case("a lifetime of one hour", []) { try token(claims()) },
        Case("an additional nonce", []) { try token(claims(more: #","nonce":"1""#)) },
        Case("a lifetime of one hour and one second", [.lifetimeTooLong(3601)]) { try token(claims(exp: "1738330497")) },
        Case("fractions of a second, as in tokens of jwt-kit", []) {
            try token(claims(iat: "1738326896.1234567", exp: "1738330496.1234567"))
        },
        Case("an exponent", []) { try token(claims(iat: "1.738326896e9", exp: "1738330496.0")) },
        Case("a lifetime of one hour and half a second", [.lifetimeTooLong(3601)]) { try token(claims(exp: "1738330496.5")) },
        Case("expired for one millisecond", [.expired(.testStart.adding(milliseconds: -1))]) {
            try token(claims(iat: "1738326000.25", exp: "1738326895.999"))
        },
        Case("an issue date above the time range", [.milliseconds("payload.iat"), .future(Timestamp(milliseconds: .max))]) {
            try token(claims(iat: "1e300"))
        },
        Case("an issue date below the time range", [.lifetimeTooLong(Int64.max / 1000 + 1_738_330_496)]) {
            try token(claims(iat: "-1e300"))
        },
        Case("expired", [.expired(.testStart)]) { try token(claims(iat: "1738326000", exp: "1738326896")) },
        Case("issued tomorrow", [.future(.testStart.adding(days: 1))]) { try token(claims(iat: "1738413296", exp: "1738413396")) },
        Case("dates in milliseconds", [.milliseconds("payload.iat"), .milliseconds("payload.exp")]) {
            try token(claims(iat: "1738326896000", exp: "1738327196000"))
        },
        Case("a date that is text", [.wrong("payload.iat")]) { try token(claims(iat: #""1738326896""#)) },
        Case("another audience", [.wrong("payload.aud")]) { try token(claims(aud: #""appstoreconnect-v2""#)) },
        Case("an audience that is a list", [.wrong("payload.aud")]) { try token(claims(aud: #"["appstoreconnect-v1"]"#)) },
        Case("another app", [.wrong("payload.bid")]) { try token(claims(bid: #""com.example.other""#)) },
        Case("another issuer", [.wrong("payload.iss")]) { try token(claims(iss: #""x""#)) },
        Case(
            "no claims",
            ["iss", "aud", "bid", "iat", "exp"].map { .missing("payload.\($0)") }
        ) { try token("{}") },
        Case("no algorithm", [.algorithm]) { try token(header: #"{"alg":"none","kid":"ABC1234567","typ":"JWT"}"#, claims()) },
        Case("another key identifier", [.wrongKeyID("OTHER12345")]) {
            try token(header: #"{"alg":"ES256","kid":"OTHER12345","typ":"JWT"}"#, claims())
        },
        Case("no key identifier", [.missing("header.kid")]) { try token(header: #"{"alg":"ES256","typ":"JWT"}"#, claims()) },
        Case("no type", [.missing("header.typ")]) { try token(header: #"{"alg":"ES256","kid":"ABC1234567"}"#, claims()) },
        Case("another type", [.wrong("header.typ")]) { try token(header: #"{"alg":"ES256","kid":"ABC1234567","typ":"JWS"}"#, claims()) },
        Case("another key", [.wrongKey]) { try token(claims(), key: BackendKey(newWithID: "ABC1234567")) },
        Case("DER", [.derSignature]) { try token(claims()) { $0.derRepresentation } },
        Case("base64 twice", [.doubleBase64("signature")]) {
            try token(claims()) { Data($0.rawRepresentation.base64EncodedString().utf8) }
        },
        Case("a truncated signature", [.malformed("signature")]) { try token(claims()) { $0.rawRepresentation.dropLast() } },
        Case("the digest signed again", [.otherText("The SHA-256 of header and payload")]) {
            try token(claims(), message: { Array(SHA256.hash(data: Data($0.utf8))) })
        },
        Case("the payload alone", [.otherText("The payload alone")]) {
            try token(claims(), message: { Array($0.utf8.split(separator: UInt8(ascii: "."))[1]) })
        },
        Case("the JSON", [.otherText("The JSON of header and payload")]) {
            try token(claims(), message: { _ in Array((#"{"alg":"ES256","kid":"ABC1234567","typ":"JWT"}."# + claims()).utf8) })
        },
        Case("standard base64", [.wrongBase64("header")]) {
            let parts = [#"{"alg":"ES256","kid":"ABC1234567","typ":"JWT"}"#, claims()].map { Data($0.utf8).base64EncodedString() }
            let text = parts.joined(separator: ".")
            return try text + "." + key.sign(Array(text.utf8)).rawRepresentation.base64EncodedString()
        },
        Case("two audiences", [.malformed("payload.aud")]) { try token(claims(more: #","aud":"x""#)) },
        Case("not a token", [.malformed("parts")]) { "hello" },
    ]

    @Test(arguments: apiTokens) func `each mistake in an API token has its finding`(case: Case) throws {
        let findings = APIToken.check(
            try `case`.token(), with: Self.key.publicKey, issuerID: Self.issuer, bundleID: .test, now: .testStart
        )
        #expect(findings == `case`.findings)
    }

    static let accepted: [Case] = [
        Case("a lifetime of one hour", []) { try token(claims()) },
        Case("no type", []) { try token(header: #"{"alg":"ES256","kid":"ABC1234567"}"#, claims()) },
        Case("no issue date", []) { try token(claims(more: "").replacing(#""iat":1738326896,"#, with: "")) },
        Case("no issue date, and an expiration in more than one hour", [.lifetimeTooLong(3601)]) {
            try token(claims(exp: "1738330557").replacing(#""iat":1738326896,"#, with: ""))
        },
        Case("issued one minute in the future", []) { try token(claims(iat: "1738326956")) },
        Case("issued more than one minute in the future", [.future(.testStart.adding(seconds: 61))]) {
            try token(claims(iat: "1738326957"))
        },
        Case("another issuer", [.wrong("payload.iss")]) { try token(claims(iss: #""x""#)) },
        Case("another key", [.wrongKey]) { try token(claims(), key: BackendKey(newWithID: "ABC1234567")) },
        Case("no expiration", [.missing("payload.exp")]) { try token(claims().replacing(#""exp":1738330496,"#, with: "")) },
        Case("not a token", [.malformed("parts")]) { "hello" },
    ]

    @Test(arguments: accepted) func `a store accepts the tokens that the App Store accepts`(case: Case) throws {
        let answer = APIToken.admit(try `case`.token(), with: Self.key.publicKey, issuerID: Self.issuer, now: .testStart)
        #expect(answer.findings == `case`.findings)
        #expect(answer.bundleID == (`case`.findings == [.malformed("parts")] ? nil : .test))
    }

    private static func offer(_ aud: String, _ members: String, nonce: String = nonce) throws -> String {
        try token(#"{"iss":"\#(issuer)","iat":1738326896,"bid":"com.example.monkeyshop","nonce":"\#(nonce)","aud":"\#(aud)"\#(members)}"#)
    }

    static let offerTokens: [Case] = [
        Case("a promotional offer", []) { try offer("promotional-offer", #","productId":"p","offerIdentifier":"o""#) },
        Case("without its members", [.missing("payload.productId"), .missing("payload.offerIdentifier")]) {
            try offer("promotional-offer", "")
        },
        Case("with a number for a transaction", [.wrong("payload.transactionId")]) {
            try offer("promotional-offer", #","productId":"p","offerIdentifier":"o","transactionId":1"#)
        },
        Case("with an expiration", [.unexpected("payload.exp")]) {
            try offer("promotional-offer", #","productId":"p","offerIdentifier":"o","exp":1738327196"#)
        },
        Case("with a nonce in upper case", [.upperCase("payload.nonce")]) {
            try offer("promotional-offer", #","productId":"p","offerIdentifier":"o""#, nonce: nonce.uppercased())
        },
        Case("with a nonce that is not a UUID", [.wrong("payload.nonce")]) {
            try offer("promotional-offer", #","productId":"p","offerIdentifier":"o""#, nonce: "1")
        },
        Case("eligibility without a transaction", [.missing("payload.transactionId")]) {
            try offer("introductory-offer-eligibility", #","productId":"p","allowIntroductoryOffer":true"#)
        },
        Case("eligibility as text", [.wrong("payload.allowIntroductoryOffer")]) {
            try offer("introductory-offer-eligibility", #","productId":"p","allowIntroductoryOffer":"true","transactionId":"1""#)
        },
        Case("a request in base64url", [.wrongBase64("payload.request")]) {
            try offer("advanced-commerce-api", ",\"request\":\"\(Base64URL.encode(Array(#"{"a":"ÿ?"}"#.utf8)))\"")
        },
        Case("a request in base64 twice", [.doubleBase64("payload.request")]) {
            let twice = Data(Data(#"{"a":1}"#.utf8).base64EncodedString().utf8).base64EncodedString()
            return try offer("advanced-commerce-api", ",\"request\":\"\(twice)\"")
        },
        Case("a request in plain JSON", [.malformed("payload.request")]) { try offer("advanced-commerce-api", #","request":"{}""#) },
        Case("no request", [.missing("payload.request")]) { try offer("advanced-commerce-api", "") },
        Case("an API token", [.missing("payload.nonce"), .unexpected("payload.exp"), .wrong("payload.aud")]) { try token(claims()) },
    ]

    @Test(arguments: offerTokens) func `each mistake in an offer token has its finding`(case: Case) throws {
        let findings = OfferToken.check(
            try `case`.token(), with: Self.key.publicKey, issuerID: Self.issuer, bundleID: .test, now: .testStart
        )
        #expect(findings == `case`.findings)
    }

    @Test func `a token for one audience is not valid for another`() throws {
        let token = try Self.offer("promotional-offer", #","productId":"p","offerIdentifier":"o""#)
        #expect(OfferToken.check(token, for: .introductoryOffer, with: Self.key.publicKey, now: .testStart) == [.wrong("payload.aud")])
    }

    @Test func `every finding has a unique code`() {
        let findings: [SigningFinding] = [
            .malformed(""), .algorithm, .doubleBase64(""), .wrongBase64(""), .rawSignature, .derSignature, .wrongKeyID(""), .wrongKey,
            .otherText(""), .fieldOrder([]), .separator, .missingSeparator, .upperCase(""), .seconds(""), .milliseconds(""), .missing(""),
            .wrong(""), .unexpected(""), .expired(.testStart), .future(.testStart), .lifetimeTooLong(1),
        ]
        #expect(Set(findings.map(\.code)).count == findings.count)
        #expect(findings.allSatisfy { $0.message.hasSuffix(".") })
    }
}
