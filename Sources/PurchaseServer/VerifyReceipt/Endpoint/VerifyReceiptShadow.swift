import Crypto
import Foundation
import FoundationExtras
import Logging
import PurchaseModel
import PurchaseStorage
import Synchronization

/// Whether the server compares its `verifyReceipt` answers with the App Store's, and which of the two answers the server sends.
public enum VerifyReceiptShadowMode: String, CaseIterable, Sendable {
    /// The server sends its answer without a comparison.
    case off
    /// The server compares the answers, and sends the App Store's answer, or the server's answer if the App Store does not answer in time.
    case apple
    /// The server sends its answer, and then compares the answers.
    case server
}

/// Compares the server's answers to `verifyReceipt` requests with the App Store's answers, and reports the differences.
final class VerifyReceiptShadow: Sendable {
    /// The numbers of answers since the start of the server process, by the outcome of the comparison.
    struct Counts: Codable, Hashable, Sendable {
        /// The number of compared answers.
        var compared = 0
        /// The number of compared answers with differences.
        var different = 0
        /// The number of answers without a comparison, because the App Store sent no answer in time.
        var unanswered = 0
        /// The number of answers without a comparison, because too many other comparisons were running.
        var skipped = 0
        /// The number of running comparisons.
        fileprivate var running = 0

        private enum CodingKeys: CodingKey {
            case compared, different, unanswered, skipped
        }
    }

    private static let runningLimit = 64
    /// The maximum number of differences in the log for one answer.
    private static let logLimit = 10

    let mode: VerifyReceiptShadowMode
    private let app: BundleID
    private let client: VerifyReceiptClient
    private let storage: any PurchaseStorage
    private let catalog: any CatalogSource
    private let clock: any WallClock
    private let logger: Logger
    private let state = Mutex(Counts())
    /// The rate limit for storing and logging differences.
    private let samples = TokenBucketLimiter<Int>(RequestRate(perSecond: 1, burst: Double(VerifyReceiptComparison.limit)))

    init(_ app: AppConfiguration, of server: ServerResources, _ catalog: CatalogService) {
        mode = app.verifyReceiptShadow
        self.app = app.bundleID
        // Create the client without a shared secret, because a forwarded body contains the password of its request.
        client = VerifyReceiptClient(
            productionURL: app.verifyReceiptProductionURL, sandboxURL: app.verifyReceiptSandboxURL, sharedSecret: nil,
            timeoutSeconds: Int64(app.verifyReceiptShadowSeconds), logger: server.logger)
        storage = server.storage
        self.catalog = catalog
        clock = server.clock
        logger = server.logger
    }

    var counts: Counts { state.withLock { $0 } }

    /// Returns the App Store's answer if the mode or an unconfirmed renewal requires it, and otherwise the server's answer.
    ///
    /// - Parameters:
    ///   - own: The server's answer.
    ///   - body: The body of the request, which is forwarded unchanged.
    ///   - confirmation: Whether the server forwards the request to the App Store if a renewal is unconfirmed.
    func completed(
        _ own: VerifyReceiptService.Answer, to body: Data, of request: ReceiptVerificationRequest, in environment: AppEnvironment,
        confirmation: ReceiptConfirmation
    ) async -> Data {
        let isNeeded = own.isContinuationUnknown && confirmation != .off
        guard mode == .apple || isNeeded else {
            if mode == .server {
                compare(own.body, request, in: environment) { [client] in await client.forward(body, to: environment)?.json }
            }
            return own.body
        }
        let answer = await client.forward(body, to: environment)
        if mode != .off { compare(own.body, request, in: environment) { answer?.json } }
        // Ignore an indeterminate answer, because the App Store reports valid receipts as malformed during an outage.
        if let answer, mode == .apple || answer.status.outcome != .indeterminate { return answer.bytes }
        guard isNeeded else { return own.body }
        logger.notice(
            "a renewal is unconfirmed, and verifyReceipt returned no result", metadata: ["app": "\(app)"]
        )
        guard confirmation == .hard, let unknown = try? VerifyReceiptService.Answer(.internalError) else { return own.body }
        return unknown.body
    }

    /// Compares an answer in a separate task, so that the comparison does not delay the response.
    private func compare(
        _ own: Data, _ request: ReceiptVerificationRequest, in environment: AppEnvironment,
        with answer: @escaping @Sendable () async -> JSONValue?
    ) {
        let isAdmitted = state.withLock { state in
            let isAdmitted = state.running < Self.runningLimit
            if isAdmitted { state.running += 1 } else { state.skipped += 1 }
            return isAdmitted
        }
        guard isAdmitted else { return }
        Task {
            let theirs = await answer()
            await self.report(own, theirs, on: request.receipt, in: environment)
            state.withLock { $0.running -= 1 }
        }
    }

    private func report(_ own: Data, _ theirs: JSONValue?, on receipt: [UInt8], in environment: AppEnvironment) async {
        guard let theirs, let ours = JSONReader.read([UInt8](own)) else { return state.withLock { $0.unanswered += 1 } }
        let consumables = Set(catalog.catalog.products.filter { $0.type == .consumable }.map(\.id))
        let found = VerifyReceiptDifferences(between: ours, and: theirs, consumables: consumables)
        state.withLock { state in
            state.compared += 1
            if found.count > 0 { state.different += 1 }
        }
        guard found.count > 0, samples.count(0, at: clock.now) == nil else { return }
        let comparison = VerifyReceiptComparison(
            date: clock.now, environment: environment.rawValue, receipt: Hexadecimal.encode(SHA256.hash(data: receipt)),
            count: found.count, differences: found.listed)
        let texts = found.listed.prefix(Self.logLimit).map { "\($0.path): \($0.server ?? "absent") / \($0.appStore ?? "absent")" }
        logger.warning(
            "the answer of verifyReceipt differs from the App Store's (server / App Store)",
            metadata: [
                "app": "\(app)", "receipt": "\(comparison.receipt)", "differences": "\(found.count)",
                "fields": "\(texts.joined(separator: "; "))",
            ])
        do {
            try await storage.write(app) { try $0.insert(comparison) }
        } catch {
            logger.warning("differences of verifyReceipt not stored", metadata: ["error": "\(error)"])
        }
    }
}
