import AppStoreServerAPI
import Foundation
import PurchaseModel
import Synchronization

/// A transport that records requests, and answers them from a script without a network.
final class ScriptedTransport: ServerAPITransport {
    typealias Answer = Result<ServerAPITransportResponse, ServerAPITransportError>

    private struct State {
        var requests: [ServerAPITransportRequest] = []
        var answers: [Answer]
    }

    private let state: Mutex<State>

    /// Creates a transport with the answers to the first requests; the last one repeats.
    init(_ answers: [Answer]) {
        state = Mutex(State(answers: answers))
    }

    convenience init(_ answers: ServerAPITransportResponse...) {
        self.init(answers.map { .success($0) })
    }

    /// The requests that were sent, in order.
    var requests: [ServerAPITransportRequest] { state.withLock { $0.requests } }

    /// The tokens of the requests, in order.
    var tokens: [String] { requests.map { $0.headers["Authorization"] ?? "" } }

    /// Replaces the answers to the next requests.
    func answer(_ answers: Answer...) {
        state.withLock { $0.answers = answers }
    }

    func send(_ request: ServerAPITransportRequest) async throws(ServerAPITransportError) -> ServerAPITransportResponse {
        let answer = state.withLock { state in
            state.requests.append(request)
            return state.answers.count > 1 ? state.answers.removeFirst() : state.answers[0]
        }
        return try answer.get()
    }
}

extension ServerAPITransportResponse {
    /// A successful response with a JSON body.
    static func ok(_ json: String) -> ServerAPITransportResponse {
        ServerAPITransportResponse(status: 200, headers: ["Content-Type": "application/json"], body: Data(json.utf8))
    }

    /// The response to a request for a transaction.
    static let transaction = ok(#"{"signedTransactionInfo":"a.b.c"}"#)

    /// An error response with an error code.
    static func error(_ error: ServerAPIError, _ headers: [String: String] = [:]) -> ServerAPITransportResponse {
        let body = (try? JSONEncoder().encode(ServerAPIErrorBody(error))) ?? Data()
        return ServerAPITransportResponse(status: error.status, headers: headers, body: body)
    }
}
