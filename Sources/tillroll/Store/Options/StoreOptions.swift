import ArgumentParser
import Foundation
import PurchaseModel

/// Which store is meant, and how its answer is printed.
struct StoreOptions: ParsableArguments {
    /// Where `tillroll store up` and `tillroll up` listen unless told otherwise.
    static let usualAddress = "http://127.0.0.1:7701"

    @Option(
        help: ArgumentHelp(
            "The store's address, as `store up` prints it; without it TILLROLL_STORE counts, else \(usualAddress).", valueName: "url"))
    var store: String?

    @Option(help: "What a store demands that listens to other machines; without it TILLROLL_TOKEN counts.")
    var token: String?

    @Flag(help: "Print the answer as one JSON object instead of text.")
    var json = false

    /// The store that is meant.
    ///
    /// - Throws: A usage error for what is no address.
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
