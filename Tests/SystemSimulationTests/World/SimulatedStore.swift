import Foundation
import GRDB
import OpenStoreKit
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Synchronization

@testable import LocalAppStore

/// A local store, whose processes end and start again with the same database.
final class SimulatedStore: StoreClient {
    let faults = ProcessFaults()
    let verifier: SignedDataVerifier
    /// Posts the body of a notification to the developer's server.
    let post: @Sendable (_ body: String) async -> SendAttemptResult
    private let database: StoreDatabase
    private let observer: FaultyDatabase
    private let configuration: LocalAppStoreConfiguration
    private let base: SimulatedClock
    private let process = Mutex<Process?>(nil)

    /// A process of the store.
    struct Process: Sendable {
        let store: LocalAppStore
        fileprivate let transport: any StoreTransport
    }

    /// The error of a request to a process that does not run.
    struct NotRunning: Error {}

    init(
        base: SimulatedClock, verifier: SignedDataVerifier, plantedFault: PlantedFault?,
        post: @escaping @Sendable (_ body: String) async -> SendAttemptResult
    ) async throws {
        self.base = base
        self.post = post
        configuration = try .test(SimulatedCatalog.storekit)
        database = try StoreDatabase(.memory)
        observer = FaultyDatabase(faults)
        self.verifier = verifier
        try plantedFault?.plant(inStore: database.writer)
        database.writer.add(transactionObserver: observer, extent: .databaseLifetime)
        try await start()
        var request = AppRequest()
        request.sandboxURL = "http://127.0.0.1:9/v1/notifications"
        _ = try await call(ControlEndpoints.setApp, request, ["bundle": BundleID.test.rawValue])
    }

    /// Starts the store again, after its process has ended.
    func start() async throws {
        faults.restart()
        let store = try await LocalAppStore(
            configuration: configuration, in: database, clock: base, logger: .silent,
            post: { [post] body, _, _ in DeliveryAnswer(await post(body)) },
            makeAuthority: { _ in TestAuthority.shared.authority })
        let transport = try await InProcessServer(store.application(hostname: "127.0.0.1", port: 0))
        process.withLock { $0 = Process(store: store, transport: transport) }
    }

    var store: LocalAppStore {
        get throws {
            guard let process = process.withLock({ $0 }) else { throw NotRunning() }
            return process.store
        }
    }

    /// The store's time.
    var clock: any WallClock { StoreTimeClock(store: self, base: base) }

    /// The connection to the store without a network between.
    var transport: any StoreTransport { DirectTransport(store: self) }

    /// Processes a request; throws if the process does not run or ends before it replies.
    fileprivate func send(_ request: StoreRequest) async throws(StoreTransportError) -> StoreResponse {
        guard !faults.hasEnded, let process = process.withLock({ $0 }) else { throw .unreachable }
        let response = try await process.transport.send(request)
        guard !faults.hasEnded else { throw .unreachable }
        return response
    }

    /// Sends the notifications that are due.
    func deliverNotifications() async throws {
        try await store.deliverNotifications()
    }

    private struct DirectTransport: StoreTransport {
        let store: SimulatedStore

        func send(_ request: StoreRequest) async throws(StoreTransportError) -> StoreResponse { try await store.send(request) }
    }

    /// The time of the store's current process.
    private struct StoreTimeClock: WallClock {
        let store: SimulatedStore
        let base: SimulatedClock

        var now: Timestamp { (try? store.store.clock.now) ?? base.now }
    }
}
