import AppStoreServerAPI
import Foundation
import HTTPTypes
import LocalAppStore
import OpenStoreKit
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import ServerProtocol
import Synchronization

@testable import PurchaseServer
@testable import PurchaseStorage

/// The developer's server, whose processes end and start again with the same storage.
final class SimulatedServer: Sendable {
    let faults = ProcessFaults()
    /// The storage that outlives the processes.
    let disk: any PurchaseStorage
    let policy: RefundPolicy
    /// The folder of the key with which the server encrypts its secrets.
    private let folder: TemporaryFolder
    private let store: SimulatedStore
    private let network: SimulatedNetwork
    private let base: SimulatedClock
    private let plantedFault: PlantedFault?
    private let credentials: Mutex<Credentials>
    private let process = Mutex<Process?>(nil)

    private struct Credentials {
        var publishableKey = ""
        var customerTokens: [CustomerID: String] = [:]
    }

    /// A process of the server.
    struct Process: Sendable {
        let server: PurchaseServer
        fileprivate let http: InProcessServer
    }

    init(
        disk: any PurchaseStorage, policy: RefundPolicy, customers: [CustomerID], store: SimulatedStore, network: SimulatedNetwork,
        base: SimulatedClock, plantedFault: PlantedFault?
    ) async throws {
        folder = try TemporaryFolder()
        self.disk = disk
        self.policy = policy
        self.store = store
        self.network = network
        self.base = base
        self.plantedFault = plantedFault
        credentials = Mutex(Credentials())
        try await start()
        let server = try running.server
        guard let keys = server.apiKeys(of: .test), let app = server.apps[.test] else { throw SimulatedStore.NotRunning() }
        let key = try await keys.create(.publishable, scopes: APIKeyKind.publishable.permittedScopes).text
        credentials.withLock { $0.publishableKey = key }
        for customer in customers {
            let token = try await app.customers.issueToken(for: .id(customer)).token
            credentials.withLock { $0.customerTokens[customer] = token }
        }
    }

    /// Starts the server again, after its process has ended.
    func start() async throws {
        faults.restart()
        let key = try store.store.apiKey
        var app = AppConfiguration(
            bundleID: .test, products: SimulatedCatalog.serverProducts,
            content: .folder(FileManager.default.temporaryDirectory.path(percentEncoded: false)), receiptConfirmation: .off)
        app.refundPolicy = policy
        app.appStoreServerAPI = AppStoreServerAPIKey(
            issuerID: key.issuerID, keyID: key.keyID, privateKey: key.privateKeyPEM, baseURL: StoreServerAPI.baseURL)
        let configuration = PurchaseServerConfiguration(
            apps: [app], environment: .sandbox, roots: try TestAuthority.shared.roots, database: .memory,
            secretKeyFile: folder.file("server.key").path(percentEncoded: false),
            requestRates: RequestRates(installation: RequestRate(perSecond: 1_000, burst: 10_000)))
        let server = try await PurchaseServer(
            configuration: configuration,
            storage: plantedFault?.storage(disk, faults) ?? SimulatedStorage(disk: disk, faults: faults),
            appStore: StoreServerAPI(store: store, network: network), clock: store.clock, transportClock: base, timer: InstantTimer(),
            logger: .silent, comparison: nil)
        let http = try await InProcessServer(server.application(hostname: "127.0.0.1", port: 0) { _ in })
        process.withLock { $0 = Process(server: server, http: http) }
    }

    var running: Process {
        get throws {
            guard let process = process.withLock({ $0 }) else { throw SimulatedStore.NotRunning() }
            return process
        }
    }

    /// Processes a request; throws if the process does not run or ends before it replies.
    func send(
        _ method: HTTPRequest.Method, _ uri: String, _ headers: HTTPFields, _ body: Data?
    ) async throws -> InProcessServer.Reply {
        guard !faults.hasEnded else { throw SimulatedNetwork.Unreachable() }
        let reply = try await running.http.send(method, uri, headers, body)
        guard !faults.hasEnded else { throw SimulatedNetwork.Unreachable() }
        return reply
    }

    /// The headers of an app that acts for a customer.
    func headers(of customer: CustomerID) -> HTTPFields {
        let (key, token) = credentials.withLock { ($0.publishableKey, $0.customerTokens[customer]) }
        var headers: HTTPFields = [.authorization: "Bearer \(key)", .contentType: "application/json"]
        if let token, let name = HTTPField.Name(ServerHeader.customerToken) { headers[name] = token }
        return headers
    }

    /// Requests from the App Store what it sent in vain, as the server does on schedule.
    func reconcile() async {
        guard !faults.hasEnded else { return }
        _ = try? await running.server.reconcile(.test)
    }
}

/// The App Store Server API of a simulated store, over the simulated network.
private struct StoreServerAPI: ServerAPITransport {
    static let baseURL: HTTPURL = "http://127.0.0.1:9"

    let store: SimulatedStore
    let network: SimulatedNetwork

    func send(_ request: ServerAPITransportRequest) async throws(ServerAPITransportError) -> ServerAPITransportResponse {
        let path = String(request.url.dropFirst(Self.baseURL.base.count))
        let message = StoreRequest(method: request.method, path: path, headers: request.headers, body: request.body)
        do {
            let response = try await network.carry(on: .serverAPI) { [store] in try await store.transport.send(message) }
            return ServerAPITransportResponse(status: response.status, body: response.body)
        } catch {
            throw .noResponse
        }
    }
}
