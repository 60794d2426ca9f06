import LocalAppStore

/// A timer that makes a test session's store process the renewals that have become due.
enum RenewalTimer {
    /// The interval between two checks for due renewals.
    private static let step = Duration.milliseconds(50)

    /// Starts a task that checks for due renewals until the task is canceled or the store is deallocated.
    static func start(in store: InProcessStore, on queue: SessionQueue) -> Task<Void, Never> {
        Task(executorPreference: queue.executor) { [weak store] in
            while !Task.isCancelled, store != nil {
                try? await store?.catchUp()
                try? await Task.sleep(for: step)
            }
        }
    }
}
