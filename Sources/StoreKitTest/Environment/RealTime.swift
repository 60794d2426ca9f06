import LocalAppStore

/// Lets time have its effect in a session's store while nobody asks it anything, so that renewals come by themselves.
enum RealTime {
    /// How often it looks whether something is due.
    private static let step = Duration.milliseconds(50)

    /// Looks until it is cancelled or the store is gone.
    static func pass(in store: InProcessStore, on queue: SessionQueue) -> Task<Void, Never> {
        Task(executorPreference: queue) { [weak store] in
            while !Task.isCancelled, store != nil {
                try? await store?.catchUp()
                try? await Task.sleep(for: step)
            }
        }
    }
}
