import Synchronization

/// The commands for ``TerminalShop``, whose execution ``stop()`` interrupts.
public final class TerminalInput: Sendable {
    let commands: AsyncStream<String>
    /// A sequence with an element for each call of ``stop()``; the sequence ends when the app ends.
    let stops: AsyncStream<Void>
    private let commandWriter: AsyncStream<String>.Continuation
    private let stopWriter: AsyncStream<Void>.Continuation
    private let stopped = Mutex(false)

    /// Creates an input that has no commands yet.
    public init() {
        (commands, commandWriter) = AsyncStream.makeStream(of: String.self)
        (stops, stopWriter) = AsyncStream.makeStream(of: Void.self)
    }

    /// Adds a command.
    ///
    /// - Parameter command: A line of text, such as `1 3`.
    public func send(_ command: String) { commandWriter.yield(command) }

    /// Ends the input; the app carries out the sent commands, and then ends.
    public func end() { commandWriter.finish() }

    /// Ends the app at once: interrupts the current action, and ignores the remaining commands.
    public func stop() {
        stopped.withLock { $0 = true }
        stopWriter.yield()
        commandWriter.finish()
    }

    var isStopped: Bool { stopped.withLock { $0 } }

    /// Ends the sequences of commands and stops at the end of the app.
    func close() {
        commandWriter.finish()
        stopWriter.finish()
    }
}
