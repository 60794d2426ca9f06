import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseProtocol
import PurchaseTestSupport
import Testing
import WireClient

@testable import WireServer

@Suite struct WireServerTests {
    private static let echo = Endpoint<SpendRequest, SpendRequest>(.post, "/echo/{who}")
    private static let named = Endpoint<Empty, WireError>(.get, "/named/{who}")
    private static let refusal = "The who in the address is not percent-encoded UTF-8."
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
        (#"{"spending":"a","amount":1}"#, HTTPResponse.Status.ok, nil),
        (#"{"spending":"a","amount":"one"}"#, .badRequest, "body.unreadable"),
        (#"{"spending":"a"}"#, .badRequest, "body.unreadable"),
        ("not json", .badRequest, "body.unreadable"),
        ("", .badRequest, "body.unreadable"),
        (String(repeating: " ", count: 201), .contentTooLarge, "body.too-large"),
    ])
    func `a body that is not the endpoint's request is refused with a code`(
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

    @Test func `an unknown address is refused in the wire's form`() async throws {
        try await application().test(.router) { client in
            try await client.execute(uri: "/nowhere", method: .get) { response in
                #expect(response.status == .notFound)
                let error = try WireJSON.decode(WireError.self, from: Data(buffer: response.body))
                #expect(error.code == "http.404")
            }
        }
    }

    @Test(arguments: [
        (404, "POST /status/404 is not an address of this server."), (405, "POST is not a method of /status/405."),
        (401, "Unauthorized."), (402, "The request was refused with status 402."),
    ])
    func `a status without a sentence gets one that is true`(_ status: Int, _ message: String) async throws {
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
    func `a method that an address does not have is refused with those that it has`(
        _ uri: String, _ method: HTTPRequest.Method, _ allowed: String
    ) async throws {
        try await application().test(.router) { client in
            try await client.execute(uri: uri, method: method) { response in
                #expect(response.status == .methodNotAllowed && response.headers[.allow] == allowed)
                let path = uri.prefix { $0 != "?" }
                let error = try WireJSON.decode(WireError.self, from: Data(buffer: response.body))
                #expect(error == WireError(code: "http.405", message: "\(method) is not a method of \(path)."))
            }
        }
    }

    @Test func `HEAD is answered as GET is, without the body`() async throws {
        try await application().test(.live) { client in
            let whole = try await client.execute(uri: "/named/x", method: .get)
            let told = try await client.execute(uri: "/named/x", method: .head)
            #expect(told.status == .ok && told.body.readableBytes == 0)
            #expect(told.headers[.contentLength] == "\(whole.body.readableBytes)")
            #expect(told.headers[.contentType] == whole.headers[.contentType])
            // No refusal has a body either, which the client would take for the beginning of the next answer.
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
    func `a part of the path is decoded once, or refused with a code`(
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

    @Test func `an unexpected error tells the caller nothing of its text`() async throws {
        try await application().test(.router) { client in
            try await client.execute(uri: "/failing", method: .get) { response in
                #expect(response.status == .serviceUnavailable)
                #expect(!String(buffer: response.body).contains("hunter2"))
            }
        }
    }

    @Test func `a client calls what a server mounts`() async throws {
        try await application().test(.live) { client in
            let port = try #require(client.port)
            let wire = WireClient(baseURL: "http://127.0.0.1:\(port)/")
            let answer = try await wire.call(Self.echo, SpendRequest(spending: "ä/?", amount: 3), parameters: ["who": "a b/c"])
            #expect(answer == SpendRequest(spending: "ä/?", amount: 3))
            let refused = await #expect(throws: WireClientError.self) {
                try await wire.call(
                    Self.echo, SpendRequest(spending: String(repeating: "x", count: 300), amount: 1), parameters: ["who": "me"])
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
        (.unintelligible(status: 200), true),
        (.unintelligible(status: 404), true),
        (.refused(status: 503, WireError(code: "a", message: "b")), true),
        (.refused(status: 429, WireError(code: "a", message: "b")), true),
        (.refused(status: 403, WireError(code: "a", message: "b")), false),
    ])
    func `only who was asked can refuse for good`(_ error: WireClientError, _ isPassing: Bool) {
        #expect(error.isPassing == isPassing)
    }

    @Test func `nobody listening is told apart from being refused`() async throws {
        // Port 1 is reserved, and nothing listens there on a loopback address.
        let wire = WireClient(baseURL: "http://127.0.0.1:1")
        await #expect(throws: WireClientError.unreachable) { try await wire.call(Self.failing, Empty()) }
    }
}
