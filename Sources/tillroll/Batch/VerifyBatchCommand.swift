import ArgumentParser
import Foundation
import FoundationExtras
import PurchaseModel
import PurchaseProof

/// Verifies millions of receipts and JWS.
struct VerifyBatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify-batch",
        abstract: "Verify millions of receipts and JWS on all cores.",
        discussion: """
            The input is a file with one receipt (base64) or JWS per line, in any mixture, or a folder, whose files are \
            verified in the order of their names. Memory use does not grow with the number of items.

              tillroll verify-batch lines.txt --output results.jsonl
              zcat lines.gz | tillroll verify-batch - --bundle-id com.example.app

            The results are lines of JSON in the order of the input: line or file, result, reason, place, and details such as \
            the transaction ID. Blank lines have no result. With --output a repeated call continues an interrupted one, even \
            after SIGKILL. A summary is printed on standard error.

            The exit code covers all results in the output, including results of earlier calls.
            """,
        exitCodes: ExitCodeFooter(
            success: "all verified", refused: "some refused", indeterminate: "some indeterminate and none refused",
            outputError: "the results can't be written"
        )
    )

    @Argument(help: ArgumentHelp("A file with one receipt or JWS per line, a folder, or - for standard input.", valueName: "file"))
    var input: String?

    @Option(
        help: ArgumentHelp("The file for results; existing results are continued (default: standard output).", valueName: "file"),
        transform: nonEmptyPath
    )
    var output: String?

    @Option(help: "The kind of items: auto, receipt or jws; items of another kind are refused.")
    var kind = BatchKind.auto

    @Option(help: "The number of items that are verified in parallel (default: the number of cores).")
    var jobs: Int?

    @Flag(help: "Print the progress as lines on standard error; a terminal always has a progress bar.")
    var progress = false

    @OptionGroup(title: "Checks") var checks: CheckOptions
    @OptionGroup(title: "Checks of receipts") var receiptChecks: ReceiptCheckOptions
    @OptionGroup(title: "Checks of JWS") var signedDataChecks: SignedDataCheckOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions

    func validate() throws {
        if let jobs, !(1...1_024).contains(jobs) { throw ValidationError("Invalid --jobs \(jobs): give a number from 1 to 1024.") }
    }

    func run() async throws {
        StandardStreams.prepare()
        let (roots, revocation) = (try trust.roots(), trust.revocationRule())
        let verification = BatchVerification(
            kind: kind, receipts: ReceiptVerifiers(roots: roots, revocation: revocation, checks, receiptChecks),
            signedData: SignedDataVerification(roots: roots, revocation: revocation, checks, signedDataChecks),
            maximumLength: InputSource.maximumSize
        )
        let engine = BatchEngine(jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount) { await verification.verify($0) }
        let form: BatchProgress.Form = FileDescriptor.standardError.isTerminal ? .bar : progress ? .lines : .silent
        var run = BatchRun(results: try output.flatMap { $0 == "-" ? nil : try ResultFile($0) }, progress: BatchProgress(form))
        if let input, input != "-", FolderSource.isFolder(input) {
            try await run.verify(FolderSource(input), with: engine)
        } else {
            let source = InputSource(input)
            let file = try input == nil || input == "-" ? FileDescriptor.standardInput : FileDescriptor.reading(source.name)
            defer { file.close() }
            try await run.verify(LineSource(file, name: source.name, maximumLength: InputSource.maximumSize), with: engine)
        }
        let tally = run.tally
        StandardError.line("\(tally)")
        if tally.exitCode != .success { throw tally.exitCode }
    }
}

/// The kind of items that a batch accepts.
enum BatchKind: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// Receipts or JWS; the kind of each item is detected from its bytes.
    case auto
    case receipt, jws
}

/// A run of `verify-batch`, which skips items with earlier results, verifies the other items, and writes their results.
struct BatchRun {
    private let results: ResultFile?
    private var progress: BatchProgress
    private var synchronized = ContinuousClock().now
    /// The numbers of verified, refused and indeterminate results, including the results of earlier runs.
    private(set) var tally: BatchTally

    /// The interval at which the results are written to stable storage.
    ///
    /// A power failure loses the results of about one interval.
    private static let synchronizationInterval = Duration.seconds(5)

    /// Creates a run that writes results to a file or to standard output.
    init(results: ResultFile?, progress: BatchProgress) {
        self.results = results
        self.progress = progress
        tally = results?.tally ?? BatchTally()
    }

    /// Verifies the items that have no result yet.
    ///
    /// - Throws: A usage error if the input can't be read or is not the input of the earlier results, and
    ///   `ExitCode.outputError` if the results can't be written.
    mutating func verify(_ source: some BatchSource, with engine: BatchEngine) async throws {
        var source = source
        if let last = results?.last {
            try source.skip(through: last)
            StandardError.line("Continuing after \(last): \(BatchProgress.grouped(tally.count)) results exist.")
        }
        let end = source.end
        try await engine.run(&source) { chunkResult in try deliver(chunkResult, end: end) }
        progress.end()
        if let results { try writing { () throws(SystemError) in try results.synchronize() } }
    }

    private mutating func deliver(_ chunkResult: BatchChunkResult, end: Int?) throws {
        if let results {
            try writing { () throws(SystemError) in
                try results.write(chunkResult.lines)
                let now = ContinuousClock().now
                guard synchronized.duration(to: now) > Self.synchronizationInterval else { return }
                try results.synchronize()
                synchronized = now
            }
        } else {
            try StandardOutput.bytes(chunkResult.lines)
        }
        tally += chunkResult.tally
        progress.delivered(chunkResult.tally.count, position: chunkResult.position, end: end)
    }

    private func writing(_ body: () throws(SystemError) -> Void) throws(ExitCode) {
        do throws(SystemError) { try body() } catch {
            progress.end()
            StandardError.line("Error: The results can't be written: \(error). Free some space, and repeat the call to continue.")
            throw ExitCode.outputError
        }
    }
}

/// Verifies the items of a batch: receipts, transaction receipts and JWS.
struct BatchVerification: Sendable {
    let kind: BatchKind
    let receipts: ReceiptVerifiers
    let signedData: SignedDataVerification
    /// The maximum length of an item in bytes, which the refusal of a longer item states.
    let maximumLength: Int

    /// Verifies one item and returns its result.
    func verify(_ item: BatchItem) async -> BatchResult {
        switch item.content {
        case .tooLong:
            BatchResult(
                origin: item.origin, explanation: VerificationExplanation(Refusal(.tooLarge(limit: maximumLength), at: "input")))
        case .unreadable(let cause):
            BatchResult(
                origin: item.origin,
                explanation: VerificationExplanation(
                    result: .indeterminate, reason: "unreadable", place: "input", message: "The file can't be read: \(cause).")
            )
        case .bytes(let bytes): await verify(bytes, of: item.origin)
        }
    }

    private func verify(_ bytes: [UInt8], of origin: BatchItem.Origin) async -> BatchResult {
        do throws(Refusal) {
            let input = try SignedInput(bytes)
            switch (input.content, kind) {
            case (.receipt, .jws), (.transactionReceipt, .jws), (.compact, .receipt):
                throw Refusal(.malformed, at: "input", "The input is of another kind than --kind \(kind.rawValue) accepts.")
            case (.receipt(let receipt), _): return await verify(receipt: receipt, of: origin)
            case (.transactionReceipt(let receipt), _): return verify(transactionReceipt: receipt, of: origin)
            case (.compact(let compact), _): return await verify(compact: compact, of: origin)
            }
        } catch {
            return BatchResult(origin: origin, explanation: VerificationExplanation(error))
        }
    }

    private func verify(receipt: [UInt8], of origin: BatchItem.Origin) async -> BatchResult {
        let outcome = await receipts.appReceipts.outcome(of: receipt)
        var result = BatchResult(origin: origin, explanation: VerificationExplanation(outcome))
        if case .verified(let receipt) = outcome {
            result.details = [
                JSONValue.Member("kind", "receipt"), JSONValue.Member("bundleID", .string(receipt.payload.bundleID.rawValue)),
                JSONValue.Member("environment", .string(receipt.payload.environment.rawValue)),
                JSONValue.Member("purchases", .number(receipt.payload.purchases.count)),
            ]
        }
        return result
    }

    private func verify(transactionReceipt bytes: [UInt8], of origin: BatchItem.Origin) -> BatchResult {
        let outcome = receipts.transactionReceipts.outcome(of: bytes)
        var result = BatchResult(origin: origin, explanation: VerificationExplanation(outcome))
        if case .verified(let receipt) = outcome {
            result.details = [
                JSONValue.Member("kind", "transaction_receipt"), JSONValue.Member("bid", .string(receipt.payload.bundleID.rawValue)),
                JSONValue.Member("transaction_id", .string(receipt.payload.transactionID.rawValue)),
                JSONValue.Member("product_id", .string(receipt.payload.productID.rawValue)),
            ]
        }
        return result
    }

    private func verify(compact: String, of origin: BatchItem.Origin) async -> BatchResult {
        let found = await signedData.verifier.verifyAny(compact)
        var result = BatchResult(origin: origin, explanation: found.explanation)
        if case .verified(let data) = found.outcome { result.details = data.details }
        return result
    }
}

extension VerifiedSignedData {
    /// The members that describe the signed data in a line of results.
    var details: [JSONValue.Member] {
        switch self {
        case .transaction(let transaction):
            [
                JSONValue.Member("kind", .string(SignedDataKind.transaction.rawValue)),
                JSONValue.Member("bundleId", .string(transaction.payload.bundleId.rawValue)),
                JSONValue.Member("transactionId", .string(transaction.payload.transactionId.rawValue)),
                JSONValue.Member("productId", .string(transaction.payload.productId.rawValue)),
            ]
        case .renewalInfo(let renewal):
            [
                JSONValue.Member("kind", .string(SignedDataKind.renewalInfo.rawValue)),
                JSONValue.Member("originalTransactionId", .string(renewal.payload.originalTransactionId.rawValue)),
                JSONValue.Member("productId", .string(renewal.payload.productId?.rawValue ?? "")),
            ]
        case .appTransaction(let app):
            [
                JSONValue.Member("kind", .string(SignedDataKind.appTransaction.rawValue)),
                JSONValue.Member("bundleId", .string(app.payload.bundleId.rawValue)),
            ]
        case .notification(let notification):
            [
                JSONValue.Member("kind", .string(SignedDataKind.notification.rawValue)),
                JSONValue.Member("notificationType", .string(notification.notification.payload.notificationType)),
                JSONValue.Member("notificationUUID", .string(notification.notification.payload.notificationUUID)),
            ]
        case .realtimeRequest(let request):
            [
                JSONValue.Member("kind", .string(SignedDataKind.realtimeRequest.rawValue)),
                JSONValue.Member("productId", .string(request.payload.productId.rawValue)),
            ]
        case .other:
            [JSONValue.Member("kind", .string(SignedDataKind.other.rawValue))]
        }
    }
}

/// Reports the progress of a batch on standard error.
///
/// On a terminal, the report is a progress bar; elsewhere, `--progress` prints the report as lines. Otherwise, there is no report.
struct BatchProgress {
    /// The form of the report.
    enum Form: Sendable {
        case bar, lines, silent

        /// The number of seconds between two reports.
        fileprivate var interval: Double {
            switch self {
            case .bar: 0.1
            case .lines: 5
            case .silent: .infinity
            }
        }
    }

    private let form: Form
    private let clock = ContinuousClock()
    private var shown: ContinuousClock.Instant?
    /// The time and the input position at the first delivery of results.
    ///
    /// The rate is computed from this time and position on, so that the rate excludes items that a continued batch skips.
    private var start: (time: ContinuousClock.Instant, position: Int)?
    private var done = 0

    init(_ form: Form) {
        self.form = form
    }

    /// Counts delivered results, and reports progress when the next report is due.
    mutating func delivered(_ count: Int, position: Int, end: Int?) {
        let now = clock.now
        guard let start else {
            start = (now, position)
            return
        }
        done += count
        if let shown, shown.duration(to: now).seconds < form.interval { return }
        shown = now
        let seconds = start.time.duration(to: now).seconds
        let status = Self.status(done: done, first: start.position, position: position, end: end, seconds: seconds)
        switch form {
        case .bar: StandardError.write("\r\(Self.bar(position: position, end: end))\(status)\u{1B}[K")
        case .lines: StandardError.line(status)
        case .silent: break
        }
    }

    /// Erases the progress bar from the terminal.
    func end() {
        if form == .bar && shown != nil { StandardError.write("\r\u{1B}[K") }
    }

    /// Returns a report with the number of items and the rate, and if the end is known, the percentage and the remaining time.
    static func status(done: Int, first: Int, position: Int, end: Int?, seconds: Double) -> String {
        let rate = seconds > 0 ? Double(done) / seconds : 0
        var parts = ["\(grouped(done)) done", "\(grouped(Int(rate)))/s"]
        if let end, end > 0 {
            parts.insert("\(Int((Double(min(position, end)) / Double(end) * 100).rounded(.down)))%", at: 0)
            if position > first {
                parts.append("\(span(seconds * Double(max(0, end - position)) / Double(position - first))) left")
            }
        }
        return parts.joined(separator: "  ")
    }

    private static func bar(position: Int, end: Int?) -> String {
        guard let end, end > 0 else { return "" }
        let width = 24
        let filled = Int(Double(min(position, end)) / Double(end) * Double(width))
        return "[\(String(repeating: "=", count: filled))\(String(repeating: " ", count: width - filled))]  "
    }

    /// Returns a number in digits, with commas as thousands separators.
    static func grouped(_ number: Int) -> String {
        let digits = Array(String(number))
        return digits.enumerated().reduce(into: "") { text, digit in
            if digit.offset > 0, (digits.count - digit.offset) % 3 == 0 { text.append(",") }
            text.append(digit.element)
        }
    }

    /// Returns a time span in its two largest units, such as `2 h 15 min`; `days` for 100 hours and more.
    static func span(_ seconds: Double) -> String {
        guard seconds < 360_000 else { return "days" }
        let seconds = Int(seconds.rounded(.up))
        if seconds >= 3600 { return "\(seconds / 3600) h \(seconds / 60 % 60) min" }
        return seconds >= 60 ? "\(seconds / 60) min \(seconds % 60) s" : "\(seconds) s"
    }
}

extension Duration {
    /// The duration in seconds.
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
