import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import PurchaseModel
import StoreControl
import Synchronization
import Testing

/// Tests of the client's streams, also with a server whose connections break.
@Suite(.timeLimit(.minutes(10))) struct StoreStreamTests {
    /// Runs `body` with a client of a server that answers the path and the query of each request with a text.
    private static func serve(
        _ answer: @escaping @Sendable (String) -> String, _ body: @Sendable (StoreClient) async throws -> Void
    ) async throws {
        let router = Router()
        router.get("/**") { request, _ in
            Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: answer(request.uri.string))))
        }
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)))
        try await application.test(.live) { client in
            let url = try #require(HTTPURL("http://127.0.0.1:\(client.port ?? 0)"))
            try await body(StoreClient(url: url))
        }
    }

    /// Returns a request of the store's log as JSON.
    private static func request(_ id: Int) -> String {
        #"{"id":\#(id),"date":0,"method":"POST","path":"/","environment":"Sandbox","status":200,"microseconds":1}"#
    }

    @Test func `an event that can't be decoded is an error and not a loss`() async throws {
        try await Self.serve { _ in
            "data: {}\n\n"
        } _: { store in
            await #expect(throws: StoreControlError.invalidResponse(store.url, status: 200)) {
                for try await _ in store.events() {}
            }
        }
    }

    @Test func `requests between two connections are not lost, also before the first element`() async throws {
        let connections = Mutex<[String]>([])
        try await Self.serve { uri in
            guard uri.contains("/stream") else { return #"{"requests":[\#(uri.contains("limit=1") ? Self.request(7) : "")]}"# }
            let count = connections.withLock { connections -> Int in
                connections.append(uri)
                return connections.count
            }
            return count == 1 ? ": no requests\n\n" : "data: \(Self.request(8))\n\n"
        } _: { store in
            var query = RequestQuery()
            query.limit = 0
            var iterator = store.requestStream(query).makeAsyncIterator()
            let request = try await iterator.next()
            #expect(request?.id == 8)
        }
        let expected = "/control/v1/requests/stream?after=7&limit=500"
        #expect(connections.withLock { $0 } == [expected, expected])
    }

    @Test func `a stream of requests after a position begins with the newest ones`() async throws {
        try await withStore { store in
            let address = try await store.description().sandboxVerifyReceipt
            for _ in 0..<3 { _ = try await postStatus(address) }
            var query = RequestQuery()
            query.surfaces = [.verifyReceipt]
            let all = try await store.requests(query).map(\.id)
            query.after = try #require(all.first)
            query.limit = 1
            var iterator = store.requestStream(query).makeAsyncIterator()
            let newest = try await iterator.next()
            #expect(newest?.id == all.last)
            _ = try await postStatus(address)
            let next = try await iterator.next()
            let last = try await store.requests(query).last
            #expect(next == last && next != newest)
        }
    }
}
