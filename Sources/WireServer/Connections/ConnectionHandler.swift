import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import PurchaseModel
import Wire

/// Enforces the limits of one connection: reports its events to ``ConnectionTimes``, and ends it when a limit is exceeded.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let gate: ConnectionGate
    /// The times of the connection; nil before the connection is open, and after a request body exceeded its limit.
    private var times: ConnectionTimes?
    private var check: (deadline: NIODeadline, task: Scheduled<Void>)?
    /// The name of the client under which ``PeerCount`` counts the connection; nil while the connection is not counted.
    private var peer: String?
    /// Whether the connection is closing, so that the handler ignores further input.
    private var isClosing = false
    /// Whether a part of a request arrived since the last read ended.
    private var hasPart = false
    /// The error of bytes that are not an HTTP request; nil while there are none.
    private var parserError: HTTPParserError?

    init(_ gate: ConnectionGate) {
        self.gate = gate
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { begin(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard times == nil, !isClosing else { return }
        times = ConnectionTimes(gate.limits, at: context.eventLoop.now)
        let name = PeerCount.name(of: context.remoteAddress)
        if gate.peers.addConnection(by: name) {
            peer = name
            schedule(context)
        } else {
            refuse(.tooManyConnections, context)
        }
    }

    private func end() {
        isClosing = true
        check?.task.cancel()
        check = nil
        if let peer { gate.peers.removeConnection(by: peer) }
        peer = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return }
        hasPart = true
        let now = context.eventLoop.now
        switch unwrapInboundIn(data) {
        case .head: times?.headRead(at: now)
        case .body(let buffer): times?.bodyRead(buffer.readableBytes)
        case .end: times?.endRead(at: now)
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // When the decoder produced no part of a request from the bytes that arrived, the bytes belong to an incomplete head.
        if !hasPart { times?.received(at: context.eventLoop.now) }
        hasPart = false
        times?.readingPaused(at: context.eventLoop.now)
        schedule(context)
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        times?.readingResumed(at: context.eventLoop.now)
        schedule(context)
        context.read()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isClosing else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        let now = context.eventLoop.now
        var data = data
        switch unwrapOutboundIn(data) {
        case .head(var head):
            if head.status.kind != .informational { times?.responseBegan() }
            // Hummingbird answers bytes that are not a request itself, so no middleware sees the response.
            if let parserError, head.headerFields[.requestID] == nil {
                let request = "\(RequestID())"
                gate.log.reportMalformed(parserError, peer: context.remoteAddress?.ipAddress, request: request)
                head.headerFields[.requestID] = request
                data = wrapOutboundOut(.head(head))
            }
        case .body(let buffer): times?.written(buffer.readableBytes, at: now)
        case .end: times?.responseEnded(at: now)
        }
        context.write(data, promise: promise)
        schedule(context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        parserError = error as? HTTPParserError ?? parserError
        context.fireErrorCaught(error)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode == .output {
            times?.outputEnded(at: context.eventLoop.now)
            schedule(context)
        }
        context.close(mode: mode, promise: promise)
    }

    /// Schedules a check of the limits at the next deadline, unless an earlier check is scheduled.
    private func schedule(_ context: ChannelHandlerContext) {
        guard !isClosing, let deadline = times?.deadline else { return }
        if let check {
            guard deadline < check.deadline else { return }
            check.task.cancel()
        }
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        let task = context.eventLoop.scheduleTask(deadline: deadline) {
            let (handler, context) = bound.value
            handler.check = nil
            handler.checkLimits(context)
        }
        check = (deadline, task)
    }

    private func checkLimits(_ context: ChannelHandlerContext) {
        guard !isClosing else { return }
        let unsent = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        guard let overrun = times?.overrun(unsent: unsent, at: context.eventLoop.now) else { return schedule(context) }
        switch overrun {
        case .idle:
            close(context)
        case .reading:
            gate.log.report("limits.stall-seconds", peer: context.remoteAddress?.ipAddress, reason: "response.not-read")
            close(context)
        case .head:
            refuse(.slowHead, context)
        case .response:
            if times?.unanswered == 1 { refuse(.slowResponse, context) } else { close(context) }
        case .body where times?.isResponding == false && times?.unanswered == 1:
            // A route that is reading the body receives the error, and its response reaches the client. If no route reads the body, the
            // connection closes after a second.
            times = nil
            report(.slowBody, context)
            context.fireErrorCaught(ConnectionRefusal.slowBody)
            let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
            context.eventLoop.scheduleTask(in: .seconds(1)) { bound.value.handler.close(bound.value.context) }
        case .body:
            report(.slowBody, context)
            close(context)
        }
    }

    /// Responds with an error in place of the server's routes, and closes the connection.
    private func refuse(_ refusal: ConnectionRefusal, _ context: ChannelHandlerContext) {
        report(refusal, context)
        let (head, body) = refusal.response
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(body)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        close(context)
    }

    private func report(_ refusal: ConnectionRefusal, _ context: ChannelHandlerContext) {
        gate.log.report(refusal.limit, peer: context.remoteAddress?.ipAddress, reason: refusal.wireError.code)
    }

    private func close(_ context: ChannelHandlerContext) {
        isClosing = true
        context.close(promise: nil)
    }
}
