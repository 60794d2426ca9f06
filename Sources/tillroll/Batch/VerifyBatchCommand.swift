import ArgumentParser
import Foundation
import PurchaseProof

/// Verifies millions of receipts and JWS.
struct VerifyBatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify-batch",
        abstract: "Verify millions of receipts and JWS on all cores.",
        discussion: """
            The input is a file with one receipt (base64) or JWS on each line, in any mixture, or a folder, whose files are \
            verified in the order of their names. Only a few lines are in memory at a time.

              tillroll verify-batch lines.txt --output results.jsonl
              zcat lines.gz | tillroll verify-batch - --bundle-id com.example.app

            The results are lines of JSON in the order of the input: line or file, result, reason, place, and a few facts such \
            as the transaction. Blank lines have no result. With --output the same call continues where an earlier one was \
            stopped, even by SIGKILL. A summary goes to standard error.

            Exit codes, including results of earlier calls in the same output: 0 all verified, 1 some refused, 2 some \
            indeterminate and none refused, 64 wrong usage, 74 the results can't be written.
            """
    )

    @Argument(help: ArgumentHelp("A file with one receipt or JWS a line, a folder, or - for standard input.", valueName: "file"))
    var input: String?

    @Option(
        help: ArgumentHelp("File for the results, which are continued (default: standard output).", valueName: "file"), transform: givenPath
    )
    var output: String?

    @Option(help: "The kind of the items: auto, receipt or jws; others are refused.")
    var kind = BatchKind.auto

    @Option(help: "The number of items that are verified at the same time (default: the number of cores).")
    var jobs: Int?

    @Flag(help: "Print the progress as lines on standard error; a terminal always has a progress bar.")
    var progress = false

    @OptionGroup(title: "Checks") var checks: CheckOptions
    @OptionGroup(title: "Checks of receipts") var receiptChecks: ReceiptCheckOptions
    @OptionGroup(title: "Checks of JWS") var signedDataChecks: SignedDataCheckOptions
    @OptionGroup(title: "Trust") var trust: TrustOptions

    func validate() throws {
        if let jobs, !(1...1_024).contains(jobs) { throw ValidationError("--jobs is a number from 1 to 1024.") }
    }

    func run() async throws {
        StandardStreams.prepare()
        let (roots, revocation) = (try trust.roots(), trust.revocationRule())
        let verification = BatchVerification(
            kind: kind, receipts: ReceiptVerification(roots: roots, revocation: revocation, checks, receiptChecks),
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
