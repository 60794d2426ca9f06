import ContentManifest
import Foundation
import FoundationExtras

/// Receives the chunks of a file over several connections, and verifies each chunk before it is written.
///
/// A lost connection loses no bytes, because the next request continues within the chunk. When the app is killed, each connection loses the
/// chunk that it was receiving.
struct ChunkedDownload: Sendable {
    let manifest: ContentManifest
    let file: PartialFile
    /// The largest number of connections at the same time.
    let connections: Int
    /// Requests a range of the file; returns nil if there was no answer.
    let request: @Sendable (Range<Int64>) async throws(ContentError) -> TransportResponse?
    let report: @Sendable (DownloadEvent) -> Void

    private enum Ending {
        case complete
        /// The connection was lost; `received` states whether bytes were received.
        case broken(ChunkQueue.Piece, received: Bool)
        /// The server ignored the range, and answered with the whole file.
        case noRanges
    }

    /// The combined result of the requests of one or all connections.
    private struct Pass {
        var hasReceived = false
        var supportsRanges = true
    }

    /// Receives the missing chunks, until requests receive no new bytes.
    ///
    /// - Parameter missing: The missing chunks, in ascending order.
    /// - Returns: Whether the file is complete; false if the server does not support ranges.
    /// - Throws: ``ContentError``; the verified chunks are kept.
    @concurrent
    func receive(_ missing: [Int]) async throws(ContentError) -> Bool {
        let absent = missing.reduce(0) { $0 + length(ofChunk: $1) }
        let queue = ChunkQueue(missing: missing, received: manifest.length - Int64(absent))
        report(.started(offset: queue.received))
        while !queue.isEmpty {
            let pass = try await pass(queue)
            guard pass.supportsRanges else { return false }
            guard queue.isEmpty || (pass.hasReceived && !Task.isCancelled) else { throw .interrupted(received: queue.received) }
        }
        return true
    }

    /// Runs all connections until no piece is left, or each connection has failed without receiving bytes.
    private func pass(_ queue: ChunkQueue) async throws(ContentError) -> Pass {
        do {
            return try await withThrowingTaskGroup(of: Pass.self) { group in
                for _ in 0..<max(1, connections) { group.addTask { try await work(queue) } }
                var result = Pass()
                for try await pass in group {
                    result.hasReceived = result.hasReceived || pass.hasReceived
                    result.supportsRanges = result.supportsRanges && pass.supportsRanges
                    if !result.supportsRanges { group.cancelAll() }
                }
                return result
            }
        } catch let error as ContentError {
            throw error
        } catch {
            throw .interrupted(received: queue.received)
        }
    }

    private func work(_ queue: ChunkQueue) async throws(ContentError) -> Pass {
        let handle = try file.open(keeping: true)
        defer { try? handle.close() }
        var pass = Pass()
        while !Task.isCancelled, let piece = queue.next() {
            switch try await receive(piece, handle, queue) {
            case .complete: pass.hasReceived = true
            case .noRanges:
                queue.giveBack(piece)
                return Pass(supportsRanges: false)
            case .broken(let rest, let received):
                queue.giveBack(rest)
                report(.broken(received: queue.received))
                guard received else { return pass }
                pass.hasReceived = true
            }
        }
        return pass
    }

    /// Requests a piece, and writes its chunks.
    private func receive(_ piece: ChunkQueue.Piece, _ handle: FileHandle, _ queue: ChunkQueue) async throws(ContentError) -> Ending {
        var (rest, hasReceived) = (piece, false)
        let offset = start(ofChunk: piece.chunks.lowerBound) + Int64(piece.beginning.count)
        let end = min(start(ofChunk: piece.chunks.upperBound), manifest.length)
        guard let response = try await request(offset..<end) else { return .broken(piece, received: false) }
        guard response.status != 200 else { return .noRanges }
        let range = ResumedRange(status: response.status) { response.header($0) }
        guard response.status == 206, range.offset == offset else { throw .damaged }
        do {
            for try await var part in response.body {
                hasReceived = hasReceived || !part.isEmpty
                while let index = rest.chunks.first, !part.isEmpty {
                    let bytes = part.prefix(max(0, length(ofChunk: index) - rest.beginning.count))
                    rest.beginning += bytes
                    queue.add(bytes.count)
                    part = part.dropFirst(bytes.count)
                    guard rest.beginning.count == length(ofChunk: index) else { break }
                    guard try write(rest.beginning, asChunk: index, handle, queue) else {
                        rest.beginning.removeAll()
                        return .broken(rest, received: true)
                    }
                    rest.beginning.removeAll(keepingCapacity: true)
                    rest.chunks = index + 1..<rest.chunks.upperBound
                }
                if !part.isEmpty { break }
            }
        } catch let error as ContentError {
            throw error
        } catch {
            // Ignore the error and check the received chunks, because the connection can be lost after the last byte.
        }
        // Check for missing chunks, because a response can end before the requested range is complete.
        return rest.chunks.isEmpty ? .complete : .broken(rest, received: hasReceived)
    }

    /// Verifies and writes a chunk; returns false for the first damaged copy of the chunk.
    private func write(
        _ bytes: Data, asChunk index: Int, _ handle: FileHandle, _ queue: ChunkQueue
    ) throws(ContentError) -> Bool {
        guard (try? manifest.verify(bytes, asChunk: index)) != nil else {
            queue.add(-bytes.count)
            // Request a damaged chunk once more; a second damaged copy means that the server's bytes differ from the manifest.
            guard queue.noteDamage(of: index) else { throw .damaged }
            return false
        }
        do {
            try handle.seek(toOffset: UInt64(clamping: start(ofChunk: index)))
            try handle.write(contentsOf: bytes)
        } catch {
            throw .storage(reason: "the file can't be written")
        }
        report(.received(queue.received))
        return true
    }

    private func start(ofChunk index: Int) -> Int64 { Int64(index) * ContentManifest.chunkLength }

    private func length(ofChunk index: Int) -> Int {
        manifest.range(ofChunk: index)?.count ?? 0
    }
}
