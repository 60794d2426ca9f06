import AppStoreServerAPI
import Foundation
import FoundationExtras
import PurchaseModel
import Synchronization

/// The seat endpoints of an App Store, with faults.
final class SeatStore: ServerAPITransport {
    /// The answer to requests.
    enum Mode: Sendable {
        /// Each request is processed and answered.
        case available
        /// Each request is processed, and its response is lost.
        case loses
        /// No request arrives.
        case away
    }

    private struct State {
        var mode = Mode.available
        var seats = 3
        var claims: [(request: String, id: String)] = []
        var assigned: [String] = []
        var requests: [String] = []
        var released: [String] = []
        var refusal: ServerAPIError?
        var onList: (@Sendable () async -> Void)?
    }

    private let state = Mutex(State())

    /// The answer to requests.
    var mode: Mode {
        get { state.withLock { $0.mode } }
        set { state.withLock { $0.mode = newValue } }
    }

    /// The number of seats.
    var seats: Int {
        get { state.withLock { $0.seats } }
        set { state.withLock { $0.seats = newValue } }
    }

    /// The error of each request; nil for none.
    var refusal: ServerAPIError? {
        get { state.withLock { $0.refusal } }
        set { state.withLock { $0.refusal = newValue } }
    }

    /// A closure that runs once, after the App Store has listed the claims and before the server receives the list.
    var onList: (@Sendable () async -> Void)? {
        get { state.withLock { $0.onList } }
        set { state.withLock { $0.onList = newValue } }
    }

    /// The identifiers of the active claims, oldest first.
    var assigned: [String] { state.withLock { $0.assigned } }
    /// The request identifiers of all requests for a seat.
    var requests: [String] { state.withLock { $0.requests } }
    /// The identifiers of the claims that the server released.
    var released: [String] { state.withLock { $0.released } }

    /// Releases claims without a request.
    func unclaim(_ ids: [String]) { state.withLock { state in state.assigned.removeAll { ids.contains($0) } } }

    /// Adds a claim that the server does not know.
    func addForeignClaim() { state.withLock { $0.assigned.append(UUID().uuidString.lowercased()) } }

    func send(_ request: ServerAPITransportRequest) async throws(ServerAPITransportError) -> ServerAPITransportResponse {
        guard mode != .away else { throw .notConnected }
        let response = respond(to: request)
        if request.method == "GET", let onList {
            self.onList = nil
            await onList()
        }
        guard mode != .loses else { throw .noResponse }
        return response
    }

    private func respond(to request: ServerAPITransportRequest) -> ServerAPITransportResponse {
        let path = URL(string: request.url)?.path() ?? ""
        if path == "/inApps/v1/notifications/history" {
            return ServerAPITransportResponse(status: 200, body: Data(#"{"notificationHistory":[],"hasMore":false}"#.utf8))
        }
        guard path.hasPrefix("/groups/v1/transactions/") else { return error(.transactionIdNotFound) }
        if let refusal { return error(refusal) }
        switch request.method {
        case "GET":
            return state.withLock { state in
                json(
                    GetSeatInfoResponse(
                        totalSeatCount: state.seats, availableSeatCount: max(0, state.seats - state.assigned.count),
                        assignedSeatClaimIds: state.assigned))
            }
        case "DELETE":
            let id = path.split(separator: "/").last.map { String($0) } ?? ""
            return state.withLock { state in
                guard state.assigned.contains(id) else { return error(.seatClaimIdNotFound) }
                state.assigned.removeAll { $0 == id }
                state.released.append(id)
                return ServerAPITransportResponse(status: 200)
            }
        default:
            guard let body = request.body, let claim = try? ClaimSeatRequest(json: body) else { return error(.invalidRequestIdentifier) }
            return state.withLock { state in
                state.requests.append(claim.requestIdentifier)
                if let made = state.claims.first(where: { $0.request == claim.requestIdentifier }) {
                    return json(ClaimSeatResponse(seatClaimId: made.id))
                }
                guard state.assigned.count < state.seats else { return error(.noAvailableSeats) }
                let id = UUID().uuidString.lowercased()
                state.claims.append((claim.requestIdentifier, id))
                state.assigned.append(id)
                return json(ClaimSeatResponse(seatClaimId: id))
            }
        }
    }

    private func json(_ value: some Encodable) -> ServerAPITransportResponse {
        ServerAPITransportResponse(status: 200, body: (try? WireJSON.encode(value)) ?? Data())
    }

    private func error(_ error: ServerAPIError) -> ServerAPITransportResponse {
        ServerAPITransportResponse(
            status: error.status, body: Data(#"{"errorCode":\#(error.code),"errorMessage":"Refused."}"#.utf8))
    }
}
