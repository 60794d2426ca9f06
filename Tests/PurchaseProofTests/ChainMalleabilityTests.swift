import PurchaseModel
import PurchaseTestSupport
import SwiftASN1
import Testing

@testable import PurchaseProof

/// Tests of changes to a genuine chain that leave the signatures valid.
@Suite struct ChainMalleabilityTests {
    @Test func `an ECDSA chain has four encodings with separate cache entries and one identity`() async throws {
        let chain = try TrustChain(.signedData)
        var all: [VerifiedChain] = []
        for (leaf, intermediate) in [(false, false), (true, false), (false, true), (true, true)] {
            var encoding = chain
            if leaf { encoding.encoded[0] = try Self.negated(chain.encoded[0]) }
            if intermediate { encoding.encoded[1] = try Self.negated(chain.encoded[1]) }
            all.append(try await encoding.verify())
            #expect(encoding.cached() === all.last)
        }
        #expect(Set(all.map { Swift.ObjectIdentifier($0) }).count == 4)
        #expect(Set(all.map(\.identity)).count == 1)
    }

    @Test func `the root's signature has one encoding, because the root is pinned by its bytes`() async throws {
        var chain = try TrustChain(.signedData)
        chain.encoded[2] = try Self.negated(chain.encoded[2])
        let verified = try await chain.verify()
        #expect(verified.encoded != chain.encoded, "The configured root is used, not the one of the data.")
        #expect(chain.cached() == nil)
    }

    @Test(arguments: TrustChain.Kind.allCases)
    func `other encodings are malformed`(kind: TrustChain.Kind) async throws {
        let chain = try TrustChain(kind)
        for index in 0..<3 {
            for change in [Self.paddingBits, Self.outerAlgorithm] {
                var encoding = chain
                guard let changed = try change(chain.encoded[index]) else { continue }
                encoding.encoded[index] = changed
                await #expect(throws: VerificationFailure.refused(.malformed, at: "x[\(index)]")) { try await encoding.verify() }
            }
        }
    }

    /// Returns the three parts of a certificate: `tbsCertificate`, `signatureAlgorithm` and `signature`.
    private static func parts(_ certificate: [UInt8]) throws -> [[UInt8]] {
        let node = try DER.parse(certificate)
        guard case .constructed(let nodes) = node.content else { return [] }
        return nodes.map { Array($0.encodedBytes) }
    }

    private static func joined(_ parts: [[UInt8]]) throws -> [UInt8] {
        var serializer = DER.Serializer()
        serializer.appendConstructedNode(identifier: .sequence) { coder in
            for part in parts { coder.serializeRawBytes(part) }
        }
        return serializer.serializedBytes
    }

    /// Returns the certificate with `n − s` in place of `s` in the P-384 signature.
    private static func negated(_ certificate: [UInt8]) throws -> [UInt8] {
        var parts = try parts(certificate)
        let bits = try ASN1BitString(derEncoded: parts[2])
        let (r, s) = try DER.sequence(DER.parse(bits.bytes), identifier: .sequence) { nodes in
            try (ArraySlice<UInt8>(derEncoded: &nodes), ArraySlice<UInt8>(derEncoded: &nodes))
        }
        var other = order
        var borrow = 0
        let padded = Array(repeating: 0, count: order.count - s.count) + s
        for index in order.indices.reversed() {
            let difference = Int(order[index]) - Int(padded[index]) - borrow
            borrow = difference < 0 ? 1 : 0
            other[index] = UInt8(difference + borrow * 256)
        }
        var serializer = DER.Serializer()
        try serializer.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(r)
            try coder.serialize(other.drop { $0 == 0 })
        }
        var outer = DER.Serializer()
        try outer.serialize(ASN1BitString(bytes: serializer.serializedBytes[...]))
        parts[2] = outer.serializedBytes
        return try joined(parts)
    }

    /// Returns the certificate with the last bit of the signature marked as padding, or nil when that bit is not zero.
    private static func paddingBits(_ certificate: [UInt8]) throws -> [UInt8]? {
        var parts = try parts(certificate)
        guard let last = parts[2].last, last.isMultiple(of: 2) else { return nil }
        let start = parts[2].count - (try ASN1BitString(derEncoded: parts[2]).bytes.count) - 1
        parts[2][start] = 1
        return try joined(parts)
    }

    /// Returns the certificate with the NULL parameter of the outer algorithm added or removed.
    private static func outerAlgorithm(_ certificate: [UInt8]) throws -> [UInt8]? {
        var parts = try parts(certificate)
        let algorithm = parts[1]
        let body = algorithm.suffix(2) == [5, 0] ? algorithm.dropFirst(2).dropLast(2) : algorithm.dropFirst(2) + [5, 0]
        parts[1] = [0x30, UInt8(body.count)] + body
        return try joined(parts)
    }

    /// The order of P-384.
    private static let order: [UInt8] =
        Array(repeating: 0xFF, count: 24)
        + [
            0xC7, 0x63, 0x4D, 0x81, 0xF4, 0x37, 0x2D, 0xDF, 0x58, 0x1A, 0x0D, 0xB2, 0x48, 0xB0, 0xA7, 0x7A,
            0xEC, 0xEC, 0x19, 0x6A, 0xCC, 0xC5, 0x29, 0x73,
        ]
}
