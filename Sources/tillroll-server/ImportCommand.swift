import ArgumentParser
import Foundation
import PurchaseMaintenance
import PurchaseServer
import PurchaseStorage

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import purchases from a file of transaction identifiers or receipts.",
        discussion: """
            The file is CSV (RFC 4180) with a header, or JSON Lines with an object on each line. The values are original_transaction_id (or \
            transaction_id), receipt in base64, and optionally customer, a UUID or an identifier of the customer in your system. Other \
            columns and members are ignored. An identifier is looked up with the App Store Server API, with all periods of a subscription; a \
            receipt is verified. If a record has both, the identifier counts if the server has a key of that API, and otherwise the receipt.

            A subscription with one period needs one request to the App Store, and a longer subscription needs one more for each 20 periods, \
            unless --periods is latest. A column product_id or is_auto_renewable saves one of two requests for a purchase that does not renew.

            Each purchase is recorded like a submission of a backend. The command uses the same configuration as the server, can run while the \
            server runs, and can be repeated: a known purchase has no second effect. A repeated command continues an interrupted or killed import.

            The columns of RevenueCat's exports are read, too: original_store_transaction_id, store_transaction_id, store, and \
            rc_last_seen_app_user_id_alias or rc_original_app_user_id as the customer, unless the customer is anonymous.

            Several records of one purchase are imported as one purchase. A later record that names another customer is refused, and the \
            purchase stays with the customer of the first record.

            Lines that were not imported are written with their reasons to FILE.refused.jsonl, which can be imported after a correction. \
            An existing file with that name is never changed.

            Exit codes: 0 everything is imported or known, 64 wrong usage, 65 some lines are unknown to the App Store or were refused, or \
            the file has no header or was changed, 66 the file can't be read, 73 the file of refused lines exists or can't be written, 75 the App \
            Store or the database is unavailable and the next run continues, 78 the configuration is invalid or the App Store refuses the \
            key.
            """
    )

    @Argument(help: "The path of the file.")
    var file: String

    @Option(
        help: "The format: csv or jsonl. (default: the extension of the file's name)",
        transform: { text in
            guard let format = ImportFormat(rawValue: text.lowercased()) else { throw ValidationError("The format is csv or jsonl.") }
            return format
        })
    var format: ImportFormat?

    @Option(help: ArgumentHelp("The file for the lines that were not imported. (default: FILE.refused.jsonl)", valueName: "path"))
    var refusedFile: String?

    @Option(help: "The number of purchases to look up at the same time.")
    var concurrency = 8

    @Option(help: "The requests to the App Store per second; 0 for Apple's limits only: 50, and 5 in the sandbox.")
    var requestsPerSecond = 20

    @Option(
        help: ArgumentHelp(
            "The periods of a subscription to import: all, or latest with one request for each subscription. (default: all)",
            valueName: "all|latest"),
        transform: { text in
            guard let periods = ImportedPeriods(rawValue: text.lowercased()) else {
                throw ValidationError("The value of --periods is all or latest.")
            }
            return periods
        })
    var periods: ImportedPeriods?

    @Flag(help: "Begin again instead of continuing an interrupted import of the file.")
    var restart = false

    @OptionGroup var common: AppCommandOptions

    private struct Output: Encodable {
        let event = "report"
        let refusedFile: String
        let report: ImportReport

        private enum CodingKeys: CodingKey {
            case event, refusedFile
        }

        func encode(to encoder: any Encoder) throws {
            try report.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(event, forKey: .event)
            try container.encode(refusedFile, forKey: .refusedFile)
        }
    }

    func validate() throws {
        guard (1...64).contains(concurrency) else { throw ValidationError("--concurrency must be from 1 to 64.") }
        guard (0...1_000).contains(requestsPerSecond) else { throw ValidationError("--requests-per-second must be from 0 to 1000.") }
        _ = try selectedFormat
    }

    func run() async throws {
        let refusedFile = refusedFile ?? file + ".refused.jsonl"
        var options = PurchaseFileImporter.Options(format: try selectedFormat, refusedFile: refusedFile)
        options.concurrency = concurrency
        options.requestsPerSecond = requestsPerSecond
        options.periods = periods ?? .all
        options.restarts = restart
        try await common.run(PurchaseServer.importer(of:)) { [options] importer in
            let progress = ProgressReporter(isJSON: common.json)
            let report: ImportReport
            do {
                report = try await importer.run(file, options) { status in
                    progress.report(
                        completed: status.completedBytes, total: status.totalBytes, line: status.report.summary,
                        json: ImportProgressLine(status))
                }
            } catch let error as PurchaseImportError {
                progress.end()
                throw Self.failure("\(error)", error.exitCode)
            } catch let error as StorageError {
                progress.end()
                _ = AppCommandOptions.failure(error)
                throw ExitCode(75)
            }
            progress.end()
            try print(report, refusedFile)
            if report.message != nil { throw ExitCode(75) }
            guard report.unknown == 0, report.refused == 0 else { throw ExitCode(65) }
        }
    }

    private var selectedFormat: ImportFormat {
        get throws {
            if let format { return format }
            switch URL(filePath: file).pathExtension.lowercased() {
            case "csv": return .csv
            case "jsonl", "ndjson": return .jsonl
            default: throw ValidationError("The name \(file) ends neither with .csv nor with .jsonl. State the format with --format.")
            }
        }
    }

    private func print(_ report: ImportReport, _ refusedFile: String) throws {
        guard !common.json else { return try AppCommandOptions.print(Output(refusedFile: refusedFile, report: report)) }
        for refusal in report.refusals { Swift.print("line \(refusal.line): \(refusal.code): \(refusal.reason)") }
        let count = report.unknown + report.refused
        if count > Int64(report.refusals.count) { Swift.print("and \(count - Int64(report.refusals.count)) more") }
        Swift.print(report.summary)
        if count > 0 { Swift.print("The lines that were not imported are in \(refusedFile).") }
        if let message = report.message { Swift.print(message) }
    }

    private static func failure(_ message: String, _ code: Int32) -> ExitCode {
        try? FileHandle.standardError.write(contentsOf: Data("tillroll-server: \(message)\n".utf8))
        return ExitCode(code)
    }
}

private struct ImportProgressLine: Encodable {
    let event = "progress"
    let completedBytes: Int64
    let totalBytes: Int64
    let records: Int64

    init(_ status: ImportStatus) {
        completedBytes = status.completedBytes
        totalBytes = status.totalBytes
        records = status.report.records
    }
}

extension PurchaseImportError {
    /// The exit code of the command (sysexits.h).
    fileprivate var exitCode: Int32 {
        switch self {
        case .header, .changed: 65
        case .unreadable: 66
        case .refusedFile, .refusedFileExists, .refusedFileLost: 73
        case .refusedFileBusy: 75
        case .unauthorized: 78
        }
    }
}
