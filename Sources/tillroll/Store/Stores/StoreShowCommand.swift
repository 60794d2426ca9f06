import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Shows a store's addresses and keys.
struct StoreShowCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a store's addresses, its root certificate and its API key.",
        discussion: """
            With --json the answer is the object that `store up` prints, but with root certificate and API key as texts unless --files \
            says where to write them.

              tillroll store show
              tillroll store show --files keys --json

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @OptionGroup var files: KeyFilesOptions
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> StoreDescription {
        try files.publish(try await store.call(HostEndpoints.this))
    }

    func lines(_ answer: StoreDescription, _ style: TerminalStyle) -> [String] {
        var table = TextTable()
        table.add("store", answer.url)
        table.add("verifyReceipt", "\(answer.sandboxVerifyReceipt) and \(answer.productionVerifyReceipt)")
        table.add("Server API", "\(answer.serverAPI) and \(answer.productionServerAPI)")
        table.add("  its key", "key id \(answer.keyID)  issuer \(answer.issuerID)")
        table.add("app", "\(answer.bundleID)  number \(answer.appAppleID)")
        if files.files != nil {
            table.add("root to trust", answer.rootCertificate)
            table.add("key file", answer.apiKey)
        }
        return table.lines(style, indent: "")
    }
}
