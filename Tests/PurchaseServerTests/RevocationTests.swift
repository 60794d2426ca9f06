import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import ServerProtocol
import Synchronization
import Testing

@testable import PurchaseServer

/// Tests of a server that requests revocation statuses over HTTP.
@Suite struct RevocationTests {
    enum Responder: CaseIterable {
        case good
        case revokedLeaf
        case revokedIntermediate
        case tryLater
        case overloaded
    }

    /// Records a transaction at a server with the given responder, and returns the response and the number of OCSP requests.
    private func record(_ mode: RevocationMode, _ responder: Responder) async throws -> (ProofResult, requestCount: Int) {
        let served = Mutex<OCSPResponder?>(nil)
        let requestCount = Mutex(0)
        let router = Router()
        router.post("ocsp") { request, _ in
            let body = try await request.body.collect(upTo: 1 << 16)
            requestCount.withLock { $0 += 1 }
            guard responder != .overloaded, let answering = served.withLock({ $0 }) else { return Response(status: .serviceUnavailable) }
            let answer = try answering.respond(to: Array(body.readableBytesView), at: .testStart)
            return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(bytes: answer)))
        }
        let application = Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
        return try await application.test(.live) { client in
            let port = try #require(client.port)
            let authority = try TestAuthority.shared.defective([], ocspURL: "http://127.0.0.1:\(port)/ocsp")
            var answering = try OCSPResponder(authority: authority.authority)
            switch responder {
            case .good, .overloaded: break
            case .revokedLeaf: answering.statuses[.signedDataLeaf] = .revoked(at: .testStart.adding(days: -1), reason: .keyCompromise)
            case .revokedIntermediate: answering.statuses[.signedDataIntermediate] = .revoked(at: .testStart, reason: nil)
            case .tryLater: answering.errorStatus = .tryLater
            }
            served.withLock { $0 = answering }
            let result = try await TemporaryFolder.with { folder in
                try Shop.bookText.write(to: folder.file("book.txt"))
                var configuration = try Shop.configuration(contentFolder: folder.url.path())
                configuration.roots = try authority.roots
                configuration.revocation = mode
                let server = try await PurchaseServer(configuration: configuration, clock: ManualClock(), logger: .silent)
                #expect(server.services.contains { $0 is RevocationService } == (mode != .off))
                let signed = try authority.signedData.sign(TransactionPayload.creditSale)
                let purchases = try #require(server.apps[.test]?.purchases)
                let request = SubmitPurchasesRequest(proofs: [PurchaseProofInput(signedTransaction: signed)])
                return try #require(try await purchases.submit(request, for: nil, isBackend: true).results.first)
            }
            return (result, requestCount.withLock { $0 })
        }
    }

    @Test(
        arguments: [
            (RevocationMode.hard, Responder.good, ProofResult.Status.verified, nil), (.soft, .good, .verified, nil),
            (.hard, .revokedLeaf, .refused, "proof.refused"),
            (.soft, .revokedLeaf, .refused, "proof.refused"),
            (.hard, .revokedIntermediate, .refused, "proof.refused"),
            (.hard, .tryLater, .indeterminate, "proof.indeterminate"), (.soft, .tryLater, .verified, nil),
            (.hard, .overloaded, .indeterminate, "proof.indeterminate"), (.soft, .overloaded, .verified, nil),
        ] as [(RevocationMode, Responder, ProofResult.Status, String?)])
    func `the responder and the mode decide whether a transaction is accepted`(
        _ mode: RevocationMode, _ responder: Responder, _ status: ProofResult.Status, _ code: String?
    ) async throws {
        let (result, requestCount) = try await record(mode, responder)
        #expect(result.status == status)
        #expect(result.code == code)
        #expect(requestCount > 0)
    }

    @Test func `a server without revocation checks sends no OCSP request`() async throws {
        let (result, requestCount) = try await record(.off, .revokedLeaf)
        #expect(result.status == .verified)
        #expect(requestCount == 0)
    }
}
