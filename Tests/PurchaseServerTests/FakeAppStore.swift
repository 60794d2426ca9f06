import Foundation
import FoundationExtras
import Hummingbird
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import Synchronization

/// Two `verifyReceipt` hosts with responses that a test configures.
///
/// The hosts record the requests.
final class FakeAppStore: Sendable {
    enum Host: String, CaseIterable {
        case production
        case sandbox
    }

    enum Answer {
        /// A body with a status only.
        case status(Int)
        /// A body in the App Store's format.
        case response(VerifyReceiptResponse)
        /// The App Store's response under overload: status 503 with an HTML body.
        case overloaded
        /// A body with this text.
        case json(String)
        /// Status 200 with a body that is not JSON.
        case garbage
    }

    private struct State {
        var answers: [Host: Answer] = [.production: .status(21007), .sandbox: .status(0)]
        var requests: [Host: [VerifyReceiptRequest]] = [:]
    }

    private let state = Mutex(State())

    /// Sets the response of a host.
    ///
    /// By default, production has status 21007 (a sandbox receipt) and the sandbox has status 0 (valid).
    func set(_ host: Host, _ answer: Answer) {
        state.withLock { $0.answers[host] = answer }
    }

    func requests(to host: Host) -> [VerifyReceiptRequest] {
        state.withLock { $0.requests[host, default: []] }
    }

    var application: some ApplicationProtocol {
        let router = Router()
        for host in Host.allCases {
            router.post("\(host.rawValue)/verifyReceipt") { [self] request, _ in
                let body = Data(buffer: try await request.body.collect(upTo: 1 << 20))
                let receiptRequest = try WireJSON.decode(VerifyReceiptRequest.self, from: body)
                let answer = state.withLock { state in
                    state.requests[host, default: []].append(receiptRequest)
                    return state.answers[host]
                }
                return try Self.response(to: answer ?? .overloaded)
            }
        }
        return Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
    }

    private static func response(to answer: Answer) throws -> Response {
        switch answer {
        case .status(let status):
            Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: "{\"status\":\(status)}")))
        case .response(let response):
            Response(status: .ok, body: .init(byteBuffer: ByteBuffer(data: try WireJSON.encode(response))))
        case .json(let text):
            Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: text)))
        case .overloaded:
            Response(
                status: .serviceUnavailable,
                body: .init(byteBuffer: ByteBuffer(string: "<html><body><b>Http/1.1 Service Unavailable</b></body> </html>"))
            )
        case .garbage:
            Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: "<html>hello</html>")))
        }
    }
}
