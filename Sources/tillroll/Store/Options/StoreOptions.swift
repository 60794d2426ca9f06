import ArgumentParser
import Foundation
import PurchaseModel

/// The options for the store's address and the output format.
struct StoreOptions: ParsableArguments {
    /// The default address of `tillroll store up` and `tillroll up`.
    static let usualAddress = "http://127.0.0.1:7701"

    @Option(
        help: ArgumentHelp(
            "The store's address, as `store up` prints it; without it TILLROLL_STORE counts, else \(usualAddress).", valueName: "url"))
    var store: String?

    @Option(help: "What a store demands that listens to other machines; without it TILLROLL_TOKEN counts.")
    var token: String?

    @Flag(help: "Print the answer as one JSON object instead of text.")
    var json = false

    /// A client of the store.
    ///
    /// - Throws: A usage error if the address is invalid.
    func client(environment: [String: String] = ProcessInfo.processInfo.environment) throws -> StoreClient {
        let named = [store, environment["TILLROLL_STORE"]].compactMap { $0 }.first { !$0.isEmpty }
        let address = named ?? Self.usualAddress
        guard let url = HTTPURL(address), !url.hasQuery else {
            throw ValidationError("\(address) is no address of a store; give one such as \(Self.usualAddress) with --store.")
        }
        let token = [token, environment["TILLROLL_TOKEN"]].compactMap { $0 }.first { !$0.isEmpty }
        return StoreClient(url, token: token)
    }
}
