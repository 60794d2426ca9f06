import LocalAppStore

/// Processes due renewals in a session's store as time passes.
enum RenewalTimer {
    /// The interval between two checks for due events.
    private static let step = Duration.milliseconds(50)

    /// Checks until the task is canceled or the store is deallocated.
    static func start(in store: InProcessStore, on queue: SessionQueue) -> Task<Void, Never> {
        Task(executorPreference: queue) { [weak store] in
            while !Task.isCancelled, store != nil {
                try? await store?.catchUp()
                try? await Task.sleep(for: step)
            }
        }
    }
}
