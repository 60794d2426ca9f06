import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import PurchaseTestSupport
import Testing

@testable import LocalAppStore

@Suite struct ControlAccessTests {
    /// Sends a request to a new store and returns the parts of the response.
    private func status(
        _ uri: String, method: HTTPRequest.Method = .get, host: String? = "localhost", headers: HTTPFields = [:],
        body: String = #"{"seconds":1}"#, token: String? = nil, listeningOn hostname: String = "127.0.0.1"
    ) async throws -> (status: Int, cookie: String?, location: String?, text: String) {
        let configuration = LocalAppStoreConfiguration(bundleID: .test, catalog: .empty, database: .memory)
        let store = try await LocalAppStore(configuration: configuration, logger: .silent)
        let page: @Sendable (Router<StoreRequestContext>) -> Void = { router in
            router.get("console") { _, _ in "the page" }
            router.get("console/{file}") { _, _ in "a file" }
        }
        let responder = StoreHost(singleStore: store).responder(ControlAccess(token: token, hostname: hostname), page: "console/", page)
        let application = Application(responder: AuthorityOverride(host: host, responder: responder), logger: .silent)
        let body = method == .post ? ByteBuffer(string: body) : nil
        return try await application.test(.router) { client in
            let response = try await client.execute(uri: uri, method: method, headers: headers, body: body)
            return (response.status.code, response.headers[.setCookie], response.headers[.location], String(buffer: response.body))
        }
    }

    /// A responder that replaces the authority of each request.
    private struct AuthorityOverride: HTTPResponder {
        var host: String?
        var responder: StoreResponder

        func respond(to request: Request, context: StoreRequestContext) async throws -> Response {
            var head = request.head
            head.authority = host
            return try await responder.respond(to: Request(head: head, body: request.body), context: context)
        }
    }

    @Test(arguments: ["localhost", "localhost:8080", "127.0.0.1", "127.0.0.1:8080", "127.9.9.9", "[::1]:8080", "shop.localhost:1", nil])
    func `without a token, requests to a loopback host are allowed`(_ host: String?) async throws {
        #expect(try await status("/control/v1/clock", host: host).status == 200)
    }

    @Test(
        arguments: [
            "evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "192.168.1.2:8080", "127.0.0.1.",
            "1.127.0.0", "[::2]",
        ],
        ["/control/v1/clock", "/stores", "/store", "/stores/x", "/stores/x/control/v1/clock", "/console", "//control/v1/clock"])
    func `without a token, requests to another host name are refused against DNS rebinding`(_ host: String, _ uri: String) async throws {
        #expect(try await status(uri, host: host).status == 403)
    }

    @Test(arguments: ["http://localhost:3000", "http://evil.example", "null", "https://localhost.evil"])
    func `a page of another origin can change nothing`(_ origin: String) async throws {
        let foreign: HTTPFields = [.origin: origin]
        #expect(try await status("/control/v1/clock/advance", method: .post, headers: foreign).status == 403)
        let ours: HTTPFields = [.origin: "http://localhost:8080"]
        #expect(try await status("/control/v1/clock/advance", method: .post, host: "localhost:8080", headers: ours).status == 200)
    }

    @Test(arguments: ["/control/v1/clock", "/control/v1/events", "/stores", "/stores/default", "/store", "/console", "/stores/x/console"])
    func `with a token, the control API and the console require it on every host`(_ uri: String) async throws {
        #expect(try await status(uri, token: "sesame").status == 401)
        #expect(try await status(uri, headers: [.authorization: "Bearer simsim"], token: "sesame").status == 401)
        #expect(try await status("\(uri)?token=simsim", token: "sesame").status == 401)
        let shown = try await status(uri, host: "store.example", headers: [.authorization: "Bearer sesame"], token: "sesame")
        #expect(shown.status == 200 || shown.status == 404)
    }

    @Test func `the token in the console's URL sets a cookie that authorizes later requests`() async throws {
        let opened = try await status("/console?token=sesame", host: "store.example:8080", token: "sesame")
        #expect(opened.status == 200)
        let cookie = try #require(opened.cookie)
        #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict") && cookie.contains("Path=/"))
        #expect(!cookie.contains("sesame"))
        let pair = String(cookie.prefix { $0 != ";" })
        let shown = try await status("/control/v1/clock", host: "store.example:8080", headers: [.cookie: pair], token: "sesame")
        #expect(shown.status == 200)
        let elsewhere = try await status("/control/v1/clock", host: "store.example:8080", headers: [.cookie: pair], token: "other")
        #expect(elsewhere.status == 401)
        #expect(try await status("/control/v1/clock?token=sesame", token: "sesame").status == 401)
    }

    @Test(arguments: [
        ("/console", "console/sign-in"), ("/console/", "sign-in"), ("/stores/default/console/", "sign-in"),
        ("/console?token=simsim", "console/sign-in?wrong"),
    ])
    func `a browser without a valid token is redirected to the sign-in page`(_ uri: String, _ location: String) async throws {
        let answer = try await status(uri, headers: [.accept: "text/html,*/*"], token: "sesame")
        #expect(answer.status == 303)
        #expect(answer.location == location)
        // The sign-in page and its assets need no token, because they contain no data of the store.
        #expect(try await status("/console/sign-in", token: "sesame").text == "a file")
    }

    @Test func `signing in with the token sets a cookie that authorizes later requests`() async throws {
        let right = try await status(
            "/console/session", method: .post, host: "store.example", body: #"{"token":"sesame"}"#, token: "sesame")
        #expect(right.status == 200)
        let cookie = try #require(right.cookie)
        #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
        let pair = String(cookie.prefix { $0 != ";" })
        let shown = try await status("/control/v1/clock", host: "store.example", headers: [.cookie: pair], token: "sesame")
        #expect(shown.status == 200)
    }

    @Test(arguments: [
        (#"{"token":"simsim"}"#, 401), (#"{"token":""}"#, 401), ("{}", 400), ("token=sesame", 400),
        (#"{"token":"\#(String(repeating: "s", count: 5_000))"}"#, 413),
    ])
    func `signing in with a wrong token or an invalid body sets no cookie`(_ body: String, _ code: Int) async throws {
        let wrong = try await status("/console/session", method: .post, body: body, token: "sesame")
        #expect(wrong.status == code)
        #expect(wrong.cookie == nil)
        #expect(!wrong.text.contains("sesame"))
    }

    @Test func `a page of another origin cannot sign in`() async throws {
        let foreign = try await status(
            "/console/session", method: .post, headers: [.origin: "http://evil.example"], body: #"{"token":"sesame"}"#, token: "sesame")
        #expect(foreign.status == 403)
        #expect(foreign.cookie == nil)
    }

    @Test func `a refused browser gets a text that explains the reason`() async throws {
        let closed = try await status("/console/", headers: [.accept: "text/html"], listeningOn: "0.0.0.0")
        #expect(closed.status == 403)
        #expect(closed.text.hasPrefix("This store is reachable from other machines"))
        let renamed = try await status("/console/", host: "evil.example", headers: [.accept: "text/html"])
        #expect(renamed.status == 403)
        #expect(renamed.text.hasPrefix("A store without a token accepts only host names of this machine"))
    }

    @Test(arguments: ["0.0.0.0", "192.168.1.2", "store.example", "::"])
    func `without a token, a store that listens on other interfaces refuses the control API`(_ hostname: String) async throws {
        #expect(try await status("/control/v1/clock", listeningOn: hostname).status == 403)
        #expect(try await status("/control/v1/clock", headers: [.authorization: "Bearer "], listeningOn: hostname).status == 403)
    }

    @Test func `the device API and Apple's APIs need no control token`() async throws {
        for hostname in ["127.0.0.1", "0.0.0.0"] {
            let receipt = try await status("/sandbox/verifyReceipt", host: "buy.itunes.apple.com", token: "sesame", listeningOn: hostname)
            #expect(receipt.status != 401 && receipt.status != 403)
            let front = try await status("/", host: "store.example", token: "sesame", listeningOn: hostname)
            #expect(front.status == 200)
        }
    }

    @Test func `a browser at the root path is redirected to the console`() async throws {
        #expect(try await status("/", headers: [.accept: "text/html,application/xhtml+xml,*/*;q=0.8"]).status == 302)
        #expect(try await status("/stores/none/", headers: [.accept: "text/html"]).status == 404)
        #expect(try await status("/", headers: [.accept: "*/*"]).status == 200)
    }
}
