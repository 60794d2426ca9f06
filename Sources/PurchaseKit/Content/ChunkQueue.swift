import Foundation
import Synchronization

/// The chunks of a file that are still missing, which the connections of a download share.
final class ChunkQueue: Sendable {
    /// Consecutive chunks that one request receives.
    struct Piece: Sendable {
        var chunks: Range<Int>
        /// The first bytes of the first chunk, received over a connection that was lost.
        var beginning = Data()
    }

    private struct State {
        var pieces: [Piece]
        var received: Int64
        var damaged: Set<Int> = []
    }

    /// The maximum number of chunks of a request: more chunks save requests; fewer chunks divide the file among all connections.
    private static let chunksPerRequest = 16

    private let state: Mutex<State>

    /// Creates a queue of the missing chunks, in ascending order.
    ///
    /// - Parameter received: The number of bytes that the file contains already.
    init(missing: [Int], received: Int64) {
        var pieces: [Piece] = []
        for index in missing {
            if pieces.last?.chunks.upperBound == index {
                pieces[pieces.count - 1].chunks = pieces[pieces.count - 1].chunks.lowerBound..<index + 1
            } else {
                pieces.append(Piece(chunks: index..<index + 1))
            }
        }
        // Reverse the list, because `next()` removes the last piece.
        state = Mutex(State(pieces: pieces.reversed(), received: received))
    }

    var received: Int64 { state.withLock { $0.received } }

    var isEmpty: Bool { state.withLock { $0.pieces.isEmpty } }

    /// Removes and returns the next piece; nil if no piece is left.
    func next() -> Piece? {
        state.withLock { state in
            guard var piece = state.pieces.popLast() else { return nil }
            let end = piece.chunks.lowerBound + Self.chunksPerRequest
            if piece.chunks.upperBound > end {
                state.pieces.append(Piece(chunks: end..<piece.chunks.upperBound))
                piece.chunks = piece.chunks.lowerBound..<end
            }
            return piece
        }
    }

    /// Returns the rest of a piece to the queue after its connection was lost.
    func giveBack(_ piece: Piece) {
        state.withLock { $0.pieces.append(piece) }
    }

    /// Changes the number of received bytes by the given number, negative for discarded bytes, and returns the new number.
    @discardableResult
    func add(_ bytes: Int) -> Int64 {
        state.withLock { state in
            state.received += Int64(bytes)
            return state.received
        }
    }

    /// Records a damaged copy of a chunk; returns false if an earlier copy of the same chunk was damaged.
    func noteDamage(of chunk: Int) -> Bool {
        state.withLock { $0.damaged.insert(chunk).inserted }
    }
}
