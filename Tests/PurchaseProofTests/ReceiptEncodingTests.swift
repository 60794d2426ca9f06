import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import PurchaseIssuing
@testable import PurchaseProof

/// Tests of valid and invalid BER encodings of containers and attributes.
@Suite struct ReceiptEncodingTests {
    private func tlv(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { ReceiptForm.element(tag, content) }
    private func indefinite(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { [tag, 0x80] + content + [0, 0] }

    @Test func `every form of BER has the same payload as DER`() async throws {
        let payload = try ReceiptContent.sample().encoded(random: .system)
        let builder = try ContainerBuilder(payload: payload)
        let expected = try UnverifiedReceipt(builder.build())
        #expect(expected.isDER)
        let chunks = payload.map { tlv(0x04, [$0]) }.flatMap { $0 }
        let third = payload.count / 3
        let nested =
            indefinite(0x24, tlv(0x04, Array(payload[..<third])) + tlv(0x24, tlv(0x04, Array(payload[third..<2 * third]))))
            + indefinite(0x24, indefinite(0x24, tlv(0x04, Array(payload[(2 * third)...])) + tlv(0x04, [])))
        let long = [0x04, 0x88, 0, 0, 0, 0, 0, 0, UInt8(payload.count >> 8), UInt8(truncatingIfNeeded: payload.count)] + payload
        for (name, string) in [
            ("one chunk", indefinite(0x24, tlv(0x04, payload))), ("definite chunks", tlv(0x24, chunks)),
            ("chunks", indefinite(0x24, chunks)),
            ("nested chunks", indefinite(0x24, nested)), ("a length of eight bytes", long),
        ] {
            for xcode in [false, true] {
                var other = builder
                other.xcodeShape = xcode
                other.payloadString = string
                let receipt = try UnverifiedReceipt(other.build())
                #expect(receipt.payload == expected.payload, "\(name)")
                #expect(receipt.isDER == (!xcode && name == "a length of eight bytes"), "\(name)")
                _ = try await TestAuthority.shared.receiptVerifier().verify(other.build())
            }
        }
    }

    @Test func `attributes in BER have the same values as in DER`() throws {
        let basics = try EncodedAttribute.purchaseBasics
        let plain = try ReceiptPayload(purchase: basics)
        let purchases = try [
            // Indefinite lengths, values in chunks, lengths that are longer than necessary, and versions of two bytes.
            indefinite(0x31, EncodedAttribute.encodeUnsorted(basics).dropFirst(2) + []),
            tlv(
                0x31,
                basics.flatMap {
                    indefinite(
                        0x30, [0x02, 2, UInt8($0.number >> 8), UInt8(truncatingIfNeeded: $0.number), 2, 1, 1] + tlv(0x04, $0.octets))
                }),
            tlv(
                0x31,
                basics.flatMap { attribute in
                    tlv(
                        0x30,
                        [0x02, 2, UInt8(attribute.number >> 8), UInt8(truncatingIfNeeded: attribute.number), 2, 1, 1]
                            + indefinite(0x24, attribute.octets.flatMap { tlv(0x04, [$0]) }))
                }),
            tlv(
                0x31,
                basics.flatMap { attribute in
                    tlv(
                        0x30,
                        [0x02, 2, UInt8(attribute.number >> 8), UInt8(truncatingIfNeeded: attribute.number), 2, 2, 1, 0]
                            + [0x04, 0x81, UInt8(attribute.octets.count)] + attribute.octets)
                }),
        ]
        for purchase in purchases {
            let payload = try ReceiptPayload(with: [EncodedAttribute(number: 17, raw: purchase)])
            #expect(payload == plain)
            #expect(payload.purchases.first?.attributes.map(\.octets) == plain.purchases.first?.attributes.map(\.octets))
            let inChunks = indefinite(0x24, tlv(0x04, Array(purchase.prefix(5))) + tlv(0x04, Array(purchase.dropFirst(5))))
            let entry = tlv(0x30, [0x02, 1, 17, 2, 1, 1] + inChunks)
            let others = try EncodedAttribute.encodeUnsorted([
                EncodedAttribute(.bundleID, "com.example.app"), EncodedAttribute(.creationDate, Timestamp.testStart),
            ])
            #expect(try ReceiptPayload(tlv(0x31, Array(others.dropFirst(2)) + entry)) == plain)
        }
    }

    @Test(
        arguments: [
            ([], ParseError.Kind.truncated, 0), ([0x30], .truncated, 0), ([0x30, 0x01], .truncated, 0), ([0x30, 0x81], .truncated, 0),
            ([0x30, 0x82, 0x01], .truncated, 0), ([0x30, 0x89, 0, 0, 0, 0, 0, 0, 0, 0, 0], .length, 0), ([0x30, 0xFF], .length, 0),
            ([0x30, 0x88, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .truncated, 0),
            ([0x30, 0x88, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .truncated, 0), ([0x00, 0x00], .type, 0),
            ([0x1F, 0x01, 0x00], .type, 0),
            ([0x04, 0x80, 0x00, 0x00], .length, 0), ([0x30, 0x80, 0x30, 0x80, 0x00, 0x00], .truncated, 6),
            ([0x30, 0x80, 0x00], .truncated, 2),
            ([0x30, 0x80, 0x00, 0x01], .type, 2),
        ] as [([UInt8], ParseError.Kind, Int)])
    func `invalid BER is refused with the offset`(bytes: [UInt8], kind: ParseError.Kind, offset: Int) {
        var reader = BERReader(0..<bytes.count)
        do throws(ParseError) {
            _ = try reader.skip(bytes.span)
            Issue.record("Invalid BER was accepted.")
        } catch {
            #expect(error.kind.message == kind.message)
            #expect(error.offset == offset)
        }
    }

    @Test(arguments: [1701, 9] as [Int64], [-1, 1])
    func `an attribute whose length differs from its parts is refused`(number: Int64, difference: Int) throws {
        let filler: [UInt8] = [0x30, 0x09, 0x02, 0x02, 0x27, 0x0F, 0x02, 0x01, 0x01, 0x04, 0x00]
        let good = try EncodedAttribute(number: number, raw: [0x02, 0x01, 0x05]).derBytes
        var bad = good
        bad[1] = UInt8(Int(bad[1]) + difference)
        for (attribute, isRead) in [(good, true), (bad, false)] {
            let basics = try EncodedAttribute.encodeUnsorted(EncodedAttribute.purchaseBasics).dropFirst(2)
            let set = tlv(0x31, basics + attribute + filler)
            #expect(((try? ReceiptPayload(with: [EncodedAttribute(number: 17, raw: set)])) != nil) == isRead)
        }
    }

    @Test func `values are nested at most 16 levels deep`() throws {
        for (depth, isRead) in [(15, true), (16, true), (17, false), (1000, false)] {
            let bytes = [UInt8]((0..<depth).flatMap { _ in [0x30, 0x80] as [UInt8] }) + [UInt8](repeating: 0, count: 2 * depth)
            var reader = BERReader(0..<bytes.count)
            #expect(((try? reader.skip(bytes.span)) != nil) == isRead, "\(depth)")
        }
        let deep = (0..<100).reduce(tlv(0x04, [1])) { inner, _ in indefinite(0x24, inner) }
        var builder = try ContainerBuilder(payload: [1])
        builder.payloadString = deep
        #expect(throws: Refusal(.tooLarge(limit: 16), at: "SignedData.encapContentInfo.eContent")) {
            try UnverifiedReceipt(builder.build())
        }
    }

    @Test(
        arguments: [
            ([0x00], 0), ([0x7F], 127), ([0x80], -128), ([0xFF], -1), ([0x00, 0x80], 128), ([0xFF, 0x7F], -129), ([0x06, 0xA5], 1701),
            ([0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .max), ([0x80, 0, 0, 0, 0, 0, 0, 0], .min),
        ] as [([UInt8], Int64)])
    func `integers have up to 64 bits`(content: [UInt8], value: Int64) throws {
        #expect(try BERReader.integer(0..<content.count, content.span) == value)
    }

    @Test(arguments: [[], [0x00, 0x00], [0x00, 0x7F], [0xFF, 0xFF], [0xFF, 0x80], [1, 2, 3, 4, 5, 6, 7, 8, 9]] as [[UInt8]])
    func `an integer that is empty, too long or not minimal is refused`(content: [UInt8]) {
        #expect(throws: ParseError.self) { try BERReader.integer(0..<content.count, content.span) }
    }

    @Test func `a refusal states the rule and the offset`() throws {
        var bytes = try TestAuthority.shared.receipts.issue(.sample())
        let date = Array("2025-01-31T12:34:56Z".utf8)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: date) })
        bytes[place] = UInt8(ascii: "x")
        let refusal = #expect(throws: Refusal.self) { try UnverifiedReceipt(bytes) }
        #expect(refusal?.offset == place)
        #expect(
            refusal?.message
                == "The data is malformed. Invalid value: a date must have the format 2025-01-31T12:34:56Z. (\(refusal?.place ?? ""))")
    }
}
