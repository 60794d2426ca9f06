import Foundation
import FoundationExtras
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import SwiftASN1
import Testing

@testable import PurchaseIssuing

/// Tests of the encoding of attributes and containers.
@Suite struct ReceiptEncodingTests {
    private func bytes(_ hex: String) -> [UInt8] { Hexadecimal.decode(hex.filter { !$0.isWhitespace }) ?? [] }

    @Test func `attributes have the encodings of the examples`() throws {
        let date = Timestamp.testStart  // 2025-01-31T12:34:56Z
        let examples: [(EncodedAttribute, String)] = try [
            (
                EncodedAttribute(.receiptType, "ProductionSandbox"),
                "30 1b 02 01 00 02 01 01 04 13 0c 11 50726f64756374696f6e53616e64626f78"
            ),
            (EncodedAttribute(.bundleID, "com.example.app"), "30 19 02 01 02 02 01 01 04 11 0c 0f 636f6d2e6578616d706c652e617070"),
            (
                EncodedAttribute(.opaqueValue, raw: Array(0...15), version: 2),
                "30 18 02 01 04 02 01 02 04 10 000102030405060708090a0b0c0d0e0f"
            ),
            (EncodedAttribute(.creationDate, date), "30 1e 02 01 0c 02 01 01 04 16 16 14 323032352d30312d33315431323a33343a35365a"),
            (EncodedAttribute(.quantity, 1), "30 0c 02 02 06 a5 02 01 01 04 03 02 01 01"),
            (EncodedAttribute(.expiresDate, nil), "30 0b 02 02 06 ac 02 01 01 04 02 16 00"),
        ]
        for (attribute, hex) in examples { #expect(try attribute.derBytes == bytes(hex)) }
    }

    @Test func `a receipt has the expected bundle ID and device hash`() throws {
        var content = ReceiptContent.sample(bundle: "com.example.app")
        content.device = "00112233-4455-6677-8899-AABBCCDDEEFF"
        let random = RandomBytes { count in (0..<count).map { UInt8($0) } }
        let attributes = try content.attributes(random: random)
        #expect(attributes[2].octets == bytes("0c0f636f6d2e6578616d706c652e617070"))
        #expect(attributes[5].number == 5)
        #expect(attributes[5].octets == bytes("06fbea71c78897c941d868f652c86c7bccbf36fe"))
        content.macAddress = bytes("f8ffc2000001")
        #expect(try content.attributes(random: random)[5].octets == bytes("25e7e8b5fa22d4b9477198d7ad84c50dce212350"))
    }

    @Test func `lengths have the minimal number of bytes`() {
        #expect(ReceiptForm.element(0x04, []) == [0x04, 0])
        #expect(ReceiptForm.element(0x04, [UInt8](repeating: 7, count: 127)).prefix(3) == [0x04, 127, 7])
        #expect(ReceiptForm.element(0x04, [UInt8](repeating: 7, count: 128)).prefix(4) == [0x04, 0x81, 128, 7])
        #expect(ReceiptForm.element(0x04, [UInt8](repeating: 7, count: 256)).prefix(5) == [0x04, 0x82, 1, 0, 7])
        #expect(ReceiptForm.element(0x04, [UInt8](repeating: 7, count: 70_000)).prefix(6) == [0x04, 0x83, 1, 0x11, 0x70, 7])
    }

    @Test func `a receipt in the App Store's form is DER with definite lengths`() throws {
        let receipt = try TestAuthority.shared.receipts.issue(.sample())
        let node = try DER.parse(receipt)
        #expect(node.encodedBytes.count == receipt.count)
        var serializer = DER.Serializer()
        serializer.serialize(node)
        #expect(serializer.serializedBytes == receipt)
    }

    @Test func `a receipt in Xcode's form has the structure of Xcode's receipts`() throws {
        let issuer = ReceiptIssuer(xcode: TestAuthority.xcode)
        let payload = try issuer.payload(of: .sample(environment: .xcode))
        let receipt = try issuer.sign(payload)
        let start = "MIAGCSqGSIb3DQEHAqCAMIACAQExDzANBglghkgBZQMEAgEFAD"
        #expect(receipt.base64.hasPrefix(start))
        let certificate = try TestAuthority.xcode.receiptCertificate.derBytes
        let content =
            bytes("30 80 06 09 2a864886f70d010701 a0 80 24 80") + ReceiptForm.element(0x04, payload) + bytes("0000 0000 0000")
        let whole = content + ReceiptForm.element(0xA0, certificate) + [0x31]
        #expect(receipt.indices.contains { receipt[$0...].starts(with: whole) })
        #expect(ReceiptForm.element(0x04, payload).starts(with: [0x04, 0x82]))
        #expect(receipt.suffix(6) == [0, 0, 0, 0, 0, 0])
        #expect(throws: (any Error).self) { try DER.parse(receipt) }
        #expect(try BER.parse(receipt).encodedBytes.count == receipt.count)
    }

    @Test func `a receipt in Xcode's form has few attributes, in the order of their types`() throws {
        var content = ReceiptContent.sample([.sample(), .sample(id: "2")], environment: .xcode)
        let attributes = try content.xcodeAttributes(random: .system)
        #expect(attributes.map(\.number) == [0, 1, 2, 3, 4, 5, 8, 12, 17, 17, 21])
        #expect(attributes[4].octets.count == 8)
        #expect(attributes.allSatisfy { $0.version == 1 })
        #expect(attributes[6].octets == [0x16, 0])
        #expect(attributes[10].octets == [0x16, 20] + Array("4001-01-01T00:00:00Z".utf8))
        #expect(try content.purchases[0].xcodeAttributes.map(\.number) == [1701, 1702, 1703, 1704, 1708, 1719])
        let payload = try content.encodedAsXcode(random: .system)
        let written = try BER.set(of: Number.self, identifier: .set, rootNode: BER.parse(payload))
        #expect(written.map(\.value) == attributes.map(\.number))
        content.device = "my phone"
        #expect(throws: IssuingError.deviceIsNotUUID) { try ReceiptIssuer(xcode: TestAuthority.xcode).issue(content) }
    }
}

/// The first field of an attribute.
private struct Number: BERParseable {
    let value: Int64

    init(berEncoded node: ASN1Node) throws {
        value = try BER.sequence(node, identifier: .sequence) { fields in
            let value = try Int64(berEncoded: &fields)
            while fields.next() != nil {}
            return value
        }
    }

    init(derEncoded node: ASN1Node) throws {
        try self.init(berEncoded: node)
    }
}

extension [UInt8] {
    /// The bytes in base64.
    fileprivate var base64: String { Data(self).base64EncodedString() }
}
