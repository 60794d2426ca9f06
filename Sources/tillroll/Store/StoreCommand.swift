import ArgumentParser
import AsyncHTTPClient
import Foundation
import FoundationExtras
import NIOHTTP1
import PurchaseModel
import StoreControl
import StoreProtocol
import Wire
import WireClient

/// The commands that run and control a local App Store.
struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Run a local App Store, and control its accounts, purchases, time and faults.",
        discussion: """
              tillroll store up --storekit Shop.storekit
              tillroll store buy com.example.pro.monthly --account jane@example.com
              tillroll store advance 30d
              tillroll store events --follow

            `up` starts a store, and with --detach in the background; `env` sets the environment variables of such a store in a shell, \
            and `down` stops it. All other commands send requests to a running store, whose address is in --store or TILLROLL_STORE. \
            With --json each command prints one JSON object, the response of the store's control API.
            """,
        subcommands: [StoreUpCommand.self, StoreEnvCommand.self, StoreDownCommand.self],
        groupedSubcommands: [
            CommandGroup(
                name: "Stores",
                subcommands: [
                    StoreShowCommand.self, StoreListCommand.self, StoreCreateCommand.self, StoreRemoveCommand.self,
                    StoreExportCommand.self, StoreImportCommand.self, StoreAppsCommand.self, StoreAppCommand.self,
                    StoreProductsCommand.self, StoreContentCommand.self, StoreRateLimitsCommand.self,
                ]),
            CommandGroup(
                name: "Accounts",
                subcommands: [
                    StoreAccountsCommand.self, StoreAccountCommand.self, StoreChargesCommand.self, StoreTransactionsCommand.self,
                    StoreSubscriptionsCommand.self, StoreReceiptCommand.self, StoreImportHistoryCommand.self,
                    StoreRemoveAccountCommand.self, StoreDevicesCommand.self, StoreRestrictCommand.self,
                ]),
            CommandGroup(
                name: "Purchases",
                subcommands: [
                    StoreBuyCommand.self, StoreApprovalsCommand.self, StoreApproveCommand.self, StoreDeclineCommand.self,
                    StoreInterruptionsCommand.self, StoreResolveCommand.self, StorePromoteCommand.self,
                ]),
            CommandGroup(
                name: "Subscriptions",
                subcommands: [
                    StoreRenewCommand.self, StoreExpireCommand.self, StoreDisableAutoRenewCommand.self, StoreEnableAutoRenewCommand.self,
                    StoreCancelChangeCommand.self, StoreIncreasePriceCommand.self, StoreConsentToPriceIncreaseCommand.self,
                    StoreDeclinePriceIncreaseCommand.self,
                    StoreExtendCommand.self, StoreSeatsCommand.self, StoreBundleCommand.self,
                ]),
            CommandGroup(
                name: "Refunds",
                subcommands: [
                    StoreRefundCommand.self, StoreReverseRefundCommand.self, StoreRequestRefundCommand.self,
                    StoreRefundRequestsCommand.self,
                    StoreDecideRefundCommand.self,
                ]),
            CommandGroup(
                name: "Time",
                subcommands: [
                    StoreClockCommand.self, StoreAdvanceCommand.self, StoreJumpCommand.self, StoreFreezeCommand.self,
                    StoreTimeRateCommand.self,
                ]),
            CommandGroup(
                name: "Requests, events and faults",
                subcommands: [
                    StoreRequestsCommand.self, StoreRequestDetailsCommand.self, StoreEventsCommand.self, StoreNotificationsCommand.self,
                    StoreNotificationCommand.self, StoreFaultCommand.self,
                ]),
        ]
    )
}

/// A command that sends a request to a store and prints the response.
protocol StoreRequestCommand: AsyncParsableCommand {
    /// The output of the command, which `--json` prints as one JSON object.
    associatedtype Output: Encodable

    var options: StoreOptions { get }

    /// Sends the command's requests to the store, and returns the output.
    func send(to store: StoreConnection) async throws -> Output

    /// Returns the output as lines of text.
    func lines(_ output: Output, _ style: TerminalStyle) -> [String]

    /// Returns the exit code for an output; by default `success`.
    func exitCode(_ output: Output) -> ExitCode
}

extension StoreRequestCommand {
    func exitCode(_ output: Output) -> ExitCode { .success }

    func run() async throws {
        StandardStreams.prepare()
        let output = try await send(to: try options.client())
        if options.json {
            try StandardOutput.bytes([UInt8](try WireJSON.encode(output)) + [UInt8(ascii: "\n")])
        } else {
            try StandardOutput.lines(lines(output, .detected()))
        }
        let code = exitCode(output)
        guard code == .success else { throw code }
    }
}

/// The command-line options for the store's address and the output format.
struct StoreOptions: ParsableArguments {
    /// The address at which `tillroll store up` and `monkeyshop up` serve a store by default.
    static let defaultAddress = StoreClient.defaultAddress

    @Option(
        help: ArgumentHelp(
            "The store's address, as `store up` prints it (default: TILLROLL_STORE, or \(defaultAddress)).", valueName: "url"))
    var store: String?

    @Option(help: "The store's access token, which `store up` prints if one is required (default: TILLROLL_TOKEN).")
    var token: String?

    @Flag(help: "Print the output as one JSON object instead of text.")
    var json = false

    /// Returns a client of the store that the options or the environment variables name.
    ///
    /// - Throws: A usage error if the address is invalid.
    func client(environment: [String: String] = ProcessInfo.processInfo.environment) throws -> StoreConnection {
        let named = [store, environment["TILLROLL_STORE"]].compactMap { $0 }.first { !$0.isEmpty }
        let address = named ?? Self.defaultAddress
        guard let url = HTTPURL(address), !url.hasQuery else {
            throw ValidationError("Invalid store address \(address). Give an address such as \(Self.defaultAddress) with --store.")
        }
        let token = [token, environment["TILLROLL_TOKEN"]].compactMap { $0 }.first { !$0.isEmpty }
        return StoreConnection(url, token: token)
    }
}

/// A command's client of one store.
///
/// An error becomes a message on standard error and an exit code: `refused` if the store refuses the request, `indeterminate` if there
/// is no valid response.
struct StoreConnection: Sendable {
    /// The error code of a store's response to a request without the required token.
    private static let tokenMissing = "access.token-missing"

    private let client: StoreClient
    private let token: String?

    init(_ address: HTTPURL, token: String?) {
        client = StoreClient(url: address, token: token)
        self.token = token
    }

    /// The store's address.
    var address: HTTPURL { client.url }

    /// A client of the host that serves the store.
    var host: StoreConnection { StoreConnection(client.host.url, token: token) }

    /// The store's name on its host; nil for the default store.
    var name: String? {
        address.base.range(of: "/stores/").map { String(address.base[$0.upperBound...]) }
    }

    private var wire: WireClient { WireClient(baseURL: address, timeoutSeconds: 120) }

    /// Calls methods of the store's client, and converts an error to an exit code.
    func perform<Value>(_ requests: (StoreClient) async throws(StoreControlError) -> Value) async throws(ExitCode) -> Value {
        do { return try await requests(client) } catch { throw report(error) }
    }

    /// Calls an endpoint with a request body.
    func call<Request, Response>(
        _ endpoint: Endpoint<Request, Response>, _ body: Request, _ parameters: [String: String] = [:], query: [String: String] = [:]
    ) async throws(ExitCode) -> Response {
        do { return try await wire.call(endpoint, body, parameters: parameters, query: query, token: token) } catch { throw report(error) }
    }

    /// Calls an endpoint without a request body.
    func call<Response>(
        _ endpoint: Endpoint<Empty, Response>, _ parameters: [String: String] = [:], query: [String: String] = [:]
    ) async throws(ExitCode) -> Response {
        try await call(endpoint, Empty(), parameters, query: query)
    }

    /// Sends content, such as a file, to a path and decodes the response.
    func send<Response: Decodable & Sendable>(
        _ method: HTTPMethod, _ content: WireContent, to path: String, query: [String: String] = [:]
    ) async throws(ExitCode) -> Response {
        do { return try await wire.exchange(method, path, query: query, content, token: token) } catch {
            throw report(error)
        }
    }

    /// Requests a path and returns the response with its unread body, which may have any length.
    func open(_ path: String, query: [String: String] = [:]) async throws(WireClientError) -> HTTPClientResponse {
        try await wire.send(.GET, path, query: query, token: token)
    }

    /// Follows the store's events.
    ///
    /// - Parameter query: The query of the first request; later requests continue after the last received event.
    func followEvents(_ query: [String: String]) -> ServerSentEvents<StoreEvent> {
        follow(HostEndpoints.eventStreamPath, query) { $0.id }
    }

    /// Follows the elements of a stream; prints an error on standard error, and throws the exit code.
    ///
    /// - Parameters:
    ///   - path: The path of the stream.
    ///   - query: The query of the first request; later requests continue after the last received element.
    ///   - id: Returns the number of an element.
    func follow<Element: Decodable & Sendable>(
        _ path: String, _ query: [String: String], id: @escaping @Sendable (Element) -> Int64
    ) -> ServerSentEvents<Element> {
        ServerSentEvents(
            id: id, begin: { ([], query) },
            open: { query in
                do throws(WireClientError) {
                    return try await wire.bytes("GET", path + PathTemplate.query(query), token: token)
                } catch {
                    throw report(error)
                }
            },
            invalid: { report(.invalidResponse(status: 200)) })
    }

    /// Prints a message about an error on standard error, and returns the exit code for the error.
    func report(_ error: WireClientError) -> ExitCode { report(client.failure(error)) }

    private func report(_ error: StoreControlError) -> ExitCode {
        switch error {
        case .invalidResponse(_, let status):
            StandardError.line(
                "Error: The server at \(address) is not a store (HTTP \(status)). Give the store's address with --store.")
            return .indeterminate
        case .refused(_, let code, let message):
            StandardError.line("Error: \(TerminalText.safe("\(message) (\(code))"))")
            if code == Self.tokenMissing {
                StandardError.line("This store requires a token, which `store up` printed. Pass the token with --token or TILLROLL_TOKEN.")
            }
            return error.isRetryable ? .indeterminate : .refused
        default:
            let advice =
                address.isSecure
                ? "A store speaks TLS only at its --tls-port, with a certificate that this machine trusts; otherwise begin with http://."
                : "Start a store with `tillroll store up`, or give an address with --store."
            StandardError.line("Error: No store responds at \(address). \(advice)")
            return .indeterminate
        }
    }
}
