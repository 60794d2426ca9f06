import ProcessTestSupport
import PurchaseTestSupport
import Testing

/// Tests that send malformed or incomplete HTTP to the built `tillroll-server`.
@Suite struct RequestShapeTests {
    private static let host = "Host: 127.0.0.1\r\nConnection: close\r\n"
    private static let long = String(repeating: "a", count: 100_000)
    private static let shapes: [String] = [
        "GET /\(long) HTTP/1.1\r\n\(host)\r\n",
        "GET / HTTP/1.1\r\nX: \(long)\r\n\(host)\r\n",
        "GET / HTTP/1.1\r\n\(String(repeating: "X: y\r\n", count: 2_000))\(host)\r\n",
        "GET / HTTP/1.1\r\nX: a\u{0}b\r\n\(host)\r\n",
        "GET /\u{0} HTTP/1.1\r\n\(host)\r\n",
        "GET /é HTTP/1.1\r\n\(host)\r\n",
        "GET / HTTP/9.9\r\n\(host)\r\n",
        "BREW / HTTP/1.1\r\n\(host)\r\n",
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\r\n\r\n",
        "POST /v1/notifications HTTP/1.1\r\nContent-Length: -5\r\n\(host)\r\n",
        "POST /v1/notifications HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\(host)\r\n",
        "POST /v1/notifications HTTP/1.1\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\(host)\r\n0\r\n\r\n",
        "POST /v1/notifications HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\(host)\r\nzz\r\n",
    ]

    @Test func `a malformed request is refused with 400, and the next request is served`() async throws {
        try await RunningServer.with { server in
            for shape in Self.shapes {
                let answer = try await RawClient.send(shape, to: server.port)
                #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(shape.prefix(60)): \(answer.prefix(200))")
                #expect(answer.lowercased().contains("\r\ntillroll-request-id: "), "\(shape.prefix(60)): \(answer.prefix(200))")
                let health = try await RawClient.send("GET /health HTTP/1.1\r\n\(Self.host)\r\n", to: server.port)
                #expect(health.hasPrefix("HTTP/1.1 200 "))
            }
        }
    }
}
