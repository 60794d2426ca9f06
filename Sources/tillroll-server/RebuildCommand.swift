import ArgumentParser
import Foundation
import PurchaseMaintenance
import PurchaseModel
import PurchaseServer
import PurchaseStorage

#if canImport(Glibc)
    import Glibc
#endif

struct RebuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebuild",
        abstract: "Recompute entitlements, credits and balances from the signed originals, and repair differences.",
        discussion: """
            Verifies every stored notification, signed transaction and receipt again, recomputes the records from them and from the recorded \
            decisions, and compares the result with the database. With --verify, the command writes only its progress. Without --verify, it writes \
            the recomputed values, each purchase and each ledger in a transaction. A damaged signed original is reported and never changed.

            The recorded decisions are: claims of purchases, the credits of one unit at the time of a purchase, the refund policy and the \
            credits that a refund wrote off, debits, grants, merges of customers, deletions and consents.

            The command uses the same configuration as the server, and can run while the server runs. A repeated command continues an interrupted \
            run; --restart begins again. Exit code 1 means a difference with --verify, and otherwise a difference that could not be repaired.
            """
    )

    private struct DifferenceLine: Encodable {
        let event = "difference"
        let difference: RebuildDifference
        let nextStep: String
    }

    private struct ProgressLine: Encodable {
        let event = "progress"
        let completed: Int64
        let total: Int64
        let pass: RebuildPass
    }

    private struct ContinuedLine: Encodable {
        let event = "continued"
        let report: RebuildReport
    }

    private struct ReportLine: Encodable {
        let event = "rebuilt"
        let report: RebuildReport
        let isConsistent: Bool
    }

    @Flag(help: "Print the differences without repairing them.")
    var verify = false

    @Flag(help: "Begin again instead of continuing an interrupted run.")
    var restart = false

    @Flag(help: "Print JSON, one object on each line.")
    var json = false

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await TillrollServer.reportingConfigurationErrors {
            let (server, configuration) = try await options.server()
            var isConsistent = true
            for app in configuration.apps {
                let progress = ProgressReporter(isJSON: json)
                do {
                    let report = try await server.rebuild(app.bundleID, isWriting: !verify, restarting: restart) {
                        print($0, progress)
                    }
                    progress.end()
                    guard let report else { continue }
                    print(ReportLine(report: report, isConsistent: report.isConsistent), line: "\(report.app): \(report.summary)")
                    isConsistent = isConsistent && report.isConsistent
                } catch let error as StorageError {
                    throw AppCommandOptions.failure(error)
                } catch let error as RebuildError {
                    throw AppCommandOptions.failure("\(error)")
                }
            }
            guard isConsistent else { throw ExitCode.failure }
        }
    }

    private func print(_ event: RebuildEvent, _ progress: ProgressReporter) {
        switch event {
        case .continued(let report):
            print(
                ContinuedLine(report: report),
                line: "\(report.app): continues the run of \(report.startedAt) (\(report.summary))")
        case .progress(let completed, let total, let pass):
            progress.report(
                completed: completed, total: total, line: "compared \(completed) of about \(total) rows (\(pass.rawValue))",
                json: ProgressLine(completed: completed, total: total, pass: pass))
        case .difference(let difference):
            progress.end()
            print(DifferenceLine(difference: difference, nextStep: difference.nextStep), line: "\(difference)")
        }
        // Flush the line before this method returns, because the rebuild then stores progress that counts the difference as reported.
        fflush(nil)
    }

    private func print(_ value: some Encodable, line: String) {
        if json { try? AppCommandOptions.print(value) } else { Swift.print(line) }
    }
}
