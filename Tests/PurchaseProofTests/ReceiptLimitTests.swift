import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import PurchaseIssuing
@testable import PurchaseProof

/// Tests of the limits of a receipt, at and above each limit.
@Suite struct ReceiptLimitTests {
    private func receipt(with attributes: [UInt8]) throws -> [UInt8] {
        let basics = try EncodedAttribute.encodeUnsorted([
            EncodedAttribute(.bundleID, BundleID.test.rawValue), EncodedAttribute(.creationDate, Timestamp.testStart),
        ])
        return try TestAuthority.shared.receipts.sign(ReceiptForm.element(0x31, Array(basics.dropFirst(2)) + attributes))
    }

    /// Returns repetitions of `unit`, in at most `count` bytes.
    private func repeated(_ unit: [UInt8], to count: Int) -> [UInt8] {
        var bytes = unit
        while bytes.count < count { bytes += bytes }
        return Array(bytes.prefix(count - count % unit.count))
    }

    @Test func `a receipt has at most 100,000 attributes`() async throws {
        let unknown: [UInt8] = [0x30, 0x09, 0x02, 0x02, 0x27, 0x0F, 0x02, 0x01, 0x01, 0x04, 0x00]
        let most = repeated(unknown, to: 99_998 * unknown.count)
        let payload = try UnverifiedReceipt(receipt(with: most)).payload
        #expect(payload.unknownAttributes.count == 99_998)
        #expect(throws: Refusal(.tooLarge(limit: 100_000), at: "receipt")) { try UnverifiedReceipt(receipt(with: most + unknown)) }
    }

    @Test func `a receipt with 10,000 purchases is verified`() async throws {
        let transactions = (0..<10_000).map { TransactionPayload.sample(id: TransactionID("\(2_000_000_000_000_000 + $0)")) }
        let bytes = try TestAuthority.shared.receipts.issue(.sample(transactions))
        #expect(bytes.count > 3_000_000)
        let receipt = try await TestAuthority.shared.receiptVerifier().verify(bytes)
        #expect(Set(receipt.payload.purchases.map(\.transactionID)) == Set(transactions.map(\.transactionId)))
    }

    @Test func `a receipt has at most 16 MiB`() async throws {
        let filler = { (count: Int) in EncodedAttribute(number: 999, raw: [UInt8](repeating: 1, count: count)) }
        let short = try receipt(with: Array(EncodedAttribute.encodeUnsorted([filler(1 << 24 - 10_000)]).dropFirst(5)))
        let room = ReceiptVerifier.maximumSize - short.count
        let most = try receipt(with: Array(EncodedAttribute.encodeUnsorted([filler(1 << 24 - 10_000 + room)]).dropFirst(5)))
        #expect(most.count == ReceiptVerifier.maximumSize)
        let verifier = try TestAuthority.shared.receiptVerifier()
        #expect(try await verifier.verify(most).payload.unknownAttributes.count == 1)
        await #expect(throws: VerificationFailure.refused(.tooLarge(limit: 16 << 20), at: "size")) { try await verifier.verify(most + [0]) }
    }

    /// Inputs of 1 MiB that make a careless parser slow or use much memory.
    @Test(
        arguments: [
            ("empty sequences", [0x30, 0x00]), ("openings of indefinite lengths", [0x30, 0x80]),
            ("ends of indefinite lengths", [0x00, 0x00]),
            ("chunks", [0x04, 0x00]), ("openings of chunks", [0x24, 0x80]), ("zeros", [0x00]), ("lengths", [0x84]),
        ] as [(String, [UInt8])])
    func `a flood of repeated bytes is refused`(name: String, unit: [UInt8]) throws {
        let flood = repeated(unit, to: 1 << 20)
        #expect(throws: Refusal.self) { try UnverifiedReceipt(flood) }
        let head: [UInt8] = [
            0x30, 0x80, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02, 0xA0, 0x80, 0x30, 0x80, 0x02, 0x01, 0x01, 0x31,
            0x0B,
            0x30, 0x09, 0x06, 0x05, 0x2B, 0x0E, 0x03, 0x02, 0x1A, 0x05, 0x00, 0x30, 0x80, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D,
            0x01,
            0x07, 0x01, 0xA0, 0x80, 0x24, 0x80,
        ]
        let refusal = #expect(throws: Refusal.self) { try UnverifiedReceipt(head + flood) }
        #expect(refusal?.place.hasPrefix("SignedData.encapContentInfo") == true || refusal?.place == "SignedData.certificates")
    }

    @Test func `a payload in 100,000 chunks is joined`() throws {
        var builder = try ContainerBuilder(payload: ReceiptContent.sample().encoded(random: .system))
        let empty = repeated([0x04, 0x00], to: 200_000)
        builder.payloadString = [0x24, 0x80] + ReceiptForm.element(0x04, builder.payload) + empty + [0, 0]
        builder.xcodeShape = true
        #expect(try UnverifiedReceipt(builder.build()).payload.bundleID == .test)
    }
}
