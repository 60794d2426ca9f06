import AppStoreServerAPI
import FoundationExtras
import Logging
import PurchaseModel
import PurchaseStorage
import ServiceLifecycle

/// Sends the stored requests to the App Store Server API, and removes each request after the App Store has accepted it.
///
/// Every request is idempotent, so a request that is sent again because the process was killed before the removal has no effect.
struct AppStoreRequestSender: Service {
    /// The pause in seconds between two searches for requests.
    private static let pauseSeconds: Int64 = 60
    /// The duration of a claim in seconds, after which a request is due again if the claiming process was stopped.
    private static let claimSeconds: Int64 = 300
    private static let batchSize = 20

    let app: BundleID
    let connection: AppStoreConnection
    let storage: any PurchaseStorage
    let catalog: any CatalogSource
    let policy: ConsumptionPolicy
    let clock: any WallClock
    let timer: any Clock<Duration>
    let logger: Logger

    init(_ app: AppConfiguration, of server: ServerResources, _ connection: AppStoreConnection, _ catalog: CatalogService) {
        self.app = app.bundleID
        self.connection = connection
        storage = server.storage
        self.catalog = catalog
        policy = app.consumption
        clock = server.clock
        timer = server.timer
        logger = server.logger
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await sendDue()
                } catch {
                    logger.warning("requests to the App Store not sent", metadata: ["app": "\(app)", "error": "\(error)"])
                }
                do { try await timer.sleep(for: .seconds(Self.pauseSeconds)) } catch { return }
            }
        }
    }

    /// Sends each due request once.
    func sendDue() async throws {
        var isComplete = false
        while !isComplete {
            isComplete = true
            let now = clock.now
            let partitions = try await storage.read(app) { records in
                try QueuePartition.due { try records.requests(in: $0, dueAt: now, limit: 1).first?.dueAt }
            }
            for partition in partitions {
                // Claim the requests, so that no other process sends them at the same time.
                let claimed = try await storage.write(app) { records in
                    try records.claimRequests(
                        in: partition, dueAt: now, until: now.adding(seconds: Self.claimSeconds), limit: Self.batchSize)
                }
                for request in claimed { try await process(request) }
                if !claimed.isEmpty { isComplete = false }
            }
        }
    }

    private func process(_ request: AppStoreRequest) async throws {
        var request = request
        request.attempts += 1
        guard clock.now < request.expiresAt else { return try await discard(request, because: "the request expired") }
        let answer = try await consumption(for: request)
        guard request.kind != .consumption || answer != nil else {
            return try await discard(request, because: "the purchase is unknown, or the customer did not consent")
        }
        do throws(AppStoreServerAPIError) {
            switch request.kind {
            case .finish: try await connection.client.finishTransaction(transactionId: request.transactionID)
            case .consumption:
                guard let answer else { break }
                try await connection.client.sendConsumptionInformation(transactionId: request.transactionID, consumptionRequest: answer)
            }
            connection.outages.succeeded()
        } catch {
            if error.isRetryable { connection.outages.failed() }
            switch error {
            case .canceled: throw CancellationError()
            case .api where !error.isRetryable, .invalidRequest: return try await discard(request, because: "\(error)")
            default: return try await retry(request, after: error)
            }
        }
        try await storage.write(app) { [request] in try $0.remove(request) }
        logger.info("request accepted by the App Store", metadata: metadata(of: request))
    }

    /// Returns the consumption information from the current ledger; nil for another kind of request, an unknown purchase, or missing
    /// consent.
    private func consumption(for request: AppStoreRequest) async throws -> ConsumptionRequest? {
        guard request.kind == .consumption else { return nil }
        return try await storage.read(app) { [catalog = catalog.catalog, policy] records in
            try records.consumption(of: request.transactionID, of: request.purchase, catalog: catalog, policy: policy)
        }
    }

    private func retry(_ request: AppStoreRequest, after error: AppStoreServerAPIError) async throws {
        var request = request
        request.dueAt = clock.now.adding(seconds: AppStoreRequest.pause(afterAttempt: request.attempts))
        if case .rateLimited(let until?) = error { request.dueAt = max(request.dueAt, until) }
        try await storage.write(app) { [request] in try $0.put(request) }
        logger.notice("request to the App Store failed", metadata: metadata(of: request).merging(["error": "\(error)"]) { $1 })
    }

    private func discard(_ request: AppStoreRequest, because reason: String) async throws {
        try await storage.write(app) { try $0.remove(request) }
        logger.error("request to the App Store discarded", metadata: metadata(of: request).merging(["reason": "\(reason)"]) { $1 })
    }

    private func metadata(of request: AppStoreRequest) -> Logger.Metadata {
        [
            "app": "\(app)", "request": "\(request.kind.rawValue)", "transaction": "\(request.transactionID)",
            "attempt": "\(request.attempts)",
        ]
    }
}

extension AppStoreRequest {
    /// Returns the pause in seconds after a failed attempt: a minute, doubled for each further attempt, and at most an hour.
    static func pause(afterAttempt attempt: Int) -> Int64 {
        Backoff(from: .seconds(60), upTo: .seconds(3_600)).delay(after: attempt).components.seconds
    }
}

/// The transactions that the server finishes with the App Store Server API, in place of the app.
public enum FinishingMode: String, Codable, Hashable, Sendable, CaseIterable {
    /// The server finishes no transactions; the app finishes them.
    case off
    /// The server finishes a consumable after adding the credits.
    case consumables
}

extension AppStoreRequest {
    /// The number of days in which the server tries to finish a transaction.
    private static let finishingDays: Int64 = 30

    /// Returns the request that finishes a transaction.
    static func finishing(_ transaction: TransactionPayload, at now: Timestamp) -> AppStoreRequest {
        AppStoreRequest(
            .finish, purchase: transaction.originalTransactionId, transactionID: transaction.transactionId,
            key: transaction.transactionId.rawValue, expiresAt: now.adding(days: finishingDays), dueAt: now)
    }
}
