import Foundation
import HTTPTypes
import Hummingbird
import MessageSignatures
import NIOCore
import PurchaseModel
import ServerProtocol
import Wire
import WireServer

/// Signs the responses to requests that contain a nonce (RFC 9421), so that an app detects an answer that was changed in transit.
///
/// A request without a valid nonce receives an unsigned response. The middleware compares the content of a request with the request's field
/// `Content-Digest`, if present. The signature of the response covers `Content-Digest`, so that an app also detects a changed request.
///
/// If a request identifies a customer, the response states a digest of the customer's name or token, and the signature covers the digest.
/// Without the digest of the customer, a proxy could replace the customer of a request and pass the authentic answer about another customer
/// to the app. The digest of the customer is a field of the response, so that clients without support for the digest can verify the
/// signature.
struct SignedAnswerMiddleware: RouterMiddleware {
    typealias Context = ServerContext

    let clock: any WallClock

    func handle(
        _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        guard let caller = context.caller, let nonce = request.headers[.nonce].flatMap({ RequestNonce($0) }) else {
            return try await next(request, context)
        }
        var (request, fields, components) = (request, HTTPMessageFields(), SignatureComponent.response)
        if let digest = request.headers[.contentDigest] {
            let content = try await request.wholeBody(upTo: defaultBodyLimit)
            try Self.check(content, digest)
            request.body = RequestBody(buffer: content)
            fields[ContentDigest.fieldName] = digest
            components = SignatureComponent.responseToContent
        }
        var response = try await next(request, context)
        if let customer = request.headers[.customerToken] ?? request.headers[.customer] {
            response.headers[.customerDigest] = ContentDigest(of: Data(customer.utf8)).fieldValue
            components.append(.field(ServerHeader.customerDigest))
        }
        guard let message = HTTPRequestMessage(method: request.method.rawValue, target: request.uri.string, fields: fields) else {
            return response
        }
        var content = ByteBuffer()
        try await response.body.write(Collector { content.writeImmutableBuffer($0) })
        let signed = try caller.app.answers.responses.sign(
            HTTPResponseMessage(
                status: response.status.code,
                fields: HTTPMessageFields(response.headers.map { (name: $0.name.rawName, value: $0.value) }),
                content: Array(content.readableBytesView)),
            to: message, nonce: nonce, components: components, at: clock.now)
        var result = Response(status: response.status, headers: response.headers, body: ResponseBody(byteBuffer: content))
        for name in [HTTPField.Name.contentDigest, .signatureInput, .signature] { result.headers[name] = signed.fields[name.rawName] }
        return result
    }

    /// Compares the content of a request with its digest (RFC 9530).
    private static func check(_ content: ByteBuffer, _ digest: String) throws(SignedAnswerRefusal) {
        do throws(ContentDigestError) {
            try ContentDigest(fieldValue: digest).verify(Array(content.readableBytesView))
        } catch { throw .digest }
    }
}

/// The reason why the middleware refuses a request.
enum SignedAnswerRefusal: Error, Hashable, WireRefusal {
    /// The content of the request differs from its `Content-Digest`.
    case digest

    var status: HTTPResponse.Status { .badRequest }

    var wireError: WireError {
        WireError(
            code: "content.digest",
            message: "The content of the request differs from Content-Digest, or the digest is malformed. Send sha-256=:BASE64: (RFC 9530)."
        )
    }
}

/// Collects the body of a response in memory.
private struct Collector: ResponseBodyWriter {
    let append: (ByteBuffer) -> Void

    mutating func write(_ buffer: ByteBuffer) async throws { append(buffer) }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
