import HTTPTypes
import NIOCore
import NIOHTTPTypes

extension HTTPField.Name {
    /// An internal header field that carries a wrong date past the point where the server sets the correct date.
    static let wrongDate = HTTPField.Name("X-Tillroll-Wrong-Date") ?? .date
}

/// Replaces the server's `Date` header, which the server sets last, with the wrong date of a fault.
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
