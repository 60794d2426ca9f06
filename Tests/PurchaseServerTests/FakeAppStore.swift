import Foundation
import Hummingbird
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import Synchronization

/// Two `verifyReceipt` hosts that say what a test wants, and remember what they were asked.
final class FakeAppStore: Sendable {
    enum Host: String, CaseIterable {
        case production
        case sandbox
    }

    enum Answer {
        /// A body with nothing but a status.
        case status(Int)
        /// A body as the App Store writes it.
        case response(VerifyReceiptResponse)
        /// What the App Store sends when it has too much to do.
        case overloaded
        /// Status 200 with something that is no JSON.
        case garbage
    }

    private struct State {
        var answers: [Host: Answer] = [.production: .status(21007), .sandbox: .status(0)]
        var requests: [Host: [VerifyReceiptRequest]] = [:]
    }

    private let state = Mutex(State())

    /// Production says that it is a sandbox receipt, and the sandbox says that it is valid, until a test wants something else.
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
                let asked = try WireJSON.decode(VerifyReceiptRequest.self, from: body)
                let answer = state.withLock { state in
                    state.requests[host, default: []].append(asked)
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
