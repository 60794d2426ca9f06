/// Runs of the same work, one after the other, which calls share: a call joins the next run unless one waits to begin already.
@MainActor
final class SharedRuns {
    private var running: Task<Void, Never>?
    private var waiting: Task<Void, Never>?

    /// The run that begins or ends last; nil before the first one.
    var last: Task<Void, Never>? { waiting ?? running }

    /// Cancels the run that has begun, and the one that waits.
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
