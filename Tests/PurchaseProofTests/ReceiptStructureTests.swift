import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import PurchaseIssuing
@testable import PurchaseProof

@Suite struct ReceiptStructureTests {
    private let payload: [UInt8]
    private let builder: ContainerBuilder

    init() throws {
        payload = try ReceiptContent.sample().encoded(random: .system)
        builder = try ContainerBuilder(payload: payload)
    }

    private func verify(_ builder: ContainerBuilder) async throws -> ReceiptPayload {
        try await TestAuthority.shared.receiptVerifier().verify(builder.build()).payload
    }

    @Test func `indefinite lengths and a payload in chunks have the same payload as DER`() async throws {
        var xcode = builder
        xcode.xcodeShape = true
        let expected = try await verify(builder)
        #expect(try await verify(xcode) == expected)
        #expect(expected.purchases.count == 1)
    }

    @Test(arguments: [
        (false, ContainerBuilder.rsaEncryption), (false, ContainerBuilder.sha256WithRSA), (true, ContainerBuilder.rsaEncryption),
        (true, ContainerBuilder.sha1WithRSA),
    ])
    func `both digests are accepted with each matching signature algorithm`(sha1: Bool, algorithm: [UInt8]) async throws {
        var other = builder
        other.sha1 = sha1
        other.signatureAlgorithm = algorithm
        #expect(try await verify(other).bundleID == .test)
    }

    @Test(arguments: [(true, ContainerBuilder.sha256WithRSA), (false, ContainerBuilder.sha1WithRSA), (false, ContainerBuilder.md5WithRSA)])
    func `a signature algorithm that does not match the digest is refused`(sha1: Bool, algorithm: [UInt8]) async throws {
        var other = builder
        other.sha1 = sha1
        other.signatureAlgorithm = algorithm
        await #expect(throws: VerificationFailure.refused(.malformed, at: "SignerInfo.signatureAlgorithm")) { try await verify(other) }
    }

    @Test func `certificates may have any order`() async throws {
        var other = builder
        other.certificates.reverse()
        #expect(try await verify(other).bundleID == .test)
    }

    static let changes: [(String, @Sendable (inout ContainerBuilder) -> Void)] = [
        ("SignedData.version", { $0.version = 3 }),
        ("SignedData.encapContentInfo.eContent", { $0.detached = true }),
        ("SignerInfo", { $0.signerInfoCopies = 0 }),
        ("SignedData.signerInfos", { $0.signerInfoCopies = 2 }),
        ("SignerInfo.signatureAlgorithm", { $0.signedAttributes = [0xA0, 0x02, 0x30, 0x00] }),
        ("SignerInfo.issuerAndSerialNumber", { $0.certificates.removeFirst() }),
        ("SignerInfo.issuerAndSerialNumber", { $0.certificates.append($0.certificates[0]) }),
        ("ContentInfo.contentType", { $0.contentType[8] = 3 }),
        ("SignedData.encapContentInfo.eContentType", { $0.payloadType[8] = 2 }),
        ("SignedData.signerInfos", { $0.revocationLists = [0xA1, 0x02, 0x30, 0x00] }),
        ("SignedData.digestAlgorithms", { $0.digestCopies = 2 }),
        ("SignedData.digestAlgorithms", { $0.digestCopies = 0 }),
        ("SignerInfo", { $0.unsignedAttributes = [0xA1, 0x02, 0x30, 0x00] }),
        ("SignerInfo.version", { $0.signerVersion = 3 }),
        ("ContentInfo", { $0.trailing = [0] }),
        ("receipt", { $0.payload = [0x04, 0x00] }),
        ("receipt", { $0.payload = [] }),
        ("receipt.2", { $0.payload = [0x31, 0x00] }),
    ]

    @Test(arguments: changes)
    func `a container with another structure is refused at the place that differs`(
        path: String, change: @Sendable (inout ContainerBuilder) -> Void
    ) async throws {
        var other = builder
        change(&other)
        await #expect(throws: VerificationFailure.refused(.malformed, at: path)) { try await verify(other) }
    }

    @Test func `more than five certificates are refused`() async throws {
        var other = builder
        other.certificates += other.certificates
        await #expect(throws: VerificationFailure.refused(.tooLarge(limit: 5), at: "SignedData.certificates")) { try await verify(other) }
    }

    @Test func `a certificate of more than 8 KiB is refused before parsing`() async throws {
        var other = builder
        other.certificates[1] = builder.tlv(0x30, builder.tlv(0x04, [UInt8](repeating: 0, count: 8192)))
        await #expect(throws: VerificationFailure.refused(.tooLarge(limit: 8192), at: "SignedData.certificates")) {
            try await verify(other)
        }
    }

    @Test func `a receipt above the size limit is refused before parsing`() async throws {
        let bytes = [UInt8](repeating: 0x30, count: ReceiptVerifier.maximumSize + 1)
        let verifier = try TestAuthority.shared.receiptVerifier()
        await #expect(throws: VerificationFailure.refused(.tooLarge(limit: 16 << 20), at: "size")) { try await verifier.verify(bytes) }
    }
}
