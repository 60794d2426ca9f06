import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Tells callers that ask before they send a body to go on (RFC 9110, section 10.1.1).
///
/// Curl and .NET ask before all but small bodies, such as receipts, and wait for a second when nobody says so. A body that
/// announces more than is ever read here is not asked for, so that the refusal is all that is sent; nor is one that is asked about
/// before an earlier request is answered, because the word would stand in the middle of that answer.
final class ContinueHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limit: Int
    /// How many requests are not answered to the end.
    private var unanswered = 0

    /// - Parameter limit: The most bytes of any body that is read here.
    init(limit: Int) {
        self.limit = limit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) {
            if unanswered == 0, isAsking(head) {
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

    private func isAsking(_ head: HTTPRequest) -> Bool {
        head.headerFields[.expect]?.lowercased() == "100-continue"
            && head.headerFields[.contentLength].map { Int($0).map { $0 <= limit } ?? false } ?? true
    }
}
