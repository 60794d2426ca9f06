import ArgumentParser
import Foundation
import PurchaseMaintenance
import PurchaseServer
import PurchaseStorage

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the SQLite database to a file, while the server runs.",
        discussion: """
            The copy contains everything that the server acknowledged before the command began. FILE appears when the copy is checked, complete \
            and on the disk; an existing FILE is never replaced. A killed command leaves FILE.incomplete, which the next command for FILE \
            replaces. The server continues to write during the copy, and the log file next to the database grows until the copy ends.

            The copy can be restored only with the server's key file (secret-key-file), which is not in the copy: keep a copy of the key file in \
            another place. The content folder, and the configuration with the files that it names, are not in the copy either. Copy the \
            content folder after the command, so that it contains the files of all published versions.

            For PostgreSQL, the command prints the commands of pg_dump and pg_restore.

            Exit codes: 0 the copy is complete, 64 wrong usage or a PostgreSQL database, 65 the database is damaged or of another \
            program, 66 the database does not exist, 73 FILE exists or can't be written, 74 another error of the disk, 75 the database is locked or \
            another command writes FILE, 78 the configuration is invalid.
            """
    )

    @Argument(help: "The path of the new file.")
    var file: String

    @OptionGroup var options: BackupOptions

    func run() async throws {
        try await options.run { backup, progress in
            let report = try backup.write(to: file, progress: progress)
            return BackupResult(
                report: report,
                lines: [
                    "\(report.path): \(report.bytes) bytes, complete and checked",
                    "The backup can be restored only with the key file \(report.secretKeyFile). Keep a copy of that file in another place.",
                    "Content and configuration are not in the backup.",
                ])
        } postgres: { url in
            """
            pg_dump --format=custom --serializable-deferrable --file=\(BackupOptions.quoted(file)) --dbname=\(url)
            A physical copy for recovery to a point in time: pg_basebackup --pgdata=FOLDER --wal-method=stream --dbname=\(url)
            """
        }
    }
}

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore the SQLite database from a backup.",
        discussion: """
            Copies FILE to the path of the configured database, which must not exist. First the command checks the integrity, version and \
            tables of the copy, migrates the copy to this version, and checks that the key file (secret-key-file) decrypts its secrets. Copy the \
            server's key file first (by default, the path of the database with the suffix .key). A rotation leaves the earlier keys in the \
            key file, which also decrypts the secrets of earlier backups.

            Then run tillroll-server rebuild --verify, which compares the records with the signed originals. Records that are newer than the \
            backup are missing: when the server starts, it requests purchases, renewals and refunds from the App Store. Send debits and \
            grants of your backend again with their idempotency keys.

            Exit codes: 0 the database is restored, 64 wrong usage or a PostgreSQL database, 65 the backup is damaged, of a newer version or \
            of another program, 66 the backup does not exist, 73 the database exists or can't be written, 74 another error of the disk, 75 \
            the backup is locked or another command writes the database, 78 the configuration or the key file is invalid.
            """
    )

    @Argument(help: "The path of the backup.")
    var file: String

    @OptionGroup var options: BackupOptions

    func run() async throws {
        try await options.run { backup, progress in
            let report = try backup.restore(from: file, progress: progress)
            var lines = ["\(report.path): \(report.bytes) bytes, restored and checked"]
            if report.secretsWithEarlierKey > 0 {
                lines.append(
                    "The backup is older than the last rotation: \(report.secretsWithEarlierKey) secrets are encrypted with an earlier key of "
                        + "\(report.secretKeyFile). Run tillroll-server secrets rotate to encrypt them with a new key.")
            }
            lines.append("Run tillroll-server rebuild --verify next.")
            return BackupResult(report: report, lines: lines)
        } postgres: { url in
            "pg_restore --exit-on-error --single-transaction --no-owner --dbname=\(url) \(BackupOptions.quoted(file))  (into an empty database)"
        }
    }
}

struct BackupResult {
    let report: DatabaseBackup.Report
    /// The result of a backup or a restore as lines of text.
    let lines: [String]
}

/// The options of the commands about backups.
struct BackupOptions: ParsableArguments {
    @Flag(help: "Print JSON, one object on each line.")
    var json = false

    @OptionGroup var options: ServerOptions

    private struct ProgressLine: Encodable {
        let event = "progress"
        let completedPages: Int64
        let totalPages: Int64
    }

    private struct ReportLine: Encodable {
        let event = "copied"
        let report: DatabaseBackup.Report
    }

    /// Runs a command, prints its result, and converts its errors to exit codes.
    ///
    /// - Parameters:
    ///   - body: Makes or restores the backup of a SQLite database, and reports the copied and the total number of pages.
    ///   - postgres: Returns the command of PostgreSQL to run instead, for the connection URI of a PostgreSQL database.
    func run(
        _ body: (DatabaseBackup, _ progress: @escaping @Sendable (Int64, Int64) -> Void) throws -> BackupResult,
        postgres: (_ url: String) -> String
    ) async throws {
        try await TillrollServer.reportingConfigurationErrors {
            let configuration = try PurchaseServerConfiguration(reader: options.reader())
            let progress = ProgressReporter(isJSON: json)
            do {
                let result = try body(try DatabaseBackup(of: configuration)) { completed, total in
                    progress.report(
                        completed: completed, total: total, line: "copied \(completed) of \(total) pages",
                        json: ProgressLine(completedPages: completed, totalPages: total))
                }
                progress.end()
                if json {
                    try AppCommandOptions.print(ReportLine(report: result.report))
                } else {
                    for line in result.lines { Swift.print(line) }
                }
            } catch let error as BackupError {
                progress.end()
                var message = "\(error)"
                if case .postgres(let database) = error {
                    // Print no URI that contains a password.
                    let url = PostgresDatabase.hasPassword(database.url) ? "URI" : Self.quoted(database.url)
                    message += "\n\(postgres(url))"
                }
                _ = AppCommandOptions.failure(message)
                throw ExitCode(error.exitCode)
            }
        }
    }

    /// Quotes a text as one word of a shell command.
    static func quoted(_ text: String) -> String { "'" + text.replacingOccurrences(of: "'", with: #"'\''"#) + "'" }
}

extension BackupError {
    /// The exit code of the commands (sysexits.h).
    fileprivate var exitCode: Int32 {
        switch self {
        case .memory, .postgres: 64
        case .foreign, .newer, .changed, .damaged: 65
        case .missing: 66
        case .exists, .unwritable, .full: 73
        case .failed: 74
        case .busy, .locked: 75
        case .secretKeyFile: 78
        }
    }
}
