import PurchaseModel
import PurchaseTestSupport
import SwiftASN1
import Testing
@_spi(FixedExpiryValidationTime) import X509

@testable import PurchaseIssuing

/// Our answers about revocation, judged by the certificate library.
@Suite struct OCSPPolicyTests {
    /// Asks our responder, without a network.
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
        authority = try TestAuthority.shared.flawed([], ocspURL: Self.url).authority
    }

    private func accepts(_ chain: SigningChain, _ change: (inout OCSPResponder) -> Void = { _ in }) async throws -> Bool {
        var responder = try OCSPResponder(authority: authority)
        change(&responder)
        let requester = Requester(responder: responder, url: Self.url)
        var verifier = Verifier(rootCertificates: CertificateStore([chain.root])) {
            RFC5280Policy(fixedExpiryValidationTime: Timestamp.testStart.date)
            OCSPVerifierPolicy(failureMode: .hard, requester: requester, fixedExpiryValidationTime: Timestamp.testStart.date)
        }
        switch await verifier.validate(leaf: chain.leaf, intermediates: CertificateStore([chain.intermediate])) {
        case .validCertificate: return true
        case .couldNotValidate: return false
        }
    }

    @Test func `the certificate library believes a good answer`() async throws {
        #expect(try await accepts(authority.receiptChain))
        #expect(try await accepts(authority.signedDataChain))
    }

    @Test(arguments: AuthorityCertificate.allCases)
    func `the certificate library believes a revocation`(certificate: AuthorityCertificate) async throws {
        let isReceipts = [.receiptLeaf, .receiptIntermediate].contains(certificate)
        let revoke: (inout OCSPResponder) -> Void = { $0.statuses[certificate] = .revoked(at: .testStart, reason: .superseded) }
        #expect(try await accepts(authority.receiptChain, revoke) != isReceipts)
        #expect(try await accepts(authority.signedDataChain, revoke) == isReceipts)
    }

    @Test(arguments: [
        (OCSPOddities.stale, false), (.fromTheFuture, false), (.aboutAnother, false), (.strangersSignature, false),
        (.leafsSignature, false), (.damagedSignature, false), (.otherNonce, false), (.noNextUpdate, false), (.noNonce, true),
        (.namedResponder, true),
    ])
    func `the certificate library judges an odd answer`(oddities: OCSPOddities, isBelieved: Bool) async throws {
        #expect(try await accepts(authority.receiptChain) { $0.oddities = oddities } == isBelieved)
        #expect(try await accepts(authority.signedDataChain) { $0.oddities = oddities } == isBelieved)
    }

    @Test(arguments: OCSPRefusal.allCases) func `the certificate library takes no refusal for an answer`(refusal: OCSPRefusal) async throws
    {
        #expect(try await !accepts(authority.signedDataChain) { $0.refusal = refusal })
        #expect(try await !accepts(authority.signedDataChain) { $0.statuses[.signedDataLeaf] = .unknown })
    }
}
