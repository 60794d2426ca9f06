import PurchaseProof

/// Verifies the items of a source on several cores and delivers the results in the source's order.
///
/// Memory is bounded whatever the source holds: no more chunks are read than ``window``, from the oldest whose results are not
/// delivered yet.
struct BatchEngine: Sendable {
    /// The number of chunks that are verified at the same time.
    let jobs: Int
    /// Verifies one item.
    ///
    /// Every item has a result.
    let verify: @Sendable (BatchItem) async -> BatchResult

    /// How many chunks may be read and not delivered: a slow one holds up the others only when they are this far ahead.
    private var window: Int { jobs * 4 }

    /// Runs to the end of the source.
    ///
    /// A source that would have to be waited for is not, while results are to come: a pipe gets its answers when it pauses.
    ///
    /// - Parameter deliver: Takes answers in order, one call at a time. What it throws ends the run.
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
