import PurchaseModel
import PurchaseTestSupport
import SwiftASN1
import Testing

@testable import PurchaseIssuing

/// Tests that each part of a container can be changed without changes to the other parts.
@Suite struct ReceiptContainerTests {
    private let issuer = TestAuthority.shared.receipts
    private let payload: [UInt8] = [0x31, 0]
    private let container: ReceiptContainer

    init() throws {
        container = try issuer.container(for: payload)
    }

    /// Returns the encoded parts of `SignedData`.
    private func parts(_ change: (inout ReceiptContainer) throws -> Void = { _ in }) throws -> [[UInt8]] {
        var container = container
        try change(&container)
        let whole = try DER.sequence(DER.parse(container.encoded), identifier: .sequence) { fields in
            _ = try ASN1ObjectIdentifier(derEncoded: &fields)
            return try DER.explicitlyTagged(&fields, tagNumber: 0, tagClass: .contextSpecific) { $0 }
        }
        return try DER.sequence(whole, identifier: .sequence) { fields in
            var parts: [[UInt8]] = []
            while let field = fields.next() { parts.append(Array(field.encodedBytes)) }
            return parts
        }
    }

    @Test func `an unchanged container has the encoding of the receipt`() throws {
        #expect(try container.encoded == issuer.sign(payload))
        #expect(try parts().count == 5)
    }

    @Test func `each part can be changed separately`() throws {
        let good = try parts()
        let sha1 = ReceiptDigest.sha1.identifier
        let changes: [(Int, (inout ReceiptContainer) throws -> Void)] = [
            (0, { $0.version = 3 }),
            (1, { $0.digests = [sha1] }),
            (1, { $0.digests = [] }),
            (2, { $0.payloadType = [1, 2, 3] }),
            (2, { $0.payload = nil }),
            (2, { $0.payload = [0x31, 2, 0x30, 0] }),
            (3, { $0.certificates?.removeLast() }),
            (3, { $0.certificates?.swapAt(0, 2) }),
            (4, { $0.signers = [] }),
            (4, { $0.signers += $0.signers }),
            (4, { $0.signers[0].version = 3 }),
            (4, { $0.signers[0].digest = sha1 }),
            (4, { $0.signers[0].signatureAlgorithm = [1, 2, 840, 10045, 4, 3, 2] }),
            (4, { $0.signers[0].serialNumber = [1] }),
            (4, { $0.signers[0].issuer = [0x30, 0] }),
            (4, { $0.signers[0].signature[0] ^= 1 }),
            (4, { $0.signers[0].unsignedAttributes = [0x31, 0] }),
            (4, { $0.signers[0].signedAttributes = try ReceiptSignerInfo.attributes(for: $0.payload ?? [], digest: .sha256) }),
        ]
        for (index, (part, change)) in changes.enumerated() {
            let changed = try parts(change)
            #expect(changed.count == 5)
            let differences = zip(good, changed).enumerated().filter { $0.element.0 != $0.element.1 }.map(\.offset)
            #expect(differences == [part], "change \(index)")
        }
    }

    @Test func `certificates can be omitted, and bytes can be appended`() throws {
        #expect(try parts { $0.certificates = nil }.count == 4)
        var long = container
        long.tail = [1, 2, 3]
        #expect(try long.encoded == container.encoded + [1, 2, 3])
        var other = container
        other.contentType = [1, 2, 840, 113549, 1, 7, 3]
        #expect(try other.encoded != container.encoded)
    }

    @Test func `a container can be encoded in Xcode's form`() throws {
        var other = container
        other.form = .xcode
        let bytes = try other.encoded
        #expect(bytes.starts(with: [0x30, 0x80]))
        #expect(try BER.parse(bytes).encodedBytes.count == bytes.count)
    }
}
