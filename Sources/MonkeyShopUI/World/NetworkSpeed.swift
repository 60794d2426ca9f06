import Synchronization

/// The speed of a phone's network, which only downloads of content notice.
final class NetworkSpeed: Sendable {
    /// The number of bytes per second in a slow network.
    private static let slow = 20_000

    private let clock: any Clock<Duration>
    private let isReduced = Mutex(false)

    init(clock: any Clock<Duration> = ContinuousClock()) {
        self.clock = clock
    }

    var isSlow: Bool {
        get { isReduced.withLock { $0 } }
        set { isReduced.withLock { $0 = newValue } }
    }

    /// Waits as long as a slow network needs for a number of bytes.
    func wait(for bytes: Int) async throws {
        guard isSlow else { return }
        try await clock.sleep(for: .seconds(bytes) / Self.slow)
    }
}
