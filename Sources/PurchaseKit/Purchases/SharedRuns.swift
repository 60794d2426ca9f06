/// Runs the same operation repeatedly, one run at a time; calls during a run share the next run.
@MainActor
final class SharedRuns {
    private var running: Task<Void, Never>?
    private var waiting: Task<Void, Never>?

    /// The waiting run, or else the run that began last; nil before the first run.
    var last: Task<Void, Never>? { waiting ?? running }

    /// Cancels the current run and the waiting run.
    func cancel() {
        running?.cancel()
        waiting?.cancel()
    }

    /// Returns a run that begins after the call.
    @discardableResult
    func next(_ body: @escaping @MainActor @Sendable () async -> Void) -> Task<Void, Never> {
        if let waiting { return waiting }
        let task = Task { [running] in
            await running?.value
            (self.running, waiting) = (waiting, nil)
            guard !Task.isCancelled else { return }
            await body()
        }
        waiting = task
        return task
    }
}
