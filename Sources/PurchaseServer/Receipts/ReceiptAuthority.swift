import Logging
import PurchaseModel
import PurchaseProof

/// Verifies receipts, first locally and then with the App Store's `verifyReceipt`.
///
/// The response of `verifyReceipt` is not signed. It can refuse the receipt or report canceled purchases, and never adds a purchase that
/// the signed receipt does not contain.
struct ReceiptAuthority: Sendable {
    let verifier: ReceiptVerifier
    private let client: VerifyReceiptClient
    private let logger: Logger

    /// Creates a verifier of receipts with the settings of a configuration.
    init(_ configuration: PurchaseServerConfiguration, revocation: Revocation, clock: any WallClock, logger: Logger) {
        verifier = ReceiptVerifier(
            roots: configuration.roots,
            revocation: revocation,
            bundleID: configuration.bundleID,
            environments: configuration.acceptedEnvironments,
            checks: [ExpiryCheck(clock: clock)]
        )
        client = VerifyReceiptClient(
            productionURL: configuration.verifyReceiptProductionURL,
            sandboxURL: configuration.verifyReceiptSandboxURL,
            sharedSecret: configuration.sharedSecret,
            logger: logger
        )
        self.logger = logger
    }

    /// Verifies a receipt locally, and then with one or two requests to `verifyReceipt`.
    ///
    /// A receipt that is refused locally is not sent to the App Store.
    ///
    /// - Throws: `VerificationFailure`: refused locally or by the App Store, or indeterminate if the App Store returns no result.
    func verify(_ bytes: [UInt8]) async throws(VerificationFailure) -> ConfirmedReceipt {
        let receipt = try await verifier.verify(bytes)
        let (outcome, asked) = await client.ask(receipt.original)
        switch outcome {
        case .valid(let takenBack):
            return ConfirmedReceipt(receipt: receipt, takenBack: takenBack, asked: asked)
        case .refused(let status):
            throw .refused(Refusal(.custom(Self.check), at: Self.check, "The App Store returned status \(status.rawValue)."))
        case .unknown:
            let responses = asked.joined(separator: ", ")
            logger.notice("verifyReceipt returned no result", metadata: ["asked": "\(responses)"])
            throw .indeterminate(Indeterminacy(.custom(Self.check), at: Self.check, "The App Store returned no result (\(responses))."))
        }
    }

    private static let check = "verifyReceipt"
}
