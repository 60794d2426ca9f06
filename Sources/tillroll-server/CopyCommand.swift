import ArgumentParser
import Foundation
import PurchaseMaintenance
import PurchaseServer
import PurchaseStorage

#if canImport(Glibc)
    import Glibc
#endif

struct CopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy the database from SQLite to PostgreSQL or back, and compare both.",
        discussion: """
            A database is the path of a SQLite file, or a postgresql:// URI. The destination is an empty database, or a file that does not \
            exist. The command creates its tables, copies all rows of all apps, and then compares every column of every row.

            Stop the servers that use the source first. If a server writes during the copy, the comparison finds the differences: stop the \
            server, and repeat the command with --restart. A server refuses the destination until the command has ended with exit code 0.

            Run an interrupted or killed command again to continue the copy. The table copy_progress of the destination has the progress \
            until both databases are equal.

            Secrets are copied without decryption. A server with the new database therefore needs the same key file: set secret-key-file to \
            its path (default for a SQLite database: the path of the database with the suffix .key).

            Other users of the machine can read the command line, so it must not contain a password. Use a password file of PostgreSQL \
            (passfile=… in the URI, or ~/.pgpass) or the variable PGPASSWORD.

            Exit codes: 0 both databases are equal, 1 rows differ, 64 wrong usage, 65 the databases have different tables or the source \
            has an invalid value, 66 the source does not exist, is empty or is an unfinished copy, 73 the destination is neither empty nor \
            an unfinished copy of the source, 75 a database is unavailable or another copy runs, and the next run continues, 78 a database \
            can't be opened.
            """
    )

    @Option(help: ArgumentHelp("The database of the server: a path, or postgresql://… without a password.", valueName: "database"))
    var from: String

    @Option(help: ArgumentHelp("The new database: a path, or postgresql://… without a password.", valueName: "database"))
    var to: String

    @Flag(help: "Delete the rows of an unfinished copy in the destination, and begin again.")
    var restart = false

    @Flag(help: "Print JSON, one object on each line.")
    var json = false

    private struct ContinuedLine: Encodable {
        let event = "continued"
        let rows: Int64
    }

    private struct ProgressLine: Encodable {
        let event = "progress"
        let completed: Int64
        let total: Int64
        let pass: CopyPass
    }

    private struct DifferenceLine: Encodable {
        let event = "difference"
        let difference: CopyDifference
    }

    private struct ReportLine: Encodable {
        let event = "copied"
        let report: CopyReport
    }

    func validate() throws {
        for text in [from, to] where PostgresDatabase.isURL(text) && PostgresDatabase.hasPassword(text) {
            throw ValidationError(
                "Other users of the machine can read a password on the command line. Use a password file of PostgreSQL (passfile=… in the "
                    + "URI, or ~/.pgpass) or the variable PGPASSWORD.")
        }
    }

    func run() async throws {
        try await TillrollServer.reportingConfigurationErrors {
            let progress = ProgressReporter(isJSON: json)
            let report: CopyReport
            do {
                report = try await DatabaseCopy(from: Self.database(from), to: Self.database(to)).run(restarting: restart) {
                    print($0, progress)
                }
            } catch let error as CopyError {
                progress.end()
                _ = AppCommandOptions.failure("\(error)")
                throw ExitCode(error.exitCode)
            } catch let error as StorageError {
                progress.end()
                _ = AppCommandOptions.failure(error)
                throw ExitCode(75)
            }
            progress.end()
            print(ReportLine(report: report), line: report.summary)
            guard report.differences == 0 else { throw ExitCode.failure }
        }
    }

    private static func database(_ text: String) -> PurchaseDatabase {
        guard PostgresDatabase.isURL(text) else { return text == ":memory:" ? .memory : .file(text) }
        return .postgres(PostgresDatabase(url: text, connections: 1))
    }

    private func print(_ event: CopyEvent, _ progress: ProgressReporter) {
        switch event {
        case .continued(let rows): print(ContinuedLine(rows: rows), line: "continues after \(rows) rows")
        case .progress(let completed, let total, let pass):
            let text = pass == .copy ? "copied \(completed) of \(total / 2) rows" : "compared \(completed - total / 2) of \(total / 2) rows"
            progress.report(
                completed: completed, total: total, line: text, json: ProgressLine(completed: completed, total: total, pass: pass))
        case .difference(let difference):
            progress.end()
            print(DifferenceLine(difference: difference), line: "\(difference)")
        }
        // Flush the line, because writes to a pipe are buffered, and the reader must receive the line immediately.
        fflush(nil)
    }

    private func print(_ value: some Encodable, line: String) {
        if json { try? AppCommandOptions.print(value) } else { Swift.print(line) }
    }
}

extension CopyError {
    /// The exit code of the command (sysexits.h).
    fileprivate var exitCode: Int32 {
        switch self {
        case .memory, .sameDatabase: 64
        case .differentTables, .unreadable: 65
        case .noSource, .emptySource, .unfinishedSource: 66
        case .notEmpty, .otherSource: 73
        case .anotherCopy: 75
        }
    }
}
