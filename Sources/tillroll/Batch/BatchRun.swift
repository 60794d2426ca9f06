import ArgumentParser

/// One run of `verify-batch`: it skips items with earlier results, verifies the other items, and writes their results.
struct BatchRun {
    private let results: ResultFile?
    private var progress: BatchProgress
    private var synchronized = ContinuousClock().now
    /// The counts of all results, including the results of earlier runs.
    private(set) var tally: BatchTally

    /// The maximum time in which results are only in the system's memory.
    ///
    /// A power failure loses at most the results of this time.
    private static let synchronizingPause = Duration.seconds(5)

    /// Creates a run that writes results to a file or to standard output.
    init(results: ResultFile?, progress: BatchProgress) {
        self.results = results
        self.progress = progress
        tally = results?.tally ?? BatchTally()
    }

    /// Verifies the items that have no result yet.
    ///
    /// - Throws: A usage error if the input can't be read or is not the input of the earlier results, and exit code 74 if the results
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
