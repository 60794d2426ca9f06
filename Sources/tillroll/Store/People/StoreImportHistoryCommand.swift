import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Imports a real customer's transaction history into an account.
struct StoreImportHistoryCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Give an account the past that a real customer has at the App Store.",
        discussion: """
            The files are answers of Get Transaction History, every page, and of Get All Subscription Statuses, as the App Store gave \
            them; or signed transactions, one a line. The store signs them anew; subscriptions go on from where they were. Doing it \
            again changes nothing.

              tillroll store replay history.json statuses.json --account jane

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @Argument(help: "The files; - is standard input.") var files: [String]
    @Option(help: "Whose past it becomes; the account is opened when it is not there.") var account: String
    @Option(help: "The app that it is to be in; without it the one that the transactions name.") var bundleID: String?
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> HistoryReply {
        var statements = SignedStatements()
        for file in files {
            guard statements.add(try InputSource(file).read()) else {
                throw ValidationError("\(file) holds no signed transactions; give an answer of Get Transaction History as it came.")
            }
        }
        let request = HistoryRequest(
            account: AccountID(account), bundleID: bundleID.map { BundleID($0) }, signedTransactions: statements.transactions,
            signedRenewalInfos: statements.renewalInfos)
        return try await store.call(ControlEndpoints.importHistory, request)
    }

    func lines(_ answer: HistoryReply, _ style: TerminalStyle) -> [String] {
        var table = TextTable()
        table.add("account", answer.account.rawValue)
        table.add("transactions", "\(answer.transactions) taken in, \(answer.known) known before, \(answer.shared) of relatives left out")
        table.add("subscriptions", "\(answer.subscriptions) go on")
        table.add("genuine", "\(answer.genuine) are signed by the App Store")
        return table.lines(style, indent: "")
    }
}
