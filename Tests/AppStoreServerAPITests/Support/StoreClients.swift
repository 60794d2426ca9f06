import AppStoreServerAPI
import Foundation
import HummingbirdTesting
import LocalAppStore
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

/// A transport that changes requests before it sends them over HTTP, for requests that the client's types rule out.
struct ChangingTransport: ServerAPITransport {
    let change: @Sendable (inout ServerAPITransportRequest) -> Void

    func send(_ request: ServerAPITransportRequest) async throws(ServerAPITransportError) -> ServerAPITransportResponse {
        var request = request
        change(&request)
        return try await HTTPServerAPITransport().send(request)
    }
}

extension StoreHarness {
    /// Runs `body` with a store that listens on a loopback port.
    static func listen(
        clock: any WallClock = ManualClock(), storekit: String = TestCatalog.storekit, _ body: @Sendable (StoreHarness) async throws -> Void
    ) async throws {
        try await run(clock: clock, storekit: storekit, over: .live, body)
    }

    /// Returns a client of the store.
    ///
    /// - Parameters:
    ///   - environment: The environment of the requests.
    ///   - clock: The clock of the client; nil for the clock of the store.
    ///   - timer: The clock of the delays between attempts.
    ///   - change: A change of each request.
    func serverAPI(
        in environment: AppEnvironment = .sandbox, clock: (any WallClock)? = nil, timer: any Clock<Duration> = InstantTimer(),
        change: @escaping @Sendable (inout ServerAPITransportRequest) -> Void = { _ in }
    ) throws -> AppStoreServerAPIClient {
        let configuration = try AppStoreServerAPIConfiguration(
            issuerID: store.apiKey.issuerID, keyID: store.apiKey.keyID, privateKey: store.apiKey.privateKeyPEM, bundleID: .test,
            environment: environment, baseURL: environment == .production ? try #require(url.appending("/production")) : url)
        return AppStoreServerAPIClient(
            configuration, transport: ChangingTransport(change: change), clock: clock ?? self.clock, timer: timer)
    }

    /// Buys a product and returns the verified payload of the transaction.
    func bought(_ product: ProductID, for account: AccountID = .test) async throws -> TransactionPayload {
        guard case .purchased(let signed, _) = try await buy(product, for: account) else { throw SignedInDevice.NotPurchased() }
        return try await payloads([signed])[0]
    }

    /// Returns the transaction identifier of a Family Sharing entitlement.
    func familyShared(_ product: ProductID) async throws -> TransactionID {
        for account: AccountID in ["ada@example.com", "bob@example.com"] {
            try await createAccount(account)
            try await set(account) { $0.family = "f" }
        }
        _ = try await bought(product, for: "ada@example.com")
        let copies = try await call(ControlEndpoints.transactions, Empty(), ["account": "bob@example.com"])
        return try await payloads(copies.signedTransactions)[0].transactionId
    }

    /// Sets the URL for notifications of the sandbox; nothing listens there.
    func setNotificationURL() async throws {
        var request = AppRequest()
        request.sandboxURL = "http://127.0.0.1:9/notifications"
        _ = try await call(ControlEndpoints.setApp, request, ["bundle": BundleID.test.rawValue])
    }

    /// Enables a fault of the App Store Server API.
    func enable(_ kind: FaultKind, count: Int?) async throws {
        var fault = Fault(kind, count: count)
        fault.surface = .serverAPI
        _ = try await call(ControlEndpoints.setFault, fault)
    }
}
