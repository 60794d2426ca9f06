import Foundation
import PurchaseModel
import WireClient

/// Where notifications go: an address split into what `WireClient` connects to and the endpoint there.
struct NotificationAddress: Sendable {
    /// How long a server may take to answer one notification.
    static let timeoutSeconds: Int64 = 10

    private let client: WireClient
    private let endpoint: Endpoint<NotificationRequest, Empty>

    /// Splits an address; nil unless it is http or https and names a host.
    init?(_ text: String) {
        guard text.utf8.count <= 2_000, let url = URLComponents(string: text), let host = url.host, !host.isEmpty,
            ["http", "https"].contains(url.scheme?.lowercased() ?? ""), url.fragment == nil
        else { return nil }
        var base = URLComponents()
        base.scheme = url.scheme
        base.percentEncodedHost = url.percentEncodedHost
        base.port = url.port
        guard let baseURL = base.string else { return nil }
        client = WireClient(baseURL: baseURL, timeoutSeconds: Self.timeoutSeconds)
        let query = url.percentEncodedQuery.map { "?\($0)" } ?? ""
        endpoint = Endpoint(.post, (url.percentEncodedPath.isEmpty ? "/" : url.percentEncodedPath) + query)
    }

    /// What became of an attempt.
    enum Answer: Hashable, Sendable {
        /// The server took it, which is what the statuses 200 to 206 say, with whatever body.
        case taken
        /// The server answered otherwise.
        case refused
        /// Nobody answered in time.
        case nothing
    }

    /// Posts a notification.
    func post(_ notification: SignedNotification) async -> Answer {
        do {
            _ = try await client.call(endpoint, NotificationRequest(signedPayload: notification))
            return .taken
        } catch {
            switch error {
            case .unintelligible(let status): return (200...206).contains(status) ? .taken : .refused
            case .refused: return .refused
            case .unreachable: return .nothing
            }
        }
    }
}
