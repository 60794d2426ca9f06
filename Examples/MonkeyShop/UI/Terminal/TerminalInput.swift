import Synchronization

/// The commands for ``TerminalShop``, which a signal can cut off.
public final class TerminalInput: Sendable {
    let commands: AsyncStream<String>
    /// A sequence with an element when the app has to end at once; it ends with the app.
    let stops: AsyncStream<Void>
    private let commandWriter: AsyncStream<String>.Continuation
    private let stopWriter: AsyncStream<Void>.Continuation
    private let stopped = Mutex(false)

    /// Creates an input without commands.
    public init() {
        (commands, commandWriter) = AsyncStream.makeStream(of: String.self)
        (stops, stopWriter) = AsyncStream.makeStream(of: Void.self)
    }

    /// Adds a command.
    ///
    /// - Parameter command: The line that the person types.
    public func send(_ command: String) { commandWriter.yield(command) }

    /// Ends the input: the app ends after the commands that were sent before.
    public func end() { commandWriter.finish() }

    /// Ends the app at once: the running action is interrupted, and commands that are not carried out yet are ignored.
    public func stop() {
        stopped.withLock { $0 = true }
        stopWriter.yield()
        commandWriter.finish()
    }

    /// Whether the app has to end at once.
    var isStopped: Bool { stopped.withLock { $0 } }

    /// Ends both sequences, because the app ends.
    func close() {
        commandWriter.finish()
        stopWriter.finish()
    }
}
