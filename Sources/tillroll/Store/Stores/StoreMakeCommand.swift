import ArgumentParser
import Foundation
import PurchaseModel
import PurchaseProtocol

/// Creates another store on a host.
struct StoreMakeCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "make",
        abstract: "Make a further store beside the others of a host; a test may have one for itself.",
        discussion: """
            With --json the answer is the object that `store up` prints, but with root certificate and API key as texts \
            unless --files says where to write them.

              tillroll store make --storekit Shop.storekit
              tillroll store make --name checkout-test --keep

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @Option(help: ArgumentHelp("What it sells; nothing without it.", valueName: "file"), transform: givenPath) var storekit: String?
    @Option(help: "Its name: up to 64 of a-z, 0-9 and -.") var name: String?
    @Option(help: "The app.") var bundleID: String?
    @Option(help: "What verifyReceipt demands as password.") var sharedSecret: String?
    @Flag(help: "Keep it in a file of the host's folder.") var keep = false
    @OptionGroup var files: KeyFilesOptions
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> StoreDescription {
        let request = NewStoreRequest(
            name: name, storekit: try storekit.map { try StorekitFile($0).text() }, bundleID: bundleID.map { BundleID($0) },
            sharedSecret: sharedSecret, isKept: keep ? true : nil
        )
        return try files.publish(try await store.host.call(HostEndpoints.makeStore, request))
    }

    func lines(_ answer: StoreDescription, _ style: TerminalStyle) -> [String] {
        ["\(style.good("made"))  \(answer.url)"]
    }
}
