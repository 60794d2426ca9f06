import ArgumentParser
import Foundation
import PurchaseProof

/// Judges millions of receipts and JWS.
struct VerifyBatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify-batch",
        abstract: "Say what each of millions of receipts and JWS is worth, on all cores.",
        discussion: """
            Give a file with one a line, receipts in base64 and JWS as they are, in any mixture; or a folder, whose files are \
            judged in the order of their names. It holds only a few lines at a time, however many there are.

              tillroll verify-batch lines.txt --output results.jsonl
              zcat lines.gz | tillroll verify-batch - --bundle-id com.example.app

            The results are lines of JSON in the order of the input: line or file, verdict, reason, place, and a few facts such \
            as the transaction. Blank lines have none. With --output the same call goes on where an earlier one was stopped, \
            even by SIGKILL. A summary goes to standard error.

            Exit codes, counting results of earlier calls in the same output: 0 all verified, 1 some refused, 2 some unknown and \
            none refused, 64 wrong usage, 74 the results can't be written.
            """
    )

    @Argument(help: ArgumentHelp("A file with one receipt or JWS a line, a folder, or - for standard input.", valueName: "file"))
    var input: String?

    @Option(help: ArgumentHelp("Where the results go, and go on; standard output unless given.", valueName: "file"), transform: givenPath)
    var output: String?

    @Option(help: "What the items are: auto, receipt or jws; others are refused.")
    var kind = BatchKind.auto

    @Option(help: "How many are judged at the same time; as many as there are cores unless given.")
    var jobs: Int?

    @Flag(help: "Say how far it is in lines on standard error; on a terminal there is a bar without asking.")
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
        let judge = BatchJudge(
            kind: kind, receipts: ReceiptJudge(roots: roots, revocation: revocation, checks, receiptChecks),
            signedData: SignedDataJudge(roots: roots, revocation: revocation, checks, signedDataChecks),
            maximumLength: InputSource.maximumSize
        )
        let engine = BatchEngine(jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount) { await judge.judge($0) }
        let form: BatchProgress.Form = FileDescriptor.standardError.isTerminal ? .bar : progress ? .lines : .silent
        var run = BatchRun(results: try output.flatMap { $0 == "-" ? nil : try ResultFile($0) }, progress: BatchProgress(form))
        if let input, input != "-", FolderSource.isFolder(input) {
            try await run.judge(FolderSource(input), by: engine)
        } else {
            let source = InputSource(input)
            let file = try input == nil || input == "-" ? FileDescriptor.standardInput : FileDescriptor.reading(source.name)
            defer { file.close() }
            try await run.judge(LineSource(file, name: source.name, maximumLength: InputSource.maximumSize), by: engine)
        }
        let tally = run.tally
        StandardError.line("\(tally)")
        if tally.exitCode != .success { throw tally.exitCode }
    }
}
