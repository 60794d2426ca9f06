import ArgumentParser
import Foundation
import PurchaseMaintenance
import PurchaseModel
import PurchaseServer
import PurchaseStorage

struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Show which customers would gain or lose entitlements or credits under another configuration.",
        discussion: """
            Repeats every decision about the whole history with the configuration keys of the file, and with the present configuration for all \
            other keys. The keys can change the transfer policy, the products with their credits and entitlements, the refund policy, the renewal \
            leeway, and the treatment of sandbox purchases. Nothing is written. Products that were added through the API stay. Run rebuild --verify \
            first: a damaged record ends the command with exit code 1.

            Prints the totals, and then a line for each affected customer: present entitlements, balances, and money. The money of credits is \
            the price of their transaction, times the share of the transaction's credits that the customer gains or loses. The money of an \
            entitlement is the price of its transaction, times the remaining part of the period, divided by the number of entitlements of the \
            purchase. Prices and currencies are those of the signed transactions. A receipt states no price, so its purchases add no money.

            Example: tillroll-server replay keep.json, with {"transfer-policy": "keep", "products-file": "next.json"} in keep.json.
            """
    )

    private struct ProgressLine: Encodable {
        let event = "progress"
        let completed: Int64
        let total: Int64
    }

    private struct TotalsLine: Encodable {
        let event = "totals"
        let totals: PolicyReplayReport
    }

    private struct ChangeLine: Encodable {
        let event = "change"
        let app: BundleID
        let change: PolicyReplayChange
    }

    @Argument(help: ArgumentHelp("A JSON file with the configuration keys to change.", valueName: "path"))
    var file: String

    @Flag(help: "Print JSON, one object on each line.")
    var json = false

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await TillrollServer.reportingConfigurationErrors {
            let other = try PurchaseServerConfiguration(reader: options.reader(replacedBy: file))
            let (server, configuration) = try await options.server()
            do {
                for app in configuration.apps {
                    guard let replay = try await server.policyReplay(of: app.bundleID, under: other) else {
                        throw ValidationError("\(file) does not contain the app \(app.bundleID). List all apps, or none.")
                    }
                    try await run(replay, of: app.bundleID)
                }
            } catch let error as StorageError {
                throw AppCommandOptions.failure(error)
            } catch let error as RebuildError {
                throw AppCommandOptions.failure("\(error)")
            }
        }
    }

    private func run(_ replay: PolicyReplay, of app: BundleID) async throws {
        let progress = ProgressReporter(isJSON: json)
        let totals = try await replay.run { completed, total in
            progress.report(
                completed: completed, total: total, line: "compared purchases: \(completed) of about \(total)",
                json: ProgressLine(completed: completed, total: total))
        }
        progress.end()
        try print(TotalsLine(totals: totals), lines: totals.lines)
        try await replay.forEachChange { try print(ChangeLine(app: app, change: $0), lines: [$0.line]) }
    }

    private func print(_ value: some Encodable, lines: [String]) throws {
        if json { try AppCommandOptions.print(value) } else { for line in lines { Swift.print(line) } }
    }
}
