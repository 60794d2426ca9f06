import Foundation
import ServiceLifecycle
import UnixSignals

/// Defers SIGTERM and SIGINT from the start of a command until the command's services run.
///
/// A command that is stopped during its start cleans up in the same way as a running command.
struct StopSignals {
    private let signals: UnixSignalsSequence

    /// Begins to defer the signals; before the call, a signal ends the process.
    init() async {
        signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    }

    /// Runs services until they end, or until the process receives a signal; a deferred signal stops the services at once.
    ///
    /// - Parameters:
    ///   - group: The services.
    ///   - untilInputEnds: Whether the end of standard input also stops the services.
    func run(_ group: ServiceGroup, untilInputEnds: Bool = false) async throws {
        let watch = Task {
            for await _ in signals { await group.triggerGracefulShutdown() }
        }
        defer { watch.cancel() }
        if untilInputEnds { Self.stopAfterInput(group) }
        try await group.run()
    }

    /// Stops services when standard input ends or can't be read; the bytes of the input are ignored.
    private static func stopAfterInput(_ group: ServiceGroup) {
        // Read on a separate thread, because a blocking read must not occupy a thread of Swift concurrency.
        Thread.detachNewThread {
            while let bytes = try? FileDescriptor.standardInput.read(atMost: 1 << 10), !bytes.isEmpty {}
            Task { await group.triggerGracefulShutdown() }
        }
    }
}
