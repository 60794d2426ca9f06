import ArgumentParser

/// One call of verify-batch: it continues after earlier results, verifies the other items, and writes their results.
struct BatchRun {
    private let results: ResultFile?
    private var progress: BatchProgress
    private var synchronized = ContinuousClock().now
    /// The results, including those of earlier calls.
    private(set) var tally: BatchTally

    /// How long results may lie in the system's memory only; a power cut costs that much work at most.
    private static let synchronizingPause = Duration.seconds(5)

    /// Creates a run whose results go to a file, or to standard output.
    init(results: ResultFile?, progress: BatchProgress) {
        self.results = results
        self.progress = progress
        tally = results?.tally ?? BatchTally()
    }

    /// Verifies the items that have no result yet.
    ///
    /// - Throws: A usage error when the input can't be read or is another than the results', and exit code 74 when the results
    ///   can't be written.
    mutating func verify(_ source: some BatchSource, with engine: BatchEngine) async throws {
        var source = source
        if let last = results?.last {
            try source.skip(through: last)
            StandardError.line("Going on after \(last): \(BatchProgress.grouped(tally.count)) results are there.")
        }
        let end = source.end
        try await engine.run(&source) { answer in try deliver(answer, end: end) }
        progress.end()
        if let results { try writing { () throws(SystemError) in try results.synchronize() } }
    }

    private mutating func deliver(_ answer: BatchAnswer, end: Int?) throws {
        if let results {
            try writing { () throws(SystemError) in
                try results.write(answer.lines)
                let now = ContinuousClock().now
                guard synchronized.duration(to: now) > Self.synchronizingPause else { return }
                try results.synchronize()
                synchronized = now
            }
        } else {
            try StandardOutput.bytes(answer.lines)
        }
        tally += answer.tally
        progress.delivered(answer.tally.count, position: answer.position, end: end)
    }

    private func writing(_ body: () throws(SystemError) -> Void) throws(ExitCode) {
        do throws(SystemError) { try body() } catch {
            progress.end()
            StandardError.line("Error: The results can't be written: \(error). Free some space; the same call goes on then.")
            throw StandardOutput.failure
        }
    }
}
