import ArgumentParser
import PurchaseModel
import PurchaseServer

struct LedgerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger", abstract: "Check the ledger.", subcommands: [AuditLedgerCommand.self])
}

struct AuditLedgerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Check that the sum over all accounts of each currency is zero.",
        discussion: "Prints the sum of each account. Exit code 1 means that a currency is not balanced."
    )

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await TillrollServer.reportingConfigurationErrors {
            let (server, configuration) = try await options.server()
            for app in configuration.apps {
                guard let audit = try await server.auditLedger(of: app.bundleID) else { continue }
                for (currency, accounts) in audit.totals.sorted(by: { $0.key < $1.key }) {
                    for (account, amount) in accounts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                        print("\(app.bundleID)  \(currency)  \(account.rawValue)  \(amount)")
                    }
                }
                guard audit.unbalanced.isEmpty else {
                    print("\(app.bundleID): not balanced: \(audit.unbalanced.map(\.rawValue).joined(separator: ", "))")
                    throw ExitCode(1)
                }
            }
            print("balanced")
        }
    }
}
