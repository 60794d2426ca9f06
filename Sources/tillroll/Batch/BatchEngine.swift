import ArgumentParser
import FoundationExtras
import PurchaseProof

/// Verifies the receipts and JWS of a batch on several cores, and delivers the results in the order of the input.
///
/// Memory is bounded for an input of any size: the engine reads no more than ``window`` chunks ahead of the oldest undelivered chunk.
struct BatchEngine: Sendable {
    /// The maximum number of chunks that are verified at the same time.
    let jobs: Int
    /// Verifies one item and returns the result, even for an unreadable item.
    let verify: @Sendable (BatchItem) async -> BatchResult

    /// The maximum number of chunks that are read and whose results are not delivered yet.
    ///
    /// While one chunk is slow, the engine verifies up to this many chunks, and then waits for the slow chunk.
    private var window: Int { jobs * 4 }

    /// Verifies all items up to the end of the source.
    ///
    /// While results are outstanding, the engine does not wait for more input, so that a pause of a pipe does not delay results.
    ///
    /// - Parameter deliver: Receives the results in order, one call at a time. An error of the closure ends the run.
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

/// A receipt or JWS of a batch, with its origin in the input.
struct BatchItem: Sendable {
    /// The place in the input at which the item was found.
    enum Origin: Hashable, Sendable, CustomStringConvertible {
        /// A line of the input, counted from 1.
        case line(Int)
        /// The name of a file in the input folder.
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

    /// The bytes of an item, or the reason why the bytes are missing.
    enum Content: Sendable {
        case bytes([UInt8])
        /// The item exceeds the maximum length, so its bytes were skipped.
        case tooLong
        /// The file can't be read; the associated value describes the cause.
        case unreadable(String)
    }

    let origin: Origin
    let content: Content
}

/// Consecutive items of a batch, which one task verifies.
///
/// A chunk is large enough that passing it between tasks costs little, and small enough that several chunks fit in memory.
struct BatchChunk: Sendable {
    /// The number of bytes after which a chunk is complete.
    static let targetSize = 256 << 10
    /// The maximum number of items in a chunk, low so that the results of short lines appear soon.
    static let maximumCount = 256

    var items: [BatchItem] = []
    /// The amount of input up to the chunk's end: the number of bytes of a file, or the number of files of a folder.
    var position = 0
}

/// The results of one chunk, encoded for output.
struct BatchChunkResult: Sendable {
    /// The results as lines of JSON, in the order of the items.
    var lines: [UInt8] = []
    var tally = BatchTally()
    /// The amount of input up to the chunk's end: the number of bytes of a file, or the number of files of a folder.
    var position = 0
}

/// The verification result of one item of a batch.
struct BatchResult: Sendable {
    let origin: BatchItem.Origin
    let explanation: VerificationExplanation
    /// The JSON members that describe the verified data, such as the product identifier.
    var details: [JSONValue.Member] = []

    /// Appends the result as a line of JSON: `line` or `file`, `result`, `reason`, `place`, and the details.
    func write(to bytes: inout [UInt8]) {
        var members = [origin.member, JSONValue.Member("result", .string(explanation.result.rawValue))]
        if let reason = explanation.reason { members.append(JSONValue.Member("reason", .string(reason))) }
        if let place = explanation.place { members.append(JSONValue.Member("place", .string(place))) }
        JSONValue.object(members + details).write(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
    }
}

/// The numbers of items that are verified, refused and indeterminate.
struct BatchTally: Hashable, Sendable, CustomStringConvertible {
    var verified = 0
    var refused = 0
    var indeterminate = 0

    var count: Int { verified + refused + indeterminate }

    /// Adds one result to the counts.
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

    /// The summary as text, such as `Items: 1,000 (998 verified, 2 refused, 0 indeterminate)`.
    var description: String {
        let parts = [(verified, "verified"), (refused, "refused"), (indeterminate, "indeterminate")]
        return "Items: \(BatchProgress.grouped(count)) (\(parts.map { "\(BatchProgress.grouped($0)) \($1)" }.joined(separator: ", ")))"
    }
}
