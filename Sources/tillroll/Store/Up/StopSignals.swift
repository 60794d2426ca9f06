import ServiceLifecycle
import UnixSignals

/// SIGTERM and SIGINT, kept from the beginning of a command until its services can end by them.
///
/// So a command that is stopped while it starts cleans up as one that is stopped later.
struct StopSignals {
    private let signals: UnixSignalsSequence

    /// Begins to keep them; until then they end the process.
    init() async {
        signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    }

    /// Runs services until they end, or a signal comes or has come.
    func run(_ group: ServiceGroup) async throws {
        let watch = Task {
            for await _ in signals { await group.triggerGracefulShutdown() }
        }
        defer { watch.cancel() }
        try await group.run()
    }
}
