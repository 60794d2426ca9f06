import LocalAppStore
import ServiceLifecycle
import StoreProtocol
import Synchronization

/// Collects the ports of a store's listeners, which start independently.
final class StorePorts: Sendable {
    /// The ports of all listeners; `tls` is nil without TLS.
    struct Numbers: Sendable {
        var plain: Int
        var tls: Int?
    }

    private struct State {
        var plain: Int?
        var tls: Int?
    }

    private let state = Mutex(State())
    private let expectsTLS: Bool
    private let whenComplete: @Sendable (Numbers) -> Void

    /// Creates a collector that calls `whenComplete` when all expected ports are known.
    init(expectsTLS: Bool, whenComplete: @escaping @Sendable (Numbers) -> Void) {
        self.expectsTLS = expectsTLS
        self.whenComplete = whenComplete
    }

    /// Sets the port of the HTTP listener.
    func set(plain port: Int) { update { $0.plain = port } }

    /// Sets the port of the TLS listener.
    func set(tls port: Int) { update { $0.tls = port } }

    private func update(_ change: (inout State) -> Void) {
        let complete = state.withLock { state -> Numbers? in
            change(&state)
            guard let plain = state.plain, state.tls != nil || !expectsTLS else { return nil }
            return Numbers(plain: plain, tls: state.tls)
        }
        if let complete { whenComplete(complete) }
    }
}

/// A service that prints the requests to a store as they arrive.
struct RequestPrinter: Service {
    let store: LocalAppStore

    func run() async throws {
        var query = RequestQuery()
        (query.withoutControl, query.limit) = (true, .max)
        for await _ in store.requestChanges.cancelOnGracefulShutdown() {
            let (requests, last) = store.requests(query)
            query.after = last
            try StandardOutput.lines(requests.map { $0.line(.detected()) })
        }
    }
}

/// A service that calls ``announce`` when all listeners of a store have ports.
///
/// If the call fails, the process ends, because no client could find the store's address.
struct StoreAnnouncement: Service {
    /// A stream that delivers the ports when all listeners have started.
    let ports: AsyncStream<StorePorts.Numbers>
    /// A closure that writes the key files and the ready file, and prints the store's addresses, with the ports of the listeners.
    let announce: @Sendable (StorePorts.Numbers) async throws -> Void

    func run() async throws {
        guard let found = await ports.cancelOnGracefulShutdown().first(where: { _ in true }) else { return }
        do { try await announce(found) } catch {
            // Ignore the error of a stopping store, which does not respond and has no waiting clients.
            guard Task.isShuttingDownGracefully else { throw error }
        }
        // Wait, because a service that ends would end the whole group.
        try? await gracefulShutdown()
    }
}
