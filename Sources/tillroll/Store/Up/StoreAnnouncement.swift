import ServiceLifecycle

/// Announces a store once it listens.
///
/// If the announcement fails, the store ends, because no client knows its address.
struct StoreAnnouncement: Service {
    /// The ports, once all of them are known.
    let ports: AsyncStream<StorePorts.Found>
    /// Prints the announcement.
    let announce: @Sendable (StorePorts.Found) throws -> Void

    func run() async throws {
        guard let found = await ports.cancelOnGracefulShutdown().first(where: { _ in true }) else { return }
        try announce(found)
        // The end of one service would end the whole group.
        try? await gracefulShutdown()
    }
}
