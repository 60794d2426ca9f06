import Logging
import PurchaseModel
import PurchaseProof

/// Says what a receipt is worth: first by its signature, then by asking the store.
///
/// The signature decides what may be given. The store's answer comes over the network and is not signed; it can take away
/// (a status that refuses, a cancelled purchase) and never add anything that the signed receipt does not show.
struct ReceiptAuthority: Sendable {
    let verifier: ReceiptVerifier
    private let client: VerifyReceiptClient
    private let logger: Logger

    /// Creates an authority for the app of a configuration.
    init(_ configuration: PurchaseServerConfiguration, revocation: Revocation, clock: any WallClock, logger: Logger) {
        verifier = ReceiptVerifier(
            roots: configuration.roots,
            revocation: revocation,
            BundleCheck(configuration.bundleID),
            EnvironmentCheck(configuration.acceptedEnvironments),
            ExpiryCheck(clock: clock)
        )
        client = VerifyReceiptClient(
            productionURL: configuration.verifyReceiptProductionURL,
            sandboxURL: configuration.verifyReceiptSandboxURL,
            sharedSecret: configuration.sharedSecret,
            logger: logger
        )
        self.logger = logger
    }

    /// Judges a receipt.
    ///
    /// A receipt that its own signature refutes is not sent to anybody. Cost: one or two calls of the store.
    func judge(_ bytes: [UInt8]) async -> ReceiptVerdict {
        let receipt: VerifiedReceipt
        do {
            receipt = try await verifier.verify(bytes)
        } catch {
            switch error {
            case .refused(let refusal): return .refused(reason: refusal.sentence)
            case .unknown(let doubt): return .unknown(asked: [doubt.sentence])
            }
        }
        let (outcome, asked) = await client.ask(receipt.original)
        switch outcome {
        case .valid(let takenBack):
            return .verified(receipt, takenBack: takenBack, asked: asked)
        case .refused(let status):
            return .refused(reason: "The App Store refused it with status \(status.rawValue).")
        case .unknown:
            logger.notice("nobody could say what a receipt is worth", metadata: ["asked": "\(asked.joined(separator: ", "))"])
            return .unknown(asked: asked)
        }
    }
}
