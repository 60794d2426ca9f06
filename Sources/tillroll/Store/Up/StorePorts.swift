import Synchronization

/// The ports on which a store listens, which become known one after the other.
final class StorePorts: Sendable {
    /// The ports, once all of them are known.
    struct Found: Sendable {
        var plain: Int
        var tls: Int?
    }

    private struct State {
        var plain: Int?
        var tls: Int?
    }

    private let state = Mutex(State())
    private let expectsTLS: Bool
    private let whenComplete: @Sendable (Found) -> Void

    /// Waits for one or two ports; `whenComplete` is called once.
    init(expectsTLS: Bool, whenComplete: @escaping @Sendable (Found) -> Void) {
        self.expectsTLS = expectsTLS
        self.whenComplete = whenComplete
    }

    /// The store listens without TLS.
    func found(plain port: Int) { take { $0.plain = port } }

    /// The store listens with TLS.
    func found(tls port: Int) { take { $0.tls = port } }

    private func take(_ change: (inout State) -> Void) {
        let complete = state.withLock { state -> Found? in
            change(&state)
            guard let plain = state.plain, state.tls != nil || !expectsTLS else { return nil }
            return Found(plain: plain, tls: state.tls)
        }
        if let complete { whenComplete(complete) }
    }
}
