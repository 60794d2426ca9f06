import FoundationExtras
import PurchaseTestSupport
import SwiftASN1
import Testing

@testable import PurchaseIssuing
@testable import PurchaseModel
@testable import PurchaseProof

/// Tests of encoded attributes, device hashes, and missing, repeated and invalid attributes.
@Suite struct ReceiptFieldsTests {
    @Test(
        arguments: try [
            ("301b 020100 020101 0413 0c11 50726f64756374696f6e53616e64626f78", EncodedAttribute(.receiptType, "ProductionSandbox")),
            ("3019 020102 020101 0411 0c0f 636f6d2e6578616d706c652e617070", EncodedAttribute(.bundleID, "com.example.app")),
            ("3018 020104 020102 0410 000102030405060708090a0b0c0d0e0f", EncodedAttribute(.opaqueValue, raw: Array(0..<16), version: 2)),
            ("301e 02010c 020101 0416 1614 323032352d30312d33315431323a33343a35365a", EncodedAttribute(.creationDate, Timestamp.testStart)),
            ("300c 020206a5 020101 0403 020101", EncodedAttribute(.quantity, 1)),
            ("300b 020206ac 020101 0402 1600", EncodedAttribute(.expiresDate, nil)),
        ])
    func `attributes are encoded as in Apple's receipts`(hex: String, attribute: EncodedAttribute) throws {
        var serializer = DER.Serializer()
        try serializer.serialize(attribute)
        #expect(serializer.serializedBytes == bytes(hex))
    }

    @Test func `the encoded attributes are parsed`() throws {
        let purchase = bytes("300c 020206a5 020101 0403 020101" + "300b 020206ac 020101 0402 1600")
        let basics = try EncodedAttribute.encodeUnsorted(EncodedAttribute.purchaseBasics).dropFirst(2)
        let set = [0x31, UInt8(purchase.count + basics.count)] + purchase + basics
        let entry = [0x30, 0x81, UInt8(set.count + 8)] + bytes("020111 020101") + [0x04, UInt8(set.count)] + set
        let app =
            bytes("301b 020100 020101 0413 0c11 50726f64756374696f6e53616e64626f78")
            + bytes("3019 020102 020101 0411 0c0f 636f6d2e6578616d706c652e617070")
            + bytes("3018 020104 020102 0410 000102030405060708090a0b0c0d0e0f")
            + bytes("301e 02010c 020101 0416 1614 323032352d30312d33315431323a33343a35365a")
        let payload = try ReceiptPayload([0x31, 0x82, 0, UInt8(app.count + entry.count)] + app + entry)
        #expect(payload.receiptType == "ProductionSandbox")
        #expect(payload.bundleID == "com.example.app")
        #expect(payload.bundleOctets == bytes("0c0f636f6d2e6578616d706c652e617070"))
        #expect(payload.opaqueValue == Array(0..<16))
        #expect(payload.attributes.map(\.version) == [1, 1, 2, 1, 1])
        #expect(payload.creationDate == .testStart)
        #expect(payload.purchases.first?.quantity == 1)
        #expect(payload.purchases.first?.expiresDate == nil)
    }

    @Test(arguments: [
        ("00112233445566778899aabbccddeeff", "06fbea71c78897c941d868f652c86c7bccbf36fe", "0c0f636f6d2e6578616d706c652e617070", true),
        ("f8ffc2000001", "25e7e8b5fa22d4b9477198d7ad84c50dce212350", "0c0f636f6d2e6578616d706c652e617070", true),
        // A hash of the bundle ID's text without the ASN.1 header, which is a common mistake.
        ("00112233445566778899aabbccddeeff", "64ece9a2bda544ec2a779ce02569174598419a6c", "636f6d2e6578616d706c652e617070", false),
    ])
    func `the device hash covers the identifier, the opaque value and the encoded bundle ID`(
        guid: String, hash: String, octets: String, isRight: Bool
    ) throws {
        #expect(DeviceHash.bytes(guid: bytes(guid), opaqueValue: Array(0..<16), bundleOctets: bytes(octets)) == bytes(hash))
        let payload = try ReceiptPayload(with: [
            EncodedAttribute(.opaqueValue, raw: Array(0..<16), version: 2), EncodedAttribute(.deviceHash, raw: bytes(hash)),
        ])
        #expect(DeviceHashCheck(guid: bytes(guid)).matches(payload) == isRight)
    }

    @Test func `attributes that Xcode omits from a purchase have default values`() throws {
        let payload = try ReceiptPayload(purchase: [
            EncodedAttribute(.quantity, 3), EncodedAttribute(.productID, "p"), EncodedAttribute(.transactionID, "0"),
            EncodedAttribute(.purchaseDate, ascii: "2020-07-22T18:33:15+0100"), EncodedAttribute(.expiresDate, nil),
            EncodedAttribute(.isInIntroOfferPeriod, 0),
        ])
        let purchase = try #require(payload.purchases.first)
        #expect(purchase.originalTransactionID == "0")
        #expect(purchase.purchaseDate.description == "2020-07-22T17:33:15Z")
        #expect(purchase.originalPurchaseDate == purchase.purchaseDate)
        #expect(purchase.productType == nil)
        #expect(purchase.expiresDate == nil)
        #expect(purchase.webOrderLineItemID == nil)
        #expect(purchase.isInIntroOfferPeriod == false)
        #expect(purchase.isTrialPeriod == nil)
    }

    @Test func `a purchase without a quantity or a purchase date has quantity 1 and the original date`() throws {
        let purchase = try #require(
            ReceiptPayload(purchase: [
                EncodedAttribute(.productID, "p"), EncodedAttribute(.transactionID, "1"), EncodedAttribute(.purchaseDate, nil),
                EncodedAttribute(.purchaseOriginalDate, Timestamp.testStart),
            ]).purchases.first)
        #expect(purchase.quantity == 1)
        #expect(purchase.purchaseDate == .testStart)
    }

    @Test func `only the bundle ID and the creation date are required`() throws {
        let payload = try ReceiptPayload(with: [])
        #expect(payload.receiptType == "")
        #expect(payload.environment == .sandbox)
        #expect(payload.appVersion == "")
        #expect(payload.purchases.isEmpty)
        let date = try EncodedAttribute(.creationDate, Timestamp.testStart)
        for (missing, present) in [(2, date), (12, try EncodedAttribute(.bundleID, "b"))] {
            let bytes = try EncodedAttribute.encodeUnsorted([present])
            #expect(throws: Refusal(.malformed, at: "receipt.\(missing)")) { try ReceiptPayload(bytes) }
        }
        #expect(throws: Refusal(.malformed, at: "receipt.12")) {
            try ReceiptPayload(EncodedAttribute.encodeUnsorted([EncodedAttribute(.bundleID, "b"), EncodedAttribute(.creationDate, nil)]))
        }
    }

    @Test(arguments: [ReceiptField.productID, .transactionID, .purchaseDate])
    func `a purchase without a required attribute is refused`(missing: ReceiptField) throws {
        let all = try EncodedAttribute.purchaseBasics
        _ = try ReceiptPayload(purchase: all)
        #expect(throws: Refusal(.malformed, at: "receipt.17[0].\(missing.rawValue)")) {
            try ReceiptPayload(purchase: all.filter { $0.number != missing.rawValue })
        }
    }

    @Test(arguments: [0, -1, Int64.min])
    func `a quantity below 1 is refused`(quantity: Int64) throws {
        let attributes = try EncodedAttribute.purchaseBasics + [EncodedAttribute(.quantity, quantity)]
        #expect(throws: Refusal(.malformed, at: "receipt.17[0].1701")) { try ReceiptPayload(purchase: attributes) }
    }

    @Test func `unknown attributes are kept with their bytes, also when repeated`() throws {
        let unknown = [
            EncodedAttribute(number: 9999, raw: [0xFF], version: 7), EncodedAttribute(number: 9999, raw: []),
            EncodedAttribute(number: -1, raw: [1, 2]), EncodedAttribute(number: .max, raw: [3]), EncodedAttribute(number: 6, raw: [4]),
            EncodedAttribute(number: 6, raw: [5]), EncodedAttribute(number: 1702, raw: [0x0C, 0x00]),
        ]
        let payload = try ReceiptPayload(with: unknown)
        #expect(payload.unknownAttributes.map(\.type) == unknown.map(\.number))
        #expect(payload.unknownAttributes.map(\.octets) == unknown.map(\.octets))
        #expect(payload.unknownAttributes.first?.version == 7)
        #expect(payload.attributes.count == unknown.count + 2)
        #expect(try payload != ReceiptPayload(with: []))

        let inPurchase = [
            EncodedAttribute(number: 1799, raw: [6]), EncodedAttribute(number: 2, raw: [7]),
            EncodedAttribute(number: 1709, raw: [0x0C, 0]),
        ]
        let purchase = try #require(ReceiptPayload(purchase: EncodedAttribute.purchaseBasics + inPurchase).purchases.first)
        #expect(purchase.unknownAttributes.map(\.type) == [1799, 2, 1709])
        #expect(purchase.attributes.count == 6)
    }

    @Test func `the value of an unknown attribute can be decoded`() throws {
        let attributes = try ReceiptPayload(with: [
            EncodedAttribute(number: 100, raw: [0x0C, 1, 0x61]), EncodedAttribute(number: 101, raw: [0x02, 1, 5]),
            EncodedAttribute(number: 102, raw: EncodedAttribute(.creationDate, Timestamp.testStart).octets),
            EncodedAttribute(number: 103, raw: [0x0C, 0xFF]),
        ]).unknownAttributes
        #expect(attributes.map(\.text) == ["a", nil, "2025-01-31T12:34:56Z", nil])
        #expect(attributes.map(\.integer) == [nil, 5, nil, nil])
        #expect(attributes.map(\.date) == [nil, nil, .testStart, nil])
    }

    @Test(arguments: ReceiptField.allCases.filter { $0.isRead && $0 != .purchase })
    func `a repeated attribute is refused`(field: ReceiptField) throws {
        let isApp = field.rawValue < 100
        let place = isApp ? "receipt.\(field.rawValue)" : "receipt.17[0].\(field.rawValue)"
        // An attribute without octets has no value, but counts as present.
        let twice = [EncodedAttribute](repeating: EncodedAttribute(field, raw: []), count: 2)
        let basics = try EncodedAttribute.purchaseBasics.filter { $0.number != field.rawValue }
        #expect(throws: Refusal(.malformed, at: place)) {
            if [.bundleID, .creationDate].contains(field) { return try ReceiptPayload(with: [twice[0]]) }
            return isApp ? try ReceiptPayload(with: twice) : try ReceiptPayload(purchase: basics + twice)
        }
    }

    @Test(arguments: [
        (ReceiptField.creationDate, "yesterday"), (.originalPurchaseDate, "2025-02-30T00:00:00Z"), (.expirationDate, "2025"),
        (.downloadDate, " "), (.preorderDate, "2025-01-31 12:34:56"),
    ])
    func `an invalid date is refused at its place`(field: ReceiptField, text: String) throws {
        let attribute = try EncodedAttribute(field, ascii: text)
        let bundle = try EncodedAttribute(.bundleID, "b")
        #expect(throws: Refusal(.malformed, at: "receipt.\(field.rawValue)")) {
            try ReceiptPayload(EncodedAttribute.encodeUnsorted([bundle, attribute]))
        }
    }

    @Test(arguments: [ReceiptField.purchaseDate, .purchaseOriginalDate, .expiresDate, .cancellationDate])
    func `a purchase's malformed date is refused at its place`(field: ReceiptField) throws {
        let good = try EncodedAttribute(number: 17, raw: EncodedAttribute.encodeUnsorted(EncodedAttribute.purchaseBasics))
        let bad = try EncodedAttribute.purchaseBasics.filter { $0.number != field.rawValue } + [EncodedAttribute(field, ascii: "soon")]
        let refusal = #expect(throws: Refusal.self) {
            try ReceiptPayload(with: [good, good, good, EncodedAttribute(number: 17, raw: EncodedAttribute.encodeUnsorted(bad))])
        }
        #expect(refusal?.place == "receipt.17[3].\(field.rawValue)")
        #expect(refusal?.detail == "Invalid value: a date must have the format 2025-01-31T12:34:56Z.")
    }

    @Test(
        arguments: [
            (ReceiptField.appAppleID, [0x0C, 0x01, 0x31]), (.appVersion, [0x02, 0x01, 0x01]), (.bundleID, [0x0C, 0x01, 0xFF]),
            (.toolVersion, [0x02, 0x00]), (.toolVersion, [0x02, 0x09, 1, 2, 3, 4, 5, 6, 7, 8, 9]), (.platform, [0x02, 0x02, 0x00, 0x01]),
            (.platform, [0x02, 0x02, 0xFF, 0x81]), (.ageRating, [0x16, 0x01, 0x34, 0x00]), (.organization, [0x0C, 0x02, 0x41]),
        ] as [(ReceiptField, [UInt8])])
    func `a value of another type is refused at its place`(field: ReceiptField, octets: [UInt8]) throws {
        let others = try [EncodedAttribute(.creationDate, Timestamp.testStart), EncodedAttribute(.bundleID, "b")]
        let bytes = try EncodedAttribute.encodeUnsorted(
            others.filter { $0.number != field.rawValue } + [EncodedAttribute(field, raw: octets)]
        )
        #expect(throws: Refusal(.malformed, at: "receipt.\(field.rawValue)")) { try ReceiptPayload(bytes) }
    }

    @Test(arguments: [
        ("Production", AppEnvironment.production), ("ProductionVPP", .production), ("ProductionSandbox", .sandbox), ("Sandbox", .sandbox),
        ("ProductionVPPSandbox", .sandbox), ("Xcode", .xcode), ("LocalTesting", .localTesting), ("production", .sandbox),
        ("Production ", .sandbox), ("Future", .sandbox), ("", .sandbox),
    ])
    func `only two receipt types are the production environment`(type: String, environment: AppEnvironment) throws {
        let payload = try ReceiptPayload(with: [EncodedAttribute(.receiptType, type)])
        #expect(payload.receiptType == type)
        #expect(payload.environment == environment)
    }
}

/// Returns the bytes of hexadecimal text.
///
/// Spaces are ignored.
private func bytes(_ hex: String) -> [UInt8] {
    Hexadecimal.decode(hex.filter { $0 != " " }) ?? []
}
