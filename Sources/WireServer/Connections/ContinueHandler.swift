import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Tells callers that ask before they send a body to go on (RFC 9110, section 10.1.1).
///
/// Curl and .NET ask before all but small bodies, such as receipts, and wait for a second when nobody says so. A body that
/// announces more than is ever read here is not asked for, so that the refusal is all that is sent.
final class ContinueHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private let limit: Int

    /// - Parameter limit: The most bytes of any body that is read here.
    init(limit: Int) {
        self.limit = limit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data), head.headerFields[.expect]?.lowercased() == "100-continue",
            head.headerFields[.contentLength].map({ Int($0).map { $0 <= limit } ?? false }) ?? true
        {
            context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
        }
        context.fireChannelRead(data)
    }
}
