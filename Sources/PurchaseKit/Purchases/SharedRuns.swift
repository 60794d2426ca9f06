/// Runs of the same work, one after the other, which calls share: a call joins the next run unless one waits to begin already.
@MainActor
final class SharedRuns {
    private var running: Task<Void, Never>?
    private var next: Task<Void, Never>?

    /// The run that begins or ends last; nil before the first one.
    var last: Task<Void, Never>? { next ?? running }

    /// Returns a run that begins after the call.
    @discardableResult
    func next(_ body: @escaping @MainActor @Sendable () async -> Void) -> Task<Void, Never> {
        if let next { return next }
        let task = Task { [running] in
            await running?.value
            (self.running, next) = (next, nil)
            await body()
        }
        next = task
        return task
    }
}
