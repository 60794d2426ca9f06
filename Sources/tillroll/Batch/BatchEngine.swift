import ArgumentParser
import PurchaseModel
import PurchaseProof

/// Verifies the items of a source on several cores and delivers the results in the source's order.
///
/// Memory is bounded for a source of any size: the engine reads at most ``window`` chunks, counted from the oldest chunk whose results are
/// not delivered yet.
struct BatchEngine: Sendable {
    /// The number of chunks that are verified at the same time.
    let jobs: Int
    /// Verifies one item and returns its result; every item has a result.
    let verify: @Sendable (BatchItem) async -> BatchResult

    /// The maximum number of chunks that are read and not yet delivered.
    ///
    /// A slow chunk delays the other chunks only when they are this far ahead.
    private var window: Int { jobs * 4 }

    /// Verifies all items up to the end of the source.
    ///
    /// While results are outstanding, the engine does not wait for a source that is not ready: a pipe's results are delivered when the
    /// pipe pauses.
    ///
    /// - Parameter deliver: Receives the results in order, one call at a time. An error that it throws ends the run.
    func run(_ source: inout some BatchSource, deliver: (BatchChunkResult) throws -> Void) async throws {
        try await withThrowingTaskGroup(of: (Int, BatchChunkResult).self) { group in
            var read = 0
            var delivered = 0
            var running = 0
            var isAtEnd = false
            var finished: [Int: BatchChunkResult] = [:]
            while true {
                while !isAtEnd, running < jobs, read - delivered < window, running == 0 || source.isReady {
                    guard let chunk = try source.next() else {
                        isAtEnd = true
                        break
                    }
                    let number = read
                    group.addTask { (number, await chunkResult(for: chunk)) }
                    read += 1
                    running += 1
                }
                guard let (number, chunkResult) = try await group.next() else { return }
                running -= 1
                finished[number] = chunkResult
                while let chunkResult = finished.removeValue(forKey: delivered) {
                    try deliver(chunkResult)
                    delivered += 1
                }
            }
        }
    }

    private func chunkResult(for chunk: BatchChunk) async -> BatchChunkResult {
        var chunkResult = BatchChunkResult(position: chunk.position)
        for item in chunk.items {
            let result = await verify(item)
            chunkResult.tally.add(result.explanation.result)
            result.write(to: &chunkResult.lines)
        }
        return chunkResult
    }
}

/// One item of a batch and its origin.
struct BatchItem: Sendable {
    /// The place in the input at which the item was found.
    enum Origin: Hashable, Sendable, CustomStringConvertible {
        /// A line of the input, counted from 1.
        case line(Int)
        /// A file of the folder.
        case file(String)

        /// The origin's name in messages.
        var description: String {
            switch self {
            case .line(let number): "line \(number)"
            case .file(let name): TerminalText.safe(name)
            }
        }

        /// The JSON member that states the origin in a result.
        var member: JSONValue.Member {
            switch self {
            case .line(let number): JSONValue.Member("line", .number(number))
            case .file(let name): JSONValue.Member("file", .string(name))
            }
        }
    }

    /// The item's content.
    enum Content: Sendable {
        case bytes([UInt8])
        /// More bytes than the maximum length; the bytes were skipped.
        case tooLong
        /// A file that can't be read, and the cause.
        case unreadable(String)
    }

    let origin: Origin
    let content: Content
}

/// Consecutive items of a batch.
///
/// A chunk is large enough that passing it between tasks costs nothing, and small enough that several fit in memory.
struct BatchChunk: Sendable {
    /// The number of bytes that a chunk collects before it is verified.
    static let targetSize = 256 << 10
    /// The maximum number of items in a chunk, which lets the results of short lines appear soon.
    static let maximumCount = 256

    var items: [BatchItem] = []
    /// The amount of input up to the chunk's end: bytes of a file, or files of a folder.
    var position = 0
}

/// The results of one chunk, encoded for output.
struct BatchChunkResult: Sendable {
    /// Lines of JSON, in the order of the items.
    var lines: [UInt8] = []
    var tally = BatchTally()
    /// The position in the input at which the chunk ends.
    var position = 0
}

/// The verification result of one item of a batch.
struct BatchResult: Sendable {
    let origin: BatchItem.Origin
    let explanation: VerificationExplanation
    /// Further members, such as the product.
    var details: [JSONValue.Member] = []

    /// Writes the result as a line of JSON with its line break: origin, result, reason, place, further members.
    func write(to bytes: inout [UInt8]) {
        var members = [origin.member, JSONValue.Member("result", .string(explanation.result.rawValue))]
        if let reason = explanation.reason { members.append(JSONValue.Member("reason", .string(reason))) }
        if let place = explanation.place { members.append(JSONValue.Member("place", .string(place))) }
        JSONValue.object(members + details).write(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
    }
}

/// The number of items with each result.
struct BatchTally: Hashable, Sendable, CustomStringConvertible {
    var verified = 0
    var refused = 0
    var indeterminate = 0

    var count: Int { verified + refused + indeterminate }

    /// Counts one result.
    mutating func add(_ result: VerificationExplanation.Result) {
        switch result {
        case .verified: verified += 1
        case .refused: refused += 1
        case .indeterminate: indeterminate += 1
        }
    }

    /// Adds the counts of another tally.
    static func += (tally: inout BatchTally, other: BatchTally) {
        tally.verified += other.verified
        tally.refused += other.refused
        tally.indeterminate += other.indeterminate
    }

    /// The exit code of the worst result: `refused` before `indeterminate` before `success`.
    var exitCode: ExitCode {
        if refused > 0 { return VerificationExplanation.Result.refused.exitCode }
        return indeterminate > 0 ? VerificationExplanation.Result.indeterminate.exitCode : VerificationExplanation.Result.verified.exitCode
    }

    /// The summary: `1,000 items: 998 verified, 2 refused, 0 indeterminate`.
    var description: String {
        let parts = [(verified, "verified"), (refused, "refused"), (indeterminate, "indeterminate")]
        return "\(BatchProgress.grouped(count)) items: " + parts.map { "\(BatchProgress.grouped($0)) \($1)" }.joined(separator: ", ")
    }
}
