import HTTPTypes
import Hummingbird
import MessageSignatures
import NIOCore
import PurchaseModel

/// Signs the responses to requests that contain a nonce (RFC 9421), so that an app detects an answer that was changed on the way.
///
/// A request without a nonce, or with an invalid one, receives an unsigned response.
struct SignedAnswerMiddleware: RouterMiddleware {
    typealias Context = ServerContext

    let clock: any WallClock

    func handle(
        _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        guard let caller = context.caller, let nonce = request.headers[.nonce].flatMap({ RequestNonce($0) }),
            let message = HTTPRequestMessage(method: request.method.rawValue, target: request.uri.string)
        else { return response }
        var content = ByteBuffer()
        try await response.body.write(Collector { content.writeImmutableBuffer($0) })
        let signed = try caller.app.answers.responses.sign(
            HTTPResponseMessage(
                status: response.status.code,
                fields: HTTPMessageFields(response.headers.map { (name: $0.name.rawName, value: $0.value) }),
                content: Array(content.readableBytesView)),
            to: message, nonce: nonce, at: clock.now)
        var result = Response(status: response.status, headers: response.headers, body: ResponseBody(byteBuffer: content))
        for name in [HTTPField.Name.contentDigest, .signatureInput, .signature] { result.headers[name] = signed.fields[name.rawName] }
        return result
    }
}

/// Collects the body of a response, which the endpoints create in memory.
private struct Collector: ResponseBodyWriter {
    let append: (ByteBuffer) -> Void

    mutating func write(_ buffer: ByteBuffer) async throws { append(buffer) }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
