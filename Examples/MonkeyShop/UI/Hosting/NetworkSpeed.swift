import Foundation
import OpenStoreKit
import Synchronization

/// The speed of a phone's network, which affects downloads of content only, because other responses are too short to notice.
final class NetworkSpeed: Sendable {
    /// The speed of a slow network in bytes per second.
    private static let slow = 20_000
    /// The number of bytes in each piece of a slow download.
    fileprivate static let pieceLength = 5_000

    private let clock: any Clock<Duration>
    private let state = Mutex((isSlow: false, isDown: false))

    init(clock: any Clock<Duration> = ContinuousClock()) {
        self.clock = clock
    }

    var isSlow: Bool {
        get { state.withLock { $0.isSlow } }
        set { state.withLock { $0.isSlow = newValue } }
    }

    var isDown: Bool {
        get { state.withLock { $0.isDown } }
        set { state.withLock { $0.isDown = newValue } }
    }

    /// Waits for the time that a slow network needs to transmit a number of bytes.
    ///
    /// - Throws: `StoreTransportError.unreachable` if the network is unavailable.
    func wait(for bytes: Int) async throws {
        guard !isDown else { throw StoreTransportError.unreachable }
        guard isSlow else { return }
        try await clock.sleep(for: .seconds(bytes) / Self.slow)
    }
}

extension AsyncSequence where Self: Sendable, Element == Data, Failure == any Error {
    /// Returns the body of a response, delivered at the speed of a network.
    func delivered(at speed: NetworkSpeed) -> any AsyncSequence<Data, any Error> & Sendable { PacedBody(body: self, speed: speed) }
}

/// The body of a response, whose pieces a slow network delays.
private struct PacedBody<Body: AsyncSequence & Sendable>: AsyncSequence, Sendable where Body.Element == Data, Body.Failure == any Error {
    let body: Body
    let speed: NetworkSpeed

    func makeAsyncIterator() -> Iterator { Iterator(body: body.makeAsyncIterator(), speed: speed) }

    struct Iterator: AsyncIteratorProtocol {
        var body: Body.AsyncIterator
        let speed: NetworkSpeed
        var rest = Data()

        mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Data? {
            if rest.isEmpty {
                guard let data = try await body.next(isolation: actor) else { return nil }
                rest = data
            }
            let piece = rest.prefix(speed.isSlow ? NetworkSpeed.pieceLength : rest.count)
            rest = rest.dropFirst(piece.count)
            try await speed.wait(for: piece.count)
            return Data(piece)
        }
    }
}
