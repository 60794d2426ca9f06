import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import PurchaseIssuing
@testable import PurchaseProof

@Suite struct HostileReceiptTests {
    @Test func `every truncation of a receipt is refused`() async throws {
        let bytes = try TestAuthority.shared.receipts.issue(.sample())
        let verifier = try TestAuthority.shared.receiptVerifier()
        for count in bytes.indices {
            await #expect(throws: VerificationFailure.self, "\(count) bytes") { try await verifier.verify(Array(bytes[..<count])) }
        }
    }

    /// Some bytes are not signed, such as an algorithm's NULL or the text encoding of the issuer.
    ///
    /// Unsigned bytes may change, but the payload may not.
    @Test func `a change of any byte is refused or leaves the payload unchanged`() async throws {
        let bytes = try TestAuthority.shared.receipts.issue(.sample())
        let verifier = try TestAuthority.shared.receiptVerifier()
        let payload = try await verifier.verify(bytes).payload
        var random = SeededRandom(seed: 1)
        var refused = 0
        let places = Array(0..<1024) + stride(from: 1024, to: bytes.count, by: 5)
        for place in places {
            var changed = bytes
            changed[place] ^= UInt8.random(in: 1...255, using: &random)
            do {
                let receipt = try await verifier.verify(changed)
                #expect(receipt.payload == payload, "byte \(place) became \(changed[place])")
            } catch {
                refused += 1
            }
        }
        #expect(refused > places.count * 9 / 10)
    }

    @Test func `random bytes are refused`() async throws {
        let verifier = try TestAuthority.shared.receiptVerifier()
        var random = SeededRandom(seed: 2)
        for _ in 0..<2000 {
            let noise = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                // Most bytes are tags and small lengths, so that the parser accepts the beginning of some inputs.
                [0x30, 0x31, 0xA0, 0x80, 0x02, 0x04, 0x06, 0x00, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random)
                    ?? 0
            }
            await #expect(throws: VerificationFailure.self, "\(noise)") { try await verifier.verify([0x30, 0x80] + noise) }
        }
    }

    @Test func `changed payloads under a valid signature are refused or parsed, and never trap`() async throws {
        let verifier = try TestAuthority.shared.receiptVerifier()
        let issuer = TestAuthority.shared.receipts
        let payload = try ReceiptContent.sample().encoded(random: .system)
        var random = SeededRandom(seed: 3)
        var read = 0
        for _ in 0..<400 {
            var changed = payload
            for _ in 0..<3 {
                changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if (try? await verifier.verify(issuer.sign(changed))) != nil { read += 1 }
        }
        #expect(read > 0)
    }

    /// The chain is verified first, so that the verified-chain cache contains it.
    @Test func `a cached chain does not verify other certificates`() async throws {
        let bytes = try TestAuthority.shared.receipts.issue(.sample())
        let verifier = try TestAuthority.shared.receiptVerifier()
        let certificates = try UnverifiedReceipt(bytes).envelope.certificates
        _ = try await verifier.verify(bytes)
        var random = SeededRandom(seed: 6)
        // The root in the data is not changed, because a configured root takes its place.
        for place in stride(from: certificates[0].lowerBound, to: certificates[1].upperBound, by: 3) {
            var changed = bytes
            changed[place] ^= UInt8.random(in: 1...255, using: &random)
            await #expect(throws: VerificationFailure.self, "byte \(place) became \(changed[place])") { try await verifier.verify(changed) }
        }
        let builder = try ContainerBuilder(payload: ReceiptContent.sample().encoded(random: .system))
        for certificates in [[0, 0, 2], [0, 2, 2], [1, 1, 2], [0, 2], [0]] {
            var other = builder
            other.certificates = certificates.map { builder.certificates[$0] }
            await #expect(throws: VerificationFailure.self, "\(certificates)") { try await verifier.verify(other.build()) }
        }
        #expect(try await verifier.verify(builder.build()).payload.bundleID == .test)
    }
}
