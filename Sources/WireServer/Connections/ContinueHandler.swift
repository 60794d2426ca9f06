import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Sends 100 Continue to clients that expect it before they send a body (RFC 9110, section 10.1.1).
///
/// Curl and .NET send `Expect: 100-continue` before large bodies, such as receipts, and wait up to a second for the interim response. The
/// handler sends no interim response in two cases. When the announced length of the body exceeds the limit, the client receives only the
/// refusal. When the response to an earlier request is not complete, the interim response would interrupt that response.
final class ContinueHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limit: Int
    /// The number of requests whose responses are not complete.
    private var unanswered = 0

    /// Creates the handler of one connection.
    ///
    /// - Parameter limit: The maximum size in bytes of any body that the server reads.
    init(limit: Int) {
        self.limit = limit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) {
            if unanswered == 0, expectsContinue(head) {
                context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
            }
            unanswered += 1
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { unanswered = max(0, unanswered - 1) }
        context.write(data, promise: promise)
    }

    private func expectsContinue(_ head: HTTPRequest) -> Bool {
        head.headerFields[.expect]?.lowercased() == "100-continue"
            && head.headerFields[.contentLength].map { Int($0).map { $0 <= limit } ?? false } ?? true
    }
}
