import Crypto
import Foundation
import FoundationExtras
import PurchaseModel
import PurchaseProof
import PurchaseStorage

/// Answers `verifyReceipt` requests about an app's receipts from the server's records, without changing the records.
///
/// Only submissions and imports record the purchases of a receipt. By default, a submission or an import first confirms the receipt with
/// the App Store, because a refunded purchase of an old receipt would otherwise be recorded as paid. A confirmation before each answer
/// would need too many requests to the App Store: clients send a `verifyReceipt` request at each launch, and anyone with a receipt and the
/// shared secret can repeat the request.
struct VerifyReceiptService: Sendable {
    /// The maximum number of purchases in one read transaction, so that a long receipt does not delay other requests.
    private static let batchSize = 200

    /// A response, and whether the renewal of a subscription in the response is unconfirmed.
    struct Answer: Sendable {
        let body: Data
        var isContinuationUnknown = false

        init(_ response: some Encodable, isContinuationUnknown: Bool = false) throws {
            body = try WireJSON.encode(response)
            self.isContinuationUnknown = isContinuationUnknown
        }

        /// Creates an answer with a status, an environment, and `is_retryable` for a retryable status.
        init(_ status: VerifyReceiptStatus, in environment: AppEnvironment? = nil) throws {
            var response = VerifyReceiptResponse(status: status)
            response.environment = environment?.rawValue
            response.isRetryable = status == .unavailable || status == .internalError ? true : nil
            try self.init(response)
        }
    }

    let app: BundleID
    /// The app's shared secret; nil for an app without a shared secret, whose answers lack `latest_receipt_info` and related members.
    let secret: SharedSecret?
    let storage: any PurchaseStorage
    let catalog: any CatalogSource
    /// The verifier that confirms transaction receipts with the App Store.
    let receipts: ReceiptAuthority
    let shadow: VerifyReceiptShadow
    let clock: any WallClock

    init(_ app: AppConfiguration, of server: ServerResources, _ catalog: CatalogService, _ receipts: ReceiptAuthority) {
        self.app = app.bundleID
        secret = SharedSecret(app.sharedSecret)
        storage = server.storage
        self.catalog = catalog
        self.receipts = receipts
        shadow = VerifyReceiptShadow(app, of: server, catalog)
        clock = server.clock
    }

    /// Returns whether the password of a request is the app's shared secret, or the app has no shared secret.
    func accepts(_ password: String?) -> Bool { secret == nil || SharedSecret(password) == secret }

    /// Answers a request about an app receipt.
    ///
    /// - Throws: `StorageError`.
    func answer(_ receipt: VerifiedReceipt, _ request: VerifyReceiptRequest) async throws -> Answer {
        let environment = receipt.payload.environment
        guard accepts(request.password) else { return try Answer(.secretMismatch, in: environment) }
        let (catalog, now) = (catalog.catalog, clock.now)
        var known: [TransactionID: KnownPurchase] = [:]
        var rest = Array(Set(receipt.payload.purchases.map(\.originalTransactionID)))[...]
        func readRest() async throws {
            while !rest.isEmpty {
                let batch = Array(rest.prefix(Self.batchSize))
                rest = rest.dropFirst(batch.count)
                let purchases = try await storage.read(app) { records in
                    try batch.compactMap { id in
                        try records.knownPurchase(id, in: environment, catalog: catalog, at: now).map { (id, $0) }
                    }
                }
                for (id, purchase) in purchases { known[id] = purchase }
            }
        }
        try await readRest()
        let isLive = secret != nil
        if isLive, !known.isEmpty {
            rest = try await storage.read(app) { [known] records in
                try records.furtherPurchases(of: known, in: environment, catalog: catalog)
            }[...]
            try await readRest()
        }
        let live = LiveReceipt(receipt: receipt, known: known, catalog: catalog, now: now)
        return try Answer(
            live.response(excludesOld: request.excludeOldTransactions ?? false, isLive: isLive),
            isContinuationUnknown: isLive && live.isContinuationUnknown)
    }

    /// Answers a request about the receipt of one transaction (iOS 6 and earlier).
    ///
    /// The signature of a transaction receipt does not cover the environment, so a sandbox receipt could claim to be a production receipt.
    /// The environment comes from the server's record of the transaction, or from the App Store.
    ///
    /// - Throws: `StorageError`, or `VerificationFailure`.
    func answer(
        _ receipt: VerifiedTransactionReceipt, _ request: VerifyReceiptRequest, in environment: AppEnvironment
    ) async throws -> Answer {
        guard accepts(request.password) else { return try Answer(.secretMismatch, in: environment) }
        let (id, catalog, now) = (receipt.payload.originalTransactionID, catalog.catalog, clock.now)
        let (known, deciding) = try await storage.read(app) { records in
            (try records.knownPurchase(id, in: environment, catalog: catalog, at: now), try records.decidingEvents(of: id))
        }
        if known?.transactions.contains(where: { $0.transaction.transactionId == receipt.payload.transactionID }) != true {
            let confirmed: AppEnvironment
            do throws(VerificationFailure) { confirmed = try await receipts.confirm(receipt).environment } catch {
                guard case .indeterminate = error else { throw error }
                return try Answer(.unavailable)
            }
            guard confirmed == environment else {
                return try Answer(confirmed == .production ? .productionReceiptAtTest : .testReceiptAtProduction)
            }
        }
        let entitlement = deciding.map { EntitlementProjection.timeline(from: $0).entitlement(at: now) }
        let (isLive, live) = (
            secret != nil,
            LiveTransactionReceipt(receipt: receipt, environment: environment, known: known, entitlement: entitlement, now: now)
        )
        return try Answer(live.response(isLive: isLive), isContinuationUnknown: isLive && live.isContinuationUnknown)
    }
}

/// The digest of an app's shared secret, for comparisons in constant time.
struct SharedSecret: Equatable, Sendable {
    private let digest: SHA256Digest

    /// Creates the digest of a secret; returns nil for a missing or empty secret.
    init?(_ text: String?) {
        guard let text, !text.isEmpty else { return nil }
        digest = SHA256.hash(data: Data(text.utf8))
    }
}
