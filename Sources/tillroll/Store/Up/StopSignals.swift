import ServiceLifecycle
import UnixSignals

/// SIGTERM and SIGINT, held from the start of a command until its services can handle them.
///
/// A command that is stopped during its start thus cleans up like a command that is stopped later.
struct StopSignals {
    private let signals: UnixSignalsSequence

    /// Starts to hold the signals; before that, a signal ends the process.
    init() async {
        signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    }

    /// Runs services until they end or a signal arrives; a signal that arrived earlier counts, too.
    func run(_ group: ServiceGroup) async throws {
        let watch = Task {
            for await _ in signals { await group.triggerGracefulShutdown() }
        }
        defer { watch.cancel() }
        try await group.run()
    }
}
