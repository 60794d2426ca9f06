import HTTPTypes
import Hummingbird
import NIOCore
import PurchaseIssuing
import PurchaseModel
import WireServer

/// Adds the routes of the OCSP responder for the store's certificates (RFC 6960, appendix A).
///
/// Responses have the date of the machine's clock and not of the store's time, because clients compare the date with their own clock.
struct OCSPController: Sendable {
    /// The maximum size of an OCSP request, in bytes; a request about a certificate chain has several hundred bytes.
    private static let requestLimit = 16 << 10

    func addRoutes(to router: Router<StoreRequestContext>) {
        router.post("/ocsp") { request, context in
            try Self.answer(Array(buffer: try await request.wholeBody(upTo: Self.requestLimit)), context)
        }
        router.get("/ocsp/**") { request, context in
            let path = String(request.uri.path.dropFirst("/ocsp/".count))
            guard path.utf8.count <= Self.requestLimit, let ocspRequest = OCSPResponder.request(inPath: path) else {
                throw IdentifierRefusal.unreadable(place: "request")
            }
            return try Self.answer(ocspRequest, context)
        }
    }

    private static func answer(_ ocspRequest: [UInt8], _ context: StoreRequestContext) throws -> Response {
        let services = try context.services
        let answer = try services.context.signer.issuers.respond(to: ocspRequest, at: services.context.clock.systemTime)
        return Response(
            status: .ok, headers: [.contentType: "application/ocsp-response"], body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer))
        )
    }
}
