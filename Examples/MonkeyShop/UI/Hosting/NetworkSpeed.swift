import Foundation
import OpenStoreKit
import Synchronization

/// The speed of a phone's network, which only downloads of content notice.
final class NetworkSpeed: Sendable {
    /// The number of bytes per second in a slow network.
    private static let slow = 20_000
    /// The number of bytes after which the progress of a slow download is seen.
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

    /// Whether nothing is received.
    var isDown: Bool {
        get { state.withLock { $0.isDown } }
        set { state.withLock { $0.isDown = newValue } }
    }

    /// Waits as long as a slow network needs for a number of bytes.
    ///
    /// - Throws: `StoreTransportError.unreachable` without a network.
    func wait(for bytes: Int) async throws {
        guard !isDown else { throw StoreTransportError.unreachable }
        guard isSlow else { return }
        try await clock.sleep(for: .seconds(bytes) / Self.slow)
    }
}

extension AsyncSequence where Self: Sendable, Element == Data, Failure == any Error {
    /// Returns the body of a response as a network of a speed delivers it.
    func delivered(at speed: NetworkSpeed) -> any AsyncSequence<Data, any Error> & Sendable { PacedBody(body: self, speed: speed) }
}

/// The body of a response, in pieces that a slow network delivers one after the other.
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
