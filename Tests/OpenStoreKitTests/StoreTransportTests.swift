import Foundation
import PurchaseModel
import StoreProtocol
import Testing
import Wire
import WireClient

@testable import OpenStoreKit

/// The device protocol over a custom transport.
@Suite struct StoreTransportTests {
    /// A transport that returns the same response to every request.
    private struct StubTransport: StoreTransport {
        var response: StoreResponse?
        var stream: StoreResponseStream?

        func send(_ request: StoreRequest) async throws(StoreTransportError) -> StoreResponse {
            guard let response else { throw .unreachable }
            return response
        }

        func open(_ request: StoreRequest) async throws(StoreTransportError) -> StoreResponseStream? { stream }
    }

    private func stream(_ status: Int, _ headers: [String: String], _ parts: String...) -> StoreResponseStream {
        let body = AsyncThrowingStream<Data, any Error> { continuation in
            for part in parts { continuation.yield(Data(part.utf8)) }
            continuation.finish()
        }
        return StoreResponseStream(status: status, headers: headers, body: body)
    }

    private func failure(_ body: () async throws -> Void) async -> WireClientError? {
        do { try await body() } catch { return error as? WireClientError }
        return nil
    }

    @Test(arguments: [
        (nil, WireClientError.unreachable),
        (#"{"error":{"code":"a.b","message":"No."}}"#, .refused(status: 409, WireError(code: "a.b", message: "No."))),
        ("<html>", .invalidResponse(status: 409)),
    ])
    func `a store's refusal is distinguished from an invalid response`(_ body: String?, _ error: WireClientError) async {
        let transport = StubTransport(response: body.map { StoreResponse(status: 409, body: Data($0.utf8)) })
        #expect(
            await failure { _ = try await transport.call(DeviceEndpoints.products, ProductsRequest(productIDs: []), token: nil) } == error)
    }

    @Test func `a success response that can't be decoded is an invalid response`() async {
        let transport = StubTransport(response: StoreResponse(status: 200, body: Data("[]".utf8)))
        let error = await failure { _ = try await transport.call(DeviceEndpoints.products, ProductsRequest(productIDs: []), token: nil) }
        #expect(error == .invalidResponse(status: 200))
    }

    @Test func `a transport without streaming has no events and no content`() async throws {
        #expect(try await StubTransport().events(token: "t") == nil)
        let error = await failure {
            _ = try await StubTransport().content(ContentRequest(transaction: "1", offset: 0, entityTag: nil), token: "t")
        }
        #expect(error == .unreachable)
    }

    @Test func `content continues at the requested byte, restarts, or is refused`() async throws {
        let request = ContentRequest(transaction: "1", offset: 5, entityTag: #""x""#)
        let rest = stream(206, ["content-range": "bytes 5-9/10", "ETag": #""x""#], "world")
        let reply = try await StubTransport(stream: rest).content(request, token: "t")
        #expect(reply.offset == 5 && reply.length == 10 && reply.entityTag == #""x""#)
        let whole = try await StubTransport(stream: stream(200, ["Content-Length": "10"], "helloworld")).content(request, token: "t")
        #expect(whole.offset == 0 && whole.length == 10)
        let hole = stream(206, ["Content-Range": "bytes 7-9/10"], "rld")
        #expect(await failure { _ = try await StubTransport(stream: hole).content(request, token: "t") } == .invalidResponse(status: 206))
        let refusal = stream(416, [:], #"{"error":{"code":"a","#, #""message":"No."}}"#)
        let error = await failure { _ = try await StubTransport(stream: refusal).content(request, token: "t") }
        #expect(error == .refused(status: 416, WireError(code: "a", message: "No.")))
    }

    @Test func `events are decoded from chunks of any size, and a line beyond the limit is refused`() {
        var decoder = EventStreamDecoder()
        let text = "id: 1\ndata: {\"a\":1}\n\n: ping\ndata: ü\n"
        var found: [String] = []
        for byte in text.utf8 { found += (decoder.decode(Data([byte])) ?? []).map { String(decoding: $0, as: UTF8.self) } }
        #expect(found == [#"{"a":1}"#, "ü"])
        #expect(decoder.decode(Data("data: 1\ndata: 2\nda".utf8))?.count == 2)
        #expect(decoder.decode(Data(repeating: 0, count: EventStreamDecoder.limit)) == nil)
    }
}
