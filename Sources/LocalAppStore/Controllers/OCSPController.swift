import HTTPTypes
import Hummingbird
import NIOCore
import PurchaseIssuing
import PurchaseModel
import WireServer

/// Answers whether the store's certificates were revoked (RFC 6960, appendix A).
///
/// By the time of the clock that the store's follows, because clients compare answers with their own.
struct OCSPController: Sendable {
    /// The most bytes of a question; one about a chain takes some hundreds.
    private static let questionLimit = 16 << 10

    func addRoutes(to router: Router<StoreRequestContext>) {
        router.post("/ocsp") { request, context in
            try Self.answer(Array(buffer: try await request.wholeBody(upTo: Self.questionLimit)), context)
        }
        router.get("/ocsp/**") { request, context in
            let path = String(request.uri.path.dropFirst("/ocsp/".count))
            guard path.utf8.count <= Self.questionLimit, let question = OCSPResponder.request(inPath: path) else {
                throw IdentifierRefusal.unreadable(place: "request")
            }
            return try Self.answer(question, context)
        }
    }

    private static func answer(_ question: [UInt8], _ context: StoreRequestContext) throws -> Response {
        let ledger = try context.ledger
        let answer = try ledger.signer.issuers.answer(question, at: ledger.clock.machine)
        return Response(
            status: .ok, headers: [.contentType: "application/ocsp-response"], body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer))
        )
    }
}
