import Logging
import PurchaseModel
import PurchaseProof

/// Verifies receipts, first locally and then with the App Store's `verifyReceipt`.
///
/// The response of `verifyReceipt` is not signed. It can refuse the receipt or report canceled purchases, and never adds a purchase that
/// the signed receipt does not contain.
struct ReceiptAuthority: Sendable {
    private static let check = "verifyReceipt"

    let verifier: ReceiptVerifier
    /// Whether the App Store is asked about receipts.
    let confirmation: ReceiptConfirmation
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
        guard confirmation != .off else { return ConfirmedReceipt(receipt: receipt, canceled: CanceledPurchases()) }
        let (outcome, asked) = await client.ask(receipt.original, for: VerifyReceiptResponse.self)
        switch outcome {
        case .valid(let response, _):
            return ConfirmedReceipt(receipt: receipt, canceled: CanceledPurchases(response))
        case .refused(let status):
            throw refusal(status)
        case .unknown where confirmation == .soft:
            log(asked)
            return ConfirmedReceipt(receipt: receipt, canceled: CanceledPurchases())
        case .unknown:
            log(asked)
            throw indeterminacy(asked)
        }
    }

    /// Confirms the receipt of one transaction with `verifyReceipt`, and returns the environment in which the App Store knows it.
    ///
    /// The signature of such a receipt does not cover its environment, so a sandbox receipt could claim to be a production receipt. The
    /// confirmation is therefore required in every configuration.
    func confirm(_ receipt: VerifiedTransactionReceipt) async throws(VerificationFailure) -> AppEnvironment {
        let (outcome, asked) = await client.ask(receipt.original, for: TransactionReceiptReply.self)
        switch outcome {
        case .valid(_, let environment):
            guard environments.contains(environment) else {
                throw .refused(Refusal(.foreignEnvironment(environment.rawValue), at: Self.check))
            }
            return environment
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

    private func log(_ asked: [String]) {
        logger.notice("verifyReceipt returned no result", metadata: ["asked": "\(asked.joined(separator: ", "))"])
    }
}
