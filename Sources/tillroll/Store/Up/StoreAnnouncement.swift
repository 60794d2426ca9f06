import ServiceLifecycle

/// Says that a store is ready once it listens; when that can't be said, nobody is told of the store, and it ends.
struct StoreAnnouncement: Service {
    /// The ports, when all are known.
    let ports: AsyncStream<StorePorts.Found>
    /// Says it.
    let announce: @Sendable (StorePorts.Found) throws -> Void

    func run() async throws {
        guard let found = await ports.cancelOnGracefulShutdown().first(where: { _ in true }) else { return }
        try announce(found)
        // A service that ends takes the others with it.
        try? await gracefulShutdown()
    }
}
