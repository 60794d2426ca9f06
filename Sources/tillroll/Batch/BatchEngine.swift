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
    /// - Parameter deliver: Receives answers in order, one call at a time. An error that it throws ends the run.
    func run(_ source: inout some BatchSource, deliver: (BatchAnswer) throws -> Void) async throws {
        try await withThrowingTaskGroup(of: (Int, BatchAnswer).self) { group in
            var read = 0
            var delivered = 0
            var running = 0
            var isAtEnd = false
            var waiting: [Int: BatchAnswer] = [:]
            while true {
                while !isAtEnd, running < jobs, read - delivered < window, running == 0 || source.isReady {
                    guard let chunk = try source.next() else {
                        isAtEnd = true
                        break
                    }
                    let number = read
                    group.addTask { (number, await answer(to: chunk)) }
                    read += 1
                    running += 1
                }
                guard let (number, answer) = try await group.next() else { return }
                running -= 1
                waiting[number] = answer
                while let answer = waiting.removeValue(forKey: delivered) {
                    try deliver(answer)
                    delivered += 1
                }
            }
        }
    }

    private func answer(to chunk: BatchChunk) async -> BatchAnswer {
        var answer = BatchAnswer(position: chunk.position)
        for item in chunk.items {
            let result = await verify(item)
            answer.tally.add(result.explanation.result)
            result.write(to: &answer.lines)
        }
        return answer
    }
}
