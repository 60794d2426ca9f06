import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Sets a fault.
struct StoreFaultSetCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Switch a fault on.",
        discussion: """
            Devices, developers' servers and who is notified feel it; what these commands do never fails on purpose. The kinds, and \
            what may follow the colon:

            \(FaultOption.help)

              tillroll store fault set lostReply --count 1
              tillroll store fault set status:503 --on verifyReceipt
              tillroll store fault set signing:wrongRoot --product com.example.pro

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @Argument(help: "What goes wrong: a kind, or a kind, a colon and a value; --help lists them.") var kind: FaultOption
    @Option(name: .customLong("on"), help: "Only in this protocol.") var surface: FaultSurface?
    @Option(help: "Only for calls whose path begins so.") var path: String?
    @Option(help: "Only in this app.") var bundleID: String?
    @Option(help: "Only for this account.") var account: String?
    @Option(help: "Only with this product.") var product: String?
    @Option(help: "Only this many times.") var count: Int?
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> FaultsReply.Entry {
        var fault = Fault(kind.kind, count: count)
        fault.surface = surface
        fault.path = path
        fault.bundleID = bundleID.map { BundleID($0) }
        fault.account = account.map { AccountID($0) }
        fault.productID = product.map { ProductID($0) }
        return try await store.call(ControlEndpoints.setFault, fault)
    }

    func lines(_ answer: FaultsReply.Entry, _ style: TerminalStyle) -> [String] {
        FaultTable([answer]).lines(style)
    }
}
