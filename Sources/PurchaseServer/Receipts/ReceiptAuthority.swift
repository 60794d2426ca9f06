import Foundation
import Logging
import PurchaseModel
import PurchaseProof

/// Verifies receipts, first locally and then with the App Store's `verifyReceipt`.
///
/// The response of `verifyReceipt` is not signed. It can refuse the receipt or report canceled purchases, and never adds a purchase that
/// the signed receipt does not contain. The newest receipt in the response is signed and is verified like any other, so the later periods of
/// a subscription count: without a key of the App Store Server API, nothing else states a renewal whose notification is lost.
struct ReceiptAuthority: Sendable {
    private static let check = "verifyReceipt"

    let verifier: ReceiptVerifier
    /// Whether the App Store is asked about receipts.
    let confirmation: ReceiptConfirmation
    private let transactionVerifier: TransactionReceiptVerifier
    private let client: VerifyReceiptClient
    private let environments: Set<AppEnvironment>
    private let logger: Logger

    /// Creates a verifier of an app's receipts.
    init(
        _ app: AppConfiguration, of server: PurchaseServerConfiguration, revocation: Revocation, clock: any WallClock, logger: Logger
    ) {
        verifier = ReceiptVerifier(
            roots: server.roots,
            revocation: revocation,
            bundleID: app.bundleID,
            environments: server.acceptedEnvironments,
            checks: [ExpiryCheck(clock: clock)]
        )
        transactionVerifier = TransactionReceiptVerifier(
            roots: server.roots, bundleID: app.bundleID, environments: server.acceptedEnvironments)
        confirmation = app.receiptConfirmation
        client = VerifyReceiptClient(
            productionURL: app.verifyReceiptProductionURL,
            sandboxURL: app.verifyReceiptSandboxURL,
            sharedSecret: app.sharedSecret,
            logger: logger
        )
        environments = server.acceptedEnvironments
        self.logger = logger
    }

    /// Verifies a receipt locally, and then with one or two requests to `verifyReceipt` unless the configuration turns them off.
    ///
    /// A receipt that is refused locally is not sent to the App Store.
    ///
    /// - Throws: `VerificationFailure`: refused locally or by the App Store, or indeterminate if the App Store returns no result and the
    ///   configuration requires one.
    func verify(_ bytes: [UInt8]) async throws(VerificationFailure) -> ConfirmedReceipt {
        try await confirm(verifier.verify(bytes))
    }

    /// Confirms a locally verified receipt with `verifyReceipt` unless the configuration turns it off.
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

    /// Returns the newest receipt of a response if it is authentic, and of the same app and environment; nil otherwise.
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

    /// Confirms the receipt of one transaction with `verifyReceipt`, and returns the environment in which the App Store knows it.
    ///
    /// The signature of such a receipt does not cover its environment, so a sandbox receipt could claim to be a production receipt. The
    /// confirmation is therefore required in every configuration.
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
            "the newest receipt in the response of verifyReceipt is not verified, and not used",
            metadata: ["reason": "\(VerificationExplanation(failure).reason ?? "")"])
    }

    private func log(_ asked: [String]) {
        logger.notice("verifyReceipt returned no result", metadata: ["asked": "\(asked.joined(separator: ", "))"])
    }
}
