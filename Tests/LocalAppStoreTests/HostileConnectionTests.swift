import HTTPTypes
import HummingbirdTesting
import PurchaseModel
import PurchaseTestSupport
import StoreTestSupport
import Testing

@testable import LocalAppStore

/// Tests that send malformed or incomplete HTTP to a store over a socket.
@Suite struct HostileConnectionTests {
    private static let host = "Host: 127.0.0.1\r\nConnection: close\r\n"
    private static let long = String(repeating: "a", count: 100_000)

    /// Raw requests with the expected status.
    ///
    /// A response of status 400 may be lost if the store closes the connection early.
    private static let requests: [(String, Int)] = [
        ("GET /\(long) HTTP/1.1\r\n\(host)\r\n", 400),
        ("GET / HTTP/1.1\r\nX: \(long)\r\n\(host)\r\n", 400),
        ("GET / HTTP/1.1\r\n\(String(repeating: "X: y\r\n", count: 2_000))\(host)\r\n", 400),
        ("GET / HTTP/1.1\r\nX: a\u{0}b\r\n\(host)\r\n", 400),
        ("GET /\u{0} HTTP/1.1\r\n\(host)\r\n", 400),
        ("GET /é HTTP/1.1\r\n\(host)\r\n", 400),
        ("GET / HTTP/9.9\r\n\(host)\r\n", 400),
        ("BREW / HTTP/1.1\r\n\(host)\r\n", 400),
        ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}", 400),
        ("GET \(String(repeating: "/", count: 10_000))x HTTP/1.1\r\n\(host)\r\n", 404),
        ("GET /console/../../../../etc/passwd HTTP/1.1\r\n\(host)\r\n", 404),
        ("GET /control/v1/accounts/%zz/charges HTTP/1.1\r\n\(host)\r\n", 400),
        ("GET /control/v1/accounts/%/charges HTTP/1.1\r\n\(host)\r\n", 400),
        ("GET /control/v1/accounts/%00/charges HTTP/1.1\r\n\(host)\r\n", 400),
        ("GET /control/v1/events?after=-9223372036854775808&limit=1 HTTP/1.1\r\n\(host)\r\n", 400),
        ("GET /control/v1/events?after=9223372036854775807 HTTP/1.1\r\n\(host)\r\n", 200),
        ("POST /verifyReceipt HTTP/1.1\r\nContent-Length: -5\r\n\(host)\r\n", 400),
        ("POST /verifyReceipt HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\(host)\r\n", 400),
        ("POST /verifyReceipt HTTP/1.1\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\(host)\r\n0\r\n\r\n", 400),
        ("POST /control/v1/accounts HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\(host)\r\nzz\r\n", 400),
        ("POST /stores HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\(host)\r\nzz\r\n", 400),
        ("POST /ocsp HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\(host)\r\nzz\r\n", 400),
        ("POST /verifyReceipt HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\(host)\r\nzz\r\n", 200),
    ]

    @Test(arguments: requests) func `a hostile request gets its status, and the next request is served`(_ request: String, _ status: Int)
        async throws
    {
        try await StoreHarness.run(over: .live) { harness in
            let port = try #require(harness.client?.port)
            let answer = try await RawClient.send(request, to: port)
            #expect(answer.isEmpty && status == 400 || answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer.prefix(300))")
            #expect(try await harness.send(.get, "/store").status == .ok)
        }
    }

    @Test func `an incomplete request has no effect`() async throws {
        try await StoreHarness.run(over: .live) { harness in
            let port = try #require(harness.client?.port)
            _ = try await harness.signIn()
            let body = #"{"account":"ada@example.com","productID":"com.example.monkeyshop.credits5"}"#
            let head =
                "POST /control/v1/purchases HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(body.utf8.count + 1)\r\nExpect: 100-continue\r\n\r\n"
            for _ in 0..<20 {
                // Closes the connection after `100 Continue`, with one byte of the body missing.
                let answer = try await RawClient.send(head + body, to: port) { _ in true }
                #expect(answer.hasPrefix("HTTP/1.1 100 "))
            }
            #expect(try await harness.charges().isEmpty)
            #expect(try await harness.send(.get, "/store").status == .ok)
        }
    }

    @Test func `a request that expects 100-continue gets it before the response`() async throws {
        try await StoreHarness.run(over: .live) { harness in
            let port = try #require(harness.client?.port)
            let head = "POST /verifyReceipt HTTP/1.1\r\n\(Self.host)Expect: 100-continue\r\nContent-Length: 2\r\n\r\n"
            let answer = try await RawClient.send(head + "{}", to: port)
            #expect(answer.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"))
            #expect(answer.hasSuffix(#"{"status":21002}"#))
            let refused = try await RawClient.send(head.replacing("100-continue", with: "unknown") + "{}", to: port)
            #expect(refused.hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
    }

    @Test(arguments: [
        ("/device/v1/sign-in", "413", #""code":"body.too-large""#), ("/control/v1/purchases", "413", #""code":"body.too-large""#),
        ("/stores", "413", #""code":"body.too-large""#), ("/ocsp", "413", #""code":"body.too-large""#),
        ("/verifyReceipt", "200", #"{"status":21002}"#),
    ])
    func `a chunked body over the size limit is refused`(_ path: String, _ status: String, _ word: String) async throws {
        try await StoreHarness.run(over: .live) { harness in
            let port = try #require(harness.client?.port)
            let part = "10000\r\n" + String(repeating: "x", count: 65_536) + "\r\n"
            let body = String(repeating: part, count: 129) + "0\r\n\r\n"
            let head = "POST \(path) HTTP/1.1\r\n\(Self.host)Transfer-Encoding: chunked\r\n\r\n"
            let answer = try await RawClient.send(head + body, to: port)
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
            #expect(answer.contains(word), "\(answer)")
        }
    }
}
