import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Testing

@testable import PurchaseIssuing

/// Tests that each simulated signing fault is refused under the trusted root.
@Suite struct SigningFaultTests {
    private let authority: CertificateAuthority
    private let roots: TrustedRoots

    init() throws {
        authority = try TestStores.authority()
        roots = try TestStores.roots(of: authority)
    }

    /// The expected refusal of each fault, or nil for a fault that only a revocation check detects.
    static let signedData: [(fault: SigningFault, reason: Refusal.Reason?, place: String)] = [
        (.expiredIntermediate, .validity, "header.x5c[1]"),
        (.expiredLeaf, .validity, "header.x5c[0]"),
        (.revokedLeaf, nil, ""),
        (.leafWithoutMarker, .marker, "header.x5c[0]"),
        (.intermediateWithoutMarker, .marker, "header.x5c[1]"),
        (.wrongRoot, .untrustedRoot, "header.x5c"),
        (.swappedChain, .chain, "header.x5c[0]"),
        (.changedPayload, .signature, "signature"),
        (.wrongKey, .signature, "signature"),
        (.noX5C, .malformed, "header.x5c"),
        (.algNone, .algorithm("none"), "header.alg"),
    ]

    @Test func `the tables contain every fault`() {
        #expect(Set(Self.signedData.map(\.fault)) == Set(SigningFault.allCases))
        #expect(Set(Self.receipts.map(\.fault)) == Set(SigningFault.allCases.filter(\.appliesToReceipts)))
    }

    @Test(arguments: signedData)
    func `signed data is refused for its fault`(fault: SigningFault, reason: Refusal.Reason?, place: String) async throws {
        let verifier = SignedDataVerifier(roots: roots, bundleID: .test, environments: [.sandbox])
        let issuer = try SignedDataIssuer(authority: authority, fault: fault, now: .testStart)
        let transaction = try issuer.sign(TransactionPayload.sample())
        if let reason {
            await #expect(throws: VerificationFailure.refused(Refusal(reason, at: place))) { try await verifier.verify(transaction) }
        } else {
            _ = try await verifier.verify(transaction)
        }
    }

    static let receipts: [(fault: SigningFault, reason: Refusal.Reason?, place: String)] = [
        (.expiredIntermediate, .validity, "SignedData.certificates[1]"),
        (.expiredLeaf, .validity, "SignedData.certificates[0]"),
        (.revokedLeaf, nil, ""),
        (.leafWithoutMarker, .marker, "SignedData.certificates[0]"),
        (.intermediateWithoutMarker, .marker, "SignedData.certificates[1]"),
        (.wrongRoot, .untrustedRoot, "SignedData.certificates"),
        (.changedPayload, .signature, "SignerInfo.signature"),
        (.wrongKey, .signature, "SignerInfo.signature"),
        (.noX5C, .malformed, "SignedData.certificates"),
    ]

    @Test(arguments: receipts)
    func `a receipt is refused for its fault`(fault: SigningFault, reason: Refusal.Reason?, place: String) async throws {
        let verifier = ReceiptVerifier(roots: roots, BundleCheck(.test), EnvironmentCheck([.sandbox]))
        let receipt = try ReceiptIssuer(authority: authority, fault: fault, now: .testStart).issue(.sample())
        if let reason {
            await #expect(throws: VerificationFailure.refused(Refusal(reason, at: place))) { try await verifier.verify(receipt) }
        } else {
            _ = try await verifier.verify(receipt)
        }
    }

    @Test(arguments: [SigningFault.swappedChain, .algNone]) func `a fault that only a JWS can have is unsupported for receipts`(
        fault: SigningFault
    ) {
        #expect(throws: IssuingError.unsupportedForReceipts) { try ReceiptIssuer(authority: authority, fault: fault, now: .testStart) }
    }

    @Test func `an authority with two roots does not support signing faults`() {
        let authority = TestAuthority.shared.authority
        #expect(throws: IssuingError.missingKey) { try SignedDataIssuer(authority: authority, fault: .wrongKey, now: .testStart) }
        #expect(throws: IssuingError.missingKey) { try ReceiptIssuer(authority: authority, fault: .wrongKey, now: .testStart) }
    }

    @Test func `an expired certificate is valid for data that was signed before`() async throws {
        let verifier = SignedDataVerifier(roots: roots, bundleID: .test, environments: [.sandbox])
        let now = Timestamp.testStart.adding(days: 400)
        let issuer = try SignedDataIssuer(authority: authority, fault: .expiredIntermediate, now: now)
        _ = try await verifier.verify(issuer.sign(TransactionPayload.sample(date: now.adding(days: -2))))
        let late = try issuer.sign(TransactionPayload.sample(date: now))
        await #expect(throws: VerificationFailure.refused(Refusal(.validity, at: "header.x5c[1]"))) { try await verifier.verify(late) }
    }
}
