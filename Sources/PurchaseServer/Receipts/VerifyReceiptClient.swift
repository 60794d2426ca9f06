import Foundation
import Logging
import PurchaseModel
import PurchaseProtocol
import WireClient

/// Verifies receipts with the App Store's `verifyReceipt`.
///
/// The client always requests production first, because App Review runs production builds in the sandbox, and only the response tells
/// the environment. It requests the sandbox only after status 21007.
struct VerifyReceiptClient: Sendable {
    private static let endpoint = Endpoint<VerifyReceiptRequest, VerifyReceiptResponse>(.post, "/verifyReceipt")

    private let production: WireClient
    private let sandbox: WireClient
    private let sharedSecret: String?
    private let logger: Logger

    /// Creates a client.
    init(productionURL: HTTPURL, sandboxURL: HTTPURL, sharedSecret: String?, logger: Logger) {
        production = WireClient(baseURL: productionURL)
        sandbox = WireClient(baseURL: sandboxURL)
        self.sharedSecret = sharedSecret
        self.logger = logger
    }

    /// Requests the verification of a receipt.
    ///
    /// Each element of `asked` is a host and its status, such as `production 21007`.
    func ask(_ receipt: [UInt8]) async -> (outcome: Outcome, asked: [String]) {
        let request = VerifyReceiptRequest(receiptData: Data(receipt).base64EncodedString(), password: sharedSecret)
        guard let first = await send(request, to: production, named: "production") else { return (.unknown, ["production: no response"]) }
        var asked = ["production \(first.status.rawValue)"]
        guard first.status.outcome == .retryInSandbox else { return (Outcome(first), asked) }
        guard let second = await send(request, to: sandbox, named: "sandbox") else { return (.unknown, asked + ["sandbox: no response"]) }
        asked.append("sandbox \(second.status.rawValue)")
        return (Outcome(second), asked)
    }

    /// Sends a request; nil for every transport error, because such an error does not concern the receipt.
    private func send(_ request: VerifyReceiptRequest, to host: WireClient, named name: String) async -> VerifyReceiptResponse? {
        guard let answer = try? await host.call(Self.endpoint, request) else { return nil }
        if answer.status == .secretMismatch || answer.status == .notPost {
            logger.error(
                "the App Store refused the request; check shared-secret and the URLs of verifyReceipt",
                metadata: ["host": "\(name)", "status": "\(answer.status.rawValue)"]
            )
        }
        return answer
    }

    /// The result of `verifyReceipt`.
    enum Outcome: Sendable {
        /// The receipt is valid, except for canceled purchases.
        case valid(TakenBack)
        /// The receipt is not valid, with its status.
        case refused(VerifyReceiptStatus)
        /// No response determines the result.
        case unknown

        /// Creates the result of the last response.
        init(_ answer: VerifyReceiptResponse) {
            self =
                switch answer.status.outcome {
                case .valid: .valid(TakenBack(answer))
                case .refused: .refused(answer.status)
                // The sandbox has been observed to respond with 21007; no other host remains in that case.
                case .indeterminate, .retryInSandbox, .retryInProduction: .unknown
                }
        }
    }
}
