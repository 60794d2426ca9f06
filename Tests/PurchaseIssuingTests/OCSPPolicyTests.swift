import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import SwiftASN1
import Testing
import X509

@testable import PurchaseIssuing

/// Tests of an authority's OCSP responses with the certificate library.
@Suite struct OCSPPolicyTests {
    /// Sends requests to the responder, without a network.
    private struct Requester: OCSPRequester {
        let responder: OCSPResponder
        let url: String

        func query(request: [UInt8], uri: String) async -> OCSPRequesterQueryResult {
            #expect(uri == url)
            do {
                return .response(try responder.respond(to: request, at: .testStart))
            } catch {
                return .terminalError(error)
            }
        }
    }

    private static let url = "http://127.0.0.1:8/ocsp"
    private let authority: CertificateAuthority

    init() throws {
        authority = try TestAuthority.shared.defective([], ocspURL: Self.url).authority
    }

    private func accepts(_ chain: SigningChain, _ change: (inout OCSPResponder) -> Void = { _ in }) async throws -> Bool {
        var responder = try OCSPResponder(authority: authority)
        change(&responder)
        let requester = Requester(responder: responder, url: Self.url)
        var verifier = Verifier(rootCertificates: CertificateStore([chain.root])) {
            RFC5280Policy.at(.testStart)
            OCSPVerifierPolicy.at(.testStart, failureMode: .hard, requester: requester)
        }
        switch await verifier.validate(leaf: chain.leaf, intermediates: CertificateStore([chain.intermediate])) {
        case .validCertificate: return true
        case .couldNotValidate: return false
        }
    }

    @Test func `the certificate library accepts a good response`() async throws {
        #expect(try await accepts(authority.receiptChain))
        #expect(try await accepts(authority.signedDataChain))
    }

    @Test(arguments: AuthorityCertificate.allCases)
    func `the certificate library accepts a revocation`(certificate: AuthorityCertificate) async throws {
        let isReceipts = [.receiptLeaf, .receiptIntermediate].contains(certificate)
        let revoke: (inout OCSPResponder) -> Void = { $0.statuses[certificate] = .revoked(at: .testStart, reason: .superseded) }
        #expect(try await accepts(authority.receiptChain, revoke) != isReceipts)
        #expect(try await accepts(authority.signedDataChain, revoke) == isReceipts)
    }

    @Test(arguments: [
        (OCSPAnomalies.stale, false), (.futureThisUpdate, false), (.otherCertificate, false), (.unknownResponder, false),
        (.signedByLeaf, false), (.invalidSignature, false), (.wrongNonce, false), (.noNextUpdate, false), (.noNonce, true),
        (.responderByName, true),
    ])
    func `the certificate library verifies a response with anomalies`(anomalies: OCSPAnomalies, isAccepted: Bool) async throws {
        #expect(try await accepts(authority.receiptChain) { $0.anomalies = anomalies } == isAccepted)
        #expect(try await accepts(authority.signedDataChain) { $0.anomalies = anomalies } == isAccepted)
    }

    @Test(arguments: OCSPErrorStatus.allCases) func `the certificate library accepts no error status`(errorStatus: OCSPErrorStatus)
        async throws
    {
        #expect(try await !accepts(authority.signedDataChain) { $0.errorStatus = errorStatus })
        #expect(try await !accepts(authority.signedDataChain) { $0.statuses[.signedDataLeaf] = .unknown })
    }
}
