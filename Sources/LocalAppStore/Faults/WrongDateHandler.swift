import HTTPTypes
import NIOCore
import NIOHTTPTypes

extension HTTPField.Name {
    /// The name of an internal header field that carries a wrong date to ``WrongDateHandler``, which removes the field.
    static let wrongDate = HTTPField.Name("X-Tillroll-Wrong-Date") ?? .date
}

/// A channel handler that replaces the response's `Date` header with the wrong date that a fault (simulated failure) requires.
///
/// The HTTP server sets the header after all middleware, so only a channel handler can replace it.
final class WrongDateHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data), let date = head.headerFields[.wrongDate] else {
            return context.write(data, promise: promise)
        }
        head.headerFields[.wrongDate] = nil
        head.headerFields[.date] = date
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}
