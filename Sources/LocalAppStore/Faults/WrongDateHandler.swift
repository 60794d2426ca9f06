import HTTPTypes
import NIOCore
import NIOHTTPTypes

extension HTTPField.Name {
    /// Carries a wrong date from where it is decided past where the server sets the right one.
    static let wrongDate = HTTPField.Name("X-Tillroll-Wrong-Date") ?? .date
}

/// Puts the wrong date of a fault in the place of the server's right one, which it sets last of all.
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
