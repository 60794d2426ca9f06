import Foundation
import Logging
import NIOCore

/// Pauses accepting connections while the process or the machine has no file descriptors or no memory left for a connection.
///
/// NIO's `AcceptBackoffHandler` only delays the next read, and the channel stays registered for reading. The kernel therefore reports the
/// channel as readable continuously, and the failing calls of `accept` use a full CPU core.
final class AcceptPauseHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = any Channel

    /// Returns whether an error of `accept` is temporary, and disappears when other connections end.
    static func isTemporary(_ error: any Error) -> Bool {
        guard let error = error as? IOError else { return false }
        return [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode)
    }

    private let logger: Logger
    private let pause: TimeAmount
    private var isPaused = false

    init(logger: Logger, pause: TimeAmount = .seconds(1)) {
        self.logger = logger
        self.pause = pause
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.fireErrorCaught(error)
        guard Self.isTemporary(error), !isPaused else { return }
        isPaused = true
        logger.warning(
            "accepting connections is paused because the system is out of file descriptors or memory; raise the limit of open files",
            metadata: ["error": "\(error)"])
        let channel = context.channel
        setReading(false, channel)
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: pause) {
            bound.value.isPaused = false
            bound.value.setReading(true, channel)
        }
    }

    private func setReading(_ isReading: Bool, _ channel: any Channel) {
        _ = try? channel.syncOptions?.setOption(.autoRead, value: isReading)
    }
}
