import Foundation
import FoundationExtras
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import PurchaseTestSupport
import Testing
import Wire
import WireClient

@testable import WireServer

@Suite struct WireServerTests {
    private struct Debit: Codable, Hashable, Sendable {
        var idempotencyKey: String
        var amount: Int
    }

    private static let echo = Endpoint<Debit, Debit>(.post, "/echo/{who}")
    private static let named = Endpoint<Empty, WireError>(.get, "/named/{who}")
    private static let refusal = "The parameter who in the URL is not percent-encoded UTF-8. Correct it."
    private static let failing = Endpoint<Empty, Empty>(.get, "/failing")

    private struct Secret: Error {
        let text = "the password is hunter2"
    }

    private func application(onServerRunning: @escaping @Sendable (Int) async -> Void = { _ in }) -> some ApplicationProtocol {
        let router = Router(options: .autoGenerateHeadEndpoints)
        router.add(middleware: WireErrorMiddleware())
        router.mount(Self.echo, limit: 200) { body, _, _ in body }
        router.mount(Self.named) { _, _, context in WireError(code: "named", message: try context.parameter("who")) }
        router.post("/status/:code") { _, context -> Response in
            let code = try context.parameters.require("code", as: Int.self)
            throw HTTPError([.notFound, .methodNotAllowed, .unauthorized].first { $0.code == code } ?? .init(code: code))
        }
        router.mount(Self.failing) { _, _, _ in throw Secret() }
        router.refuseOtherMethods()
        return Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { await onServerRunning($0.localAddress?.port ?? 0) }
        )
    }

    @Test(arguments: [
        (#"{"idempotencyKey":"a","amount":1}"#, HTTPResponse.Status.ok, nil),
        (#"{"idempotencyKey":"a","amount":"one"}"#, .badRequest, "body.unreadable"),
        (#"{"idempotencyKey":"a"}"#, .badRequest, "body.unreadable"),
        ("not json", .badRequest, "body.unreadable"),
        ("", .badRequest, "body.unreadable"),
        (String(repeating: " ", count: 201), .contentTooLarge, "body.too-large"),
    ])
    func `a body that is not the endpoint's request is refused with an error code`(
        _ body: String, _ status: HTTPResponse.Status, _ code: String?
    ) async throws {
        try await application().test(.router) { client in
            try await client.execute(uri: "/echo/me", method: .post, body: ByteBuffer(string: body)) { response in
                #expect(response.status == status)
                let error = try? WireJSON.decode(WireError.self, from: Data(buffer: response.body))
                #expect(error?.code == code)
            }
        }
    }

    @Test func `an unknown path is refused with a JSON error`() async throws {
        try await application().test(.router) { client in
            try await client.execute(uri: "/nowhere", method: .get) { response in
                #expect(response.status == .notFound)
                let error = try WireJSON.decode(WireError.self, from: Data(buffer: response.body))
                #expect(error.code == "http.404")
            }
        }
    }

    @Test(arguments: [
        (404, "This server has no endpoint POST /status/404."), (405, "/status/405 does not support the method POST."),
        (401, "Unauthorized."), (402, "The request was refused with status 402."),
    ])
    func `an HTTP error without a message gets an accurate message`(_ status: Int, _ message: String) async throws {
        try await application().test(.router) { client in
            try await client.execute(uri: "/status/\(status)", method: .post) { response in
                #expect(response.status.code == status)
                let error = try WireJSON.decode(WireError.self, from: Data(buffer: response.body))
                #expect(error == WireError(code: "http.\(status)", message: message))
            }
        }
    }

    @Test(arguments: [
        ("/echo/me", HTTPRequest.Method.get, "POST"), ("/echo/a%2Fb", .delete, "POST"), ("/failing", .post, "GET, HEAD"),
        ("/named/x?y=z", HTTPRequest.Method(rawValue: "BREW") ?? .trace, "GET, HEAD"),
    ])
    func `an unsupported method is refused with the allowed methods`(
        _ uri: String, _ method: HTTPRequest.Method, _ allowed: String
    ) async throws {
        try await application().test(.router) { client in
            try await client.execute(uri: uri, method: method) { response in
                #expect(response.status == .methodNotAllowed && response.headers[.allow] == allowed)
                let path = uri.prefix { $0 != "?" }
                let error = try WireJSON.decode(WireError.self, from: Data(buffer: response.body))
                #expect(error == WireError(code: "http.405", message: "\(path) does not support the method \(method)."))
            }
        }
    }

    @Test func `HEAD has the response of GET without the body`() async throws {
        try await application().test(.live) { client in
            let whole = try await client.execute(uri: "/named/x", method: .get)
            let headResponse = try await client.execute(uri: "/named/x", method: .head)
            #expect(headResponse.status == .ok && headResponse.body.readableBytes == 0)
            #expect(headResponse.headers[.contentLength] == "\(whole.body.readableBytes)")
            #expect(headResponse.headers[.contentType] == whole.headers[.contentType])
            // An error response to HEAD has no body. A client would read a body as the beginning of the next response.
            for (uri, status) in [("/named/%FF", HTTPResponse.Status.badRequest), ("/echo/me", .methodNotAllowed), ("/nowhere", .notFound)]
            {
                let refused = try await client.execute(uri: uri, method: .head)
                #expect(refused.status == status && refused.body.readableBytes == 0)
            }
        }
    }

    @Test(arguments: [
        ("a%20b%2Fc", HTTPResponse.Status.ok, "named", "a b/c"), ("%2541", .ok, "named", "%41"), ("a+b", .ok, "named", "a+b"),
        ("%FF", .badRequest, "path.unreadable", Self.refusal), ("%4", .badRequest, "path.unreadable", Self.refusal),
        ("%zz", .badRequest, "path.unreadable", Self.refusal),
    ])
    func `a path component is decoded once or refused with an error code`(
        _ part: String, _ status: HTTPResponse.Status, _ code: String, _ message: String
    ) async throws {
        try await application().test(.router) { client in
            try await client.execute(uri: "/named/\(part)", method: .get) { response in
                #expect(response.status == status)
                let answer = try WireJSON.decode(WireError.self, from: Data(buffer: response.body))
                #expect(answer == WireError(code: code, message: message))
            }
        }
    }

    @Test func `the response to an unexpected error does not contain its description`() async throws {
        try await application().test(.router) { client in
            try await client.execute(uri: "/failing", method: .get) { response in
                #expect(response.status == .serviceUnavailable)
                #expect(!String(buffer: response.body).contains("hunter2"))
            }
        }
    }

    @Test func `a client calls an endpoint that a server mounts`() async throws {
        try await application().test(.live) { client in
            let port = try #require(client.port)
            let wire = WireClient(baseURL: "http://127.0.0.1:\(port)/")
            let answer = try await wire.call(Self.echo, Debit(idempotencyKey: "ä/?", amount: 3), parameters: ["who": "a b/c"])
            #expect(answer == Debit(idempotencyKey: "ä/?", amount: 3))
            let refused = await #expect(throws: WireClientError.self) {
                try await wire.call(
                    Self.echo, Debit(idempotencyKey: String(repeating: "x", count: 300), amount: 1), parameters: ["who": "me"])
            }
            guard case .refused(413, let error) = refused else {
                Issue.record("expected a refusal, got \(String(describing: refused))")
                return
            }
            #expect(error.code == "body.too-large")
        }
    }

    @Test(arguments: [
        (WireClientError.unreachable, true),
        (.invalidResponse(status: 200), true),
        (.invalidResponse(status: 404), true),
        (.refused(status: 503, WireError(code: "a", message: "b")), true),
        (.refused(status: 429, WireError(code: "a", message: "b")), true),
        (.refused(status: 403, WireError(code: "a", message: "b")), false),
    ])
    func `only a client error from the server is not retryable`(_ error: WireClientError, _ isRetryable: Bool) {
        #expect(error.isRetryable == isRetryable)
    }

    @Test func `a closed port is unreachable, not refused`() async throws {
        // Port 1 is reserved, and nothing listens there on a loopback address.
        let wire = WireClient(baseURL: "http://127.0.0.1:1")
        await #expect(throws: WireClientError.unreachable) { try await wire.call(Self.failing, Empty()) }
    }
}
