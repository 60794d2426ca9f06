import Foundation
import FoundationExtras
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Synchronization
import Testing

@testable import PurchaseServer
@testable import PurchaseStorage

/// A transport that records the messages, and answers as a test decides.
final class FakeReceiver: WebhookTransport {
    private let requests = Mutex<[WebhookRequest]>([])
    private let answer: Mutex<@Sendable (WebhookRequest) -> WebhookResponse>

    init(_ answer: @escaping @Sendable (WebhookRequest) -> WebhookResponse = { _ in .status(200) }) {
        self.answer = Mutex(answer)
    }

    /// Replaces the answer to later messages.
    func answers(_ answer: @escaping @Sendable (WebhookRequest) -> WebhookResponse) {
        self.answer.withLock { $0 = answer }
    }

    func post(_ request: WebhookRequest, within timeout: Duration) async throws(CancellationError) -> WebhookResponse {
        requests.withLock { $0.append(request) }
        return answer.withLock { $0 }(request)
    }

    var received: [WebhookRequest] { requests.withLock { $0 } }
    var messages: [String] { received.map(\.message) }

    /// Returns the messages since the last call.
    func take() -> [WebhookRequest] {
        requests.withLock { requests in
            defer { requests = [] }
            return requests
        }
    }
}

extension WebhookRequest {
    var message: String { headers["webhook-id"] ?? "" }
    var customer: CustomerID? { event?.customer }
    var event: FeedEvent? { try? WireJSON.decode(FeedEvent.self, from: Data(body)) }
}

/// A resolver with the addresses of a test.
struct FakeResolver: HostResolver {
    var all: [String: [String]] = ["receiver.example": ["93.184.216.34"]]

    func addresses(of host: String) async -> [String] { all[host] ?? [] }
}

extension Shop {
    static let receiver = "https://receiver.example/hook"

    var webhooks: WebhookService { get throws { try #require(server.apps[.test]?.webhooks) } }

    /// Returns the sender of the app with a receiver, and a clock without pauses.
    func sender(_ receiver: any WebhookTransport) throws -> WebhookSender {
        var sender = try #require(server.apps[.test]?.webhookSender)
        sender.transport = receiver
        sender.hosts = WebhookHosts(.public, resolver: FakeResolver(), clock: clock)
        sender.random = { 1 }
        return sender
    }

    /// Creates an endpoint, and returns its identifier.
    func createWebhook(_ types: [String]? = nil) async throws -> String {
        try await webhooks.create(CreateWebhookRequest(url: Self.receiver, types: types)).webhook.id
    }

    /// Records the purchase of a book by a customer, with two events.
    func sell(_ number: Int, to customer: CustomerID = customer) async throws {
        try await record(
            .bookSale.with {
                ($0.transactionId, $0.originalTransactionId) = (TransactionID("\(number)"), TransactionID("\(number)"))
                $0.appAccountToken = customer
            })
    }
}

extension WebhookSender {
    /// Creates the deliveries of new events, and sends the due messages, as the background service does.
    func run(_ id: String, publishing feed: FeedService) async throws {
        try await feed.publish()
        try await enqueue(to: id)
        try await send(to: id)
    }
}
