import Foundation
import Logging
import PurchaseModel
import PurchaseProof
import PurchaseStorage

/// Verifies receipts, first locally and then with the App Store's `verifyReceipt`.
///
/// The response of `verifyReceipt` is unsigned. A response can refuse the receipt or report canceled purchases, and never adds a purchase.
/// The newest receipt in the response is signed. The server verifies the newest receipt, and records the later periods of subscriptions.
/// For an app without a key of the App Store Server API, the newest receipt is the only evidence of a renewal with a lost notification.
struct ReceiptAuthority: Sendable {
    private static let check = "verifyReceipt"

    let verifier: ReceiptVerifier
    /// Whether the server confirms receipts with the App Store.
    let confirmation: ReceiptConfirmation
    private let transactionVerifier: TransactionReceiptVerifier
    private let client: VerifyReceiptClient
    private let environments: Set<AppEnvironment>
    private let logger: Logger

    init(_ app: AppConfiguration, of server: ServerResources) {
        let (roots, environments) = (server.configuration.roots, server.configuration.acceptedEnvironments)
        verifier = ReceiptVerifier(
            roots: roots,
            revocation: server.revocation,
            bundleID: app.bundleID,
            environments: environments,
            checks: [ExpiryCheck(clock: server.clock)]
        )
        transactionVerifier = TransactionReceiptVerifier(roots: roots, bundleID: app.bundleID, environments: environments)
        confirmation = app.receiptConfirmation
        client = VerifyReceiptClient(
            productionURL: app.verifyReceiptProductionURL,
            sandboxURL: app.verifyReceiptSandboxURL,
            sharedSecret: app.sharedSecret,
            logger: server.logger
        )
        self.environments = environments
        logger = server.logger
    }

    /// Verifies a receipt locally, and then with one or two requests to `verifyReceipt` unless the configuration turns the requests off.
    ///
    /// A receipt that is refused locally is not sent to the App Store.
    ///
    /// - Throws: `VerificationFailure`: refused locally or by the App Store, or indeterminate if the App Store does not return a required
    ///   result.
    func verify(_ bytes: [UInt8]) async throws(VerificationFailure) -> ConfirmedReceipt {
        try await confirm(verifier.verify(bytes))
    }

    /// Confirms a locally verified receipt with `verifyReceipt` unless the configuration turns the confirmation off.
    ///
    /// - Throws: `VerificationFailure`, as ``verify(_:)`` does.
    func confirm(_ receipt: VerifiedReceipt) async throws(VerificationFailure) -> ConfirmedReceipt {
        guard confirmation != .off else { return ConfirmedReceipt(receipt: receipt) }
        let (outcome, asked) = await client.ask(receipt.original, for: VerifyReceiptResponse.self)
        switch outcome {
        case .valid(let response, _):
            let latest = await latest(in: response.latestReceipt, after: receipt)
            return ConfirmedReceipt(receipt: receipt, canceled: CanceledPurchases(response), latest: latest)
        case .refused(let status):
            throw refusal(status)
        case .unknown where confirmation == .soft:
            log(asked)
            return ConfirmedReceipt(receipt: receipt)
        case .unknown:
            log(asked)
            throw indeterminacy(asked)
        }
    }

    /// Returns the newest receipt of a response, if the receipt is authentic and belongs to the same app and environment; nil otherwise.
    private func latest(in text: String?, after receipt: VerifiedReceipt) async -> VerifiedReceipt? {
        guard let bytes = Self.bytes(text), bytes != receipt.original else { return nil }
        do throws(VerificationFailure) {
            let latest = try await verifier.verify(bytes)
            return latest.payload.environment == receipt.payload.environment ? latest : nil
        } catch {
            logUnverified(error)
            return nil
        }
    }

    /// Returns the events about the same purchase in the newest receipt of a response: the receipt of one transaction, or an app receipt.
    private func latest(
        in text: String?, after receipt: VerifiedTransactionReceipt, in environment: AppEnvironment
    ) async -> [VerifiedEvent] {
        guard let bytes = Self.bytes(text), bytes != receipt.original else { return [] }
        let events: [VerifiedEvent]
        do throws(VerificationFailure) {
            if bytes.first == UInt8(ascii: "{") {
                events = [VerifiedEvent(try transactionVerifier.verify(bytes), confirmedIn: environment)]
            } else {
                let latest = try await verifier.verify(bytes)
                guard latest.payload.environment == environment else { return [] }
                events = latest.payload.purchases.map { VerifiedEvent($0, in: latest) }
            }
        } catch {
            logUnverified(error)
            return []
        }
        return events.filter { event in
            let transaction = event.event.transaction
            return transaction.originalTransactionId == receipt.payload.originalTransactionID
                && transaction.transactionId != receipt.payload.transactionID
        }
    }

    private static func bytes(_ text: String?) -> [UInt8]? { text.flatMap { Data(base64Encoded: $0) }.map { [UInt8]($0) } }

    /// Confirms the receipt of one transaction with `verifyReceipt`, and returns the environment and the events of the transaction.
    ///
    /// The signature of a transaction receipt does not cover the environment, so a sandbox receipt could claim to be a production receipt.
    /// Every configuration requires the confirmation of a transaction receipt.
    func confirm(_ receipt: VerifiedTransactionReceipt) async throws(VerificationFailure) -> ConfirmedTransactionReceipt {
        let (outcome, asked) = await client.ask(receipt.original, for: TransactionReceiptReply.self)
        switch outcome {
        case .valid(let reply, let environment):
            guard environments.contains(environment) else {
                throw .refused(Refusal(.foreignEnvironment(environment.rawValue), at: Self.check))
            }
            let latest = await latest(in: reply.latestReceipt, after: receipt, in: environment)
            return ConfirmedTransactionReceipt(
                environment: environment, events: [VerifiedEvent(receipt, confirmedIn: environment)] + latest)
        case .refused(let status):
            throw refusal(status)
        case .unknown:
            log(asked)
            throw indeterminacy(asked)
        }
    }

    private func refusal(_ status: VerifyReceiptStatus) -> VerificationFailure {
        .refused(Refusal(.custom(Self.check), at: Self.check, "The App Store returned status \(status.rawValue)."))
    }

    private func indeterminacy(_ asked: [String]) -> VerificationFailure {
        let responses = asked.joined(separator: ", ")
        return .indeterminate(Indeterminacy(.custom(Self.check), at: Self.check, "The App Store returned no result (\(responses))."))
    }

    private func logUnverified(_ failure: VerificationFailure) {
        logger.notice(
            "the newest receipt in the response of verifyReceipt is ignored, because its verification failed",
            metadata: ["reason": "\(VerificationExplanation(failure).reason ?? "")"])
    }

    private func log(_ asked: [String]) {
        logger.notice("verifyReceipt returned no result", metadata: ["asked": "\(asked.joined(separator: ", "))"])
    }
}
