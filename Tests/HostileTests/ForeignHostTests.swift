import Foundation
import ProcessTestSupport
import PurchaseTestSupport
import Testing

/// Tests of DNS rebinding: requests to this machine with a foreign host name.
@Suite(.timeLimit(.minutes(10))) struct ForeignHostTests {
    /// Sends `GET path` with the given `Host` header and returns the response.
    private func get(_ path: String, host: String, origin: String? = nil, _ port: Int) async throws -> String {
        let origin = origin.map { "Origin: \($0)\r\n" } ?? ""
        return try await RawClient.send("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\(origin)Connection: close\r\n\r\n", to: port)
    }

    private func expectOnlyLoopback(_ path: String, _ port: Int, at sourceLocation: SourceLocation = #_sourceLocation) async throws {
        for host in ["127.0.0.1:\(port)", "localhost:\(port)", "[::1]:\(port)"] {
            #expect(try await get(path, host: host, port).hasPrefix("HTTP/1.1 200 "), "\(host)", sourceLocation: sourceLocation)
        }
        for host in ["evil.example", "evil.example:\(port)", "127.0.0.1.evil.example", "192.168.1.2"] {
            let answer = try await get(path, host: host, port)
            #expect(
                answer.hasPrefix("HTTP/1.1 403 ") && answer.contains("access.foreign-host"), "\(answer)", sourceLocation: sourceLocation)
        }
        let foreign = try await get(path, host: "localhost:\(port)", origin: "http://evil.example", port)
        #expect(foreign.hasPrefix("HTTP/1.1 403 "), "\(foreign)", sourceLocation: sourceLocation)
        let sameOrigin = try await get(path, host: "localhost:\(port)", origin: "http://localhost:\(port)", port)
        #expect(sameOrigin.hasPrefix("HTTP/1.1 200 "), "\(sameOrigin)", sourceLocation: sourceLocation)
    }

    @Test func `the console of tillroll-server accepts loopback host names only`() async throws {
        try await TemporaryFolder.with { folder in
            try RunningServer.writeFiles(in: folder)
            let process = try RunningServer.launch(RunningServer.arguments(in: folder) + ["--console-port", "0"])
            let line = try #require(await process.lines.first { $0.contains("/console") })
            let port = try #require(line.split(separator: "127.0.0.1:").last?.split(separator: "/").first.flatMap { Int($0) })
            try await expectOnlyLoopback("/console", port)
            #expect(await process.terminate() == 0)
        }
    }

    @Test func `the server, the console and the store of monkeyshop up accept loopback host names only`() async throws {
        try await TemporaryFolder.with { folder in
            let arguments = ["up", "--folder", folder.url.path, "--store-port", "0", "--server-port", "0", "--shop-port", "0", "--json"]
            let up = try LineProcess(BuiltProducts.path("monkeyshop"), arguments, standardError: .nullDevice)
            let line = try #require(await up.lines.first { $0.contains("server") })
            let answer = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let server = try #require((answer["server"] as? String).flatMap { URL(string: $0)?.port })
            let store = try #require((answer["store"] as? String).flatMap { URL(string: $0)?.port })
            for path in ["/console", "/health", "/readyz"] { try await expectOnlyLoopback(path, server) }
            try await expectOnlyLoopback("/control/v1/clock", store)
            #expect(await up.terminate() == 0)
        }
    }
}
