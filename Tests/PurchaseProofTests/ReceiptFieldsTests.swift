import PurchaseTestSupport
import SwiftASN1
import Testing

@testable import PurchaseIssuing
@testable import PurchaseModel
@testable import PurchaseProof

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
    func `attributes are written as Apple writes them`(hex: String, attribute: EncodedAttribute) throws {
        var serializer = DER.Serializer()
        try serializer.serialize(attribute)
        #expect(serializer.serializedBytes == bytes(hex))
    }

    @Test(arguments: [
        ("00112233445566778899aabbccddeeff", "06fbea71c78897c941d868f652c86c7bccbf36fe"),
        ("f8ffc2000001", "25e7e8b5fa22d4b9477198d7ad84c50dce212350"),
    ])
    func `the device hash is over identifier, opaque value and the bundle's octets`(guid: String, hash: String) {
        let bundle = bytes("0c0f636f6d2e6578616d706c652e617070")
        #expect(DeviceHash.bytes(guid: bytes(guid), opaqueValue: Array(0..<16), bundleOctets: bundle) == bytes(hash))
    }

    @Test func `what Xcode leaves out of a purchase is filled in`() throws {
        let purchase = try ReceiptPurchase(
            EncodedAttribute.encode([
                EncodedAttribute(.quantity, 3), EncodedAttribute(.productID, "p"), EncodedAttribute(.transactionID, "0"),
                EncodedAttribute(.purchaseDate, ascii: "2020-07-22T18:33:15+0100"), EncodedAttribute(.expiresDate, nil),
            ])[...])
        #expect(purchase.originalTransactionID == "0")
        #expect(purchase.purchaseDate.description == "2020-07-22T17:33:15Z")
        #expect(purchase.originalPurchaseDate == purchase.purchaseDate)
        #expect(purchase.productType == nil)
        #expect(purchase.expiresDate == nil)
        #expect(purchase.webOrderLineItemID == nil)
    }

    @Test func `an unknown attribute is skipped, even twice`() throws {
        let unknown: [UInt8] = [0x30, 0x0A, 0x02, 0x02, 0x27, 0x0F, 0x02, 0x01, 0x01, 0x04, 0x01, 0xFF]
        let known = try ReceiptContent.sample().encoded(random: .system)
        let content = Array(known.dropFirst(4)) + unknown + unknown
        let payload: [UInt8] = [0x31, 0x82, UInt8(content.count >> 8), UInt8(truncatingIfNeeded: content.count)] + content
        #expect(try ReceiptPayload(payload[...]) == ReceiptPayload(known[...]))
    }

    @Test(arguments: [0, 2, 3, 4, 5, 12, 18, 19])
    func `an attribute that is there twice is refused`(type: UInt8) throws {
        let known = try ReceiptContent.sample().encoded(random: .system)
        let second: [UInt8] = [0x30, 0x0A, 0x02, 0x01, type, 0x02, 0x01, 0x01, 0x04, 0x02, 0x0C, 0x00]
        let content = Array(known.dropFirst(4)) + second
        let payload: [UInt8] = [0x31, 0x82, UInt8(content.count >> 8), UInt8(truncatingIfNeeded: content.count)] + content
        #expect(throws: ReceiptError.malformed(path: "receipt.\(type)")) { try ReceiptPayload(payload[...]) }
    }

    @Test(arguments: [
        ReceiptField.quantity, .productID, .transactionID, .purchaseDate,
    ])
    func `a purchase without one of its basics is refused`(missing: ReceiptField) throws {
        let all: [(ReceiptField, EncodedAttribute)] = try [
            (.quantity, EncodedAttribute(.quantity, 1)), (.productID, EncodedAttribute(.productID, "p")),
            (.transactionID, EncodedAttribute(.transactionID, "1")), (.purchaseDate, EncodedAttribute(.purchaseDate, Timestamp.testStart)),
        ]
        _ = try ReceiptPurchase(EncodedAttribute.encode(all.map(\.1))[...])
        let some = try EncodedAttribute.encode(all.filter { $0.0 != missing }.map(\.1))
        #expect(throws: ReceiptError.malformed(path: "receipt.17.\(missing.rawValue)")) { try ReceiptPurchase(some[...]) }
    }

    @Test(arguments: [0, -1, Int64.min])
    func `a quantity that is no number of things is refused`(quantity: Int64) throws {
        let attributes = try EncodedAttribute.encode([
            EncodedAttribute(.quantity, quantity), EncodedAttribute(.productID, "p"), EncodedAttribute(.transactionID, "1"),
            EncodedAttribute(.purchaseDate, Timestamp.testStart),
        ])
        #expect(throws: ReceiptError.malformed(path: "receipt.17.1701")) { try ReceiptPurchase(attributes[...]) }
    }
}

/// Reads hexadecimal text; blanks are for the reader.
private func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.filter { $0 != " " }
    return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(digits.dropFirst($0).prefix(2), radix: 16) }
}
