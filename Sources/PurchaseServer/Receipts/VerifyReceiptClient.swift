import Foundation
import Logging
import PurchaseModel
import PurchaseProtocol
import WireClient

/// Asks the App Store what it makes of a receipt.
///
/// Production is asked first, always: App Review runs production builds in the sandbox, so nothing but the answer can
/// tell. The sandbox is asked on status 21007, and on no other.
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

    /// Asks until somebody knows.
    ///
    /// Each line of `asked` is a host and what it said, such as `production 21007`.
    func ask(_ receipt: [UInt8]) async -> (outcome: Outcome, asked: [String]) {
        let request = VerifyReceiptRequest(receiptData: Data(receipt).base64EncodedString(), password: sharedSecret)
        guard let first = await send(request, to: production, named: "production") else { return (.unknown, ["production: no answer"]) }
        var asked = ["production \(first.status.rawValue)"]
        guard first.status.meaning == .askSandbox else { return (Outcome(first), asked) }
        guard let second = await send(request, to: sandbox, named: "sandbox") else { return (.unknown, asked + ["sandbox: no answer"]) }
        asked.append("sandbox \(second.status.rawValue)")
        return (Outcome(second), asked)
    }

    /// Nothing that went wrong on the way says anything about the receipt, so every failure is the same: no answer.
    private func send(_ request: VerifyReceiptRequest, to host: WireClient, named name: String) async -> VerifyReceiptResponse? {
        guard let answer = try? await host.call(Self.endpoint, request) else { return nil }
        if answer.status == .secretMismatch || answer.status == .notPost {
            logger.error(
                "the App Store refused this server's own request; look at shared-secret and the addresses of verifyReceipt",
                metadata: ["host": "\(name)", "status": "\(answer.status.rawValue)"]
            )
        }
        return answer
    }

    /// What the App Store said in the end.
    enum Outcome: Sendable {
        /// The receipt is valid, except for what was taken back.
        case valid(TakenBack)
        /// The receipt is not good, with the status that says so.
        case refused(VerifyReceiptStatus)
        /// There was no answer that decides.
        case unknown

        /// Reads an answer that sends nobody elsewhere any more.
        init(_ answer: VerifyReceiptResponse) {
            self =
                switch answer.status.meaning {
                case .valid: .valid(TakenBack(answer))
                case .refused: .refused(answer.status)
                // The sandbox itself has been seen to answer 21007; nobody is left to be asked then.
                case .unknown, .askSandbox, .askProduction: .unknown
                }
        }
    }
}
