import Foundation
import FoundationExtras
import Logging
import PurchaseModel
import Wire
import WireClient

/// Verifies receipts with the App Store's `verifyReceipt`.
///
/// The client sends each receipt to production first, and to the sandbox after status 21007. A production server also receives sandbox
/// receipts, because App Review tests production builds in the sandbox.
struct VerifyReceiptClient: Sendable {
    private let production: WireClient
    private let sandbox: WireClient
    private let sharedSecret: String?
    private let logger: Logger

    private static let path = "/verifyReceipt"

    /// Returns the base of a `verifyReceipt` URL: the URL without the path `/verifyReceipt` at its end.
    static func base(of url: HTTPURL) -> HTTPURL {
        guard url.base.hasSuffix(path) else { return url }
        return HTTPURL(String(url.base.dropLast(path.count))) ?? url
    }

    /// Creates a client with the URLs of `verifyReceipt`, with or without this path, and the app's shared secret; nil for no secret.
    init(productionURL: HTTPURL, sandboxURL: HTTPURL, sharedSecret: String?, timeoutSeconds: Int64 = 30, logger: Logger) {
        production = WireClient(baseURL: Self.base(of: productionURL), timeoutSeconds: timeoutSeconds)
        sandbox = WireClient(baseURL: Self.base(of: sandboxURL), timeoutSeconds: timeoutSeconds)
        self.sharedSecret = sharedSecret
        self.logger = logger
    }

    /// Sends a receipt to `verifyReceipt`, and returns the result and the requests that were sent.
    ///
    /// Each element of `asked` is the environment and the status of a request, such as `production 21007`.
    func ask<Reply>(_ receipt: [UInt8], for type: Reply.Type) async -> (outcome: Outcome<Reply>, asked: [String]) {
        let request = VerifyReceiptRequest(receiptData: Data(receipt).base64EncodedString(), password: sharedSecret)
        guard let first: Reply = await send(request, to: production, named: "production") else {
            return (.unknown, ["production: no response"])
        }
        var asked = ["production \(first.status.rawValue)"]
        guard first.status.outcome == .retryInSandbox else { return (Outcome(first, from: .production), asked) }
        guard let second: Reply = await send(request, to: sandbox, named: "sandbox") else {
            return (.unknown, asked + ["sandbox: no response"])
        }
        asked.append("sandbox \(second.status.rawValue)")
        return (Outcome(second, from: .sandbox), asked)
    }

    /// Sends a request to one environment; returns nil without a valid response.
    private func send<Reply: VerifyReceiptReply>(
        _ request: VerifyReceiptRequest, to host: WireClient, named name: String
    ) async -> Reply? {
        let endpoint = Endpoint<VerifyReceiptRequest, Reply>(.post, Self.path)
        guard let answer = try? await host.call(endpoint, request) else { return nil }
        if answer.status == .secretMismatch || answer.status == .notPost {
            logger.error(
                "the App Store refused the request; check shared-secret and the URLs of verifyReceipt",
                metadata: ["host": "\(name)", "status": "\(answer.status.rawValue)"]
            )
        }
        return answer
    }

    /// Sends the body of a request unchanged to one environment, and returns the body of the response.
    ///
    /// - Returns: A JSON object with a status, and its bytes; nil if no such response with HTTP status 200 arrived in time.
    func forward(
        _ body: Data, to environment: AppEnvironment
    ) async -> (bytes: Data, json: JSONValue, status: VerifyReceiptStatus)? {
        let host = environment == .production ? production : sandbox
        guard
            let answer = try? await host.exchange("POST", Self.path, ["Content-Type": "application/json"], body),
            answer.status == 200, let json = JSONReader.read([UInt8](answer.body)), case .number(let number) = json["status"],
            let status = Int(number)
        else { return nil }
        return (answer.body, json, VerifyReceiptStatus(rawValue: status))
    }

    /// The result of the requests to `verifyReceipt`.
    enum Outcome<Reply: VerifyReceiptReply>: Sendable {
        /// The receipt is valid; the associated values are the last response and its environment.
        case valid(Reply, AppEnvironment)
        /// The receipt is not valid; the associated value is the status of the response.
        case refused(VerifyReceiptStatus)
        /// No response arrived, or its status does not state whether the receipt is valid.
        case unknown

        /// Creates the result from the response of the last request.
        init(_ answer: Reply, from environment: AppEnvironment) {
            self =
                switch answer.status.outcome {
                case _ where answer.isValid: .valid(answer, environment)
                case .refused: .refused(answer.status)
                // Return `unknown` for 21007 from the sandbox, which sometimes sends this status, because no other environment remains.
                case .valid, .indeterminate, .retryInSandbox, .retryInProduction: .unknown
                }
        }
    }
}

/// The part of a `verifyReceipt` response that the server reads.
protocol VerifyReceiptReply: Codable, Sendable {
    var status: VerifyReceiptStatus { get }
    /// Whether the status states that the receipt is valid.
    var isValid: Bool { get }
}

extension VerifyReceiptResponse: VerifyReceiptReply {
    var isValid: Bool { status.outcome == .valid }
}

/// The part of a `verifyReceipt` response about a transaction receipt that the server reads; the format differs from an app receipt's.
struct TransactionReceiptReply: VerifyReceiptReply {
    var status: VerifyReceiptStatus
    /// The receipt of the newest period of an active subscription, in standard base64; nil if the response has none.
    ///
    /// The server ignores the member `latest_receipt_info`, an unsigned object or array.
    var latestReceipt: String?

    private enum CodingKeys: String, CodingKey {
        case status
        case latestReceipt = "latest_receipt"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        status = try container.decode(VerifyReceiptStatus.self, forKey: .status)
        // Ignore a receipt that is not a string, because the status is still valid.
        latestReceipt = try? container.decode(String.self, forKey: .latestReceipt)
    }

    /// Whether the receipt is valid; status 21006 means a valid receipt with an expired subscription.
    var isValid: Bool { status.outcome == .valid || status == .subscriptionExpired }
}
