import Foundation
import ProcessTestSupport
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing
import Wire
import WireClient

/// Tests with identifiers that parsers could read differently: with U+0000, with invalid UTF-8 or of excessive length.
@Suite struct IdentifierTextTests {
    private static let customer: CustomerID = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
    /// Invalid suffixes of an identifier, percent-encoded.
    private static let endings = ["%00evil", "%0a", "%0D%0A", "%1f", "%7f", "%c2%80", "%C2%9F", "%FF", "%c3", "%zz", "%"]
    /// Invalid suffixes of an identifier, as JSON escapes.
    private static let escapes = [
        #"\u0000A"#, #"\u0000B"#, #"\u0001"#, #"\u001F"#, #"\u007f"#, #"\u0080"#, #"\u009F"#, #"\b"#, #"\f"#, #"\ud800"#,
    ]

    @Test func `a server refuses identifiers with control characters in paths, queries and bodies`() async throws {
        try await RunningServer.with { server async throws in
            try await credit(at: server.backend)
            let path = ServerEndpoints.debit.template
            var paths: [String] = []
            for ending in Self.endings + [String(repeating: "9", count: 1_025)] {
                paths += [
                    "/v1/customer/entitlements/a\(ending)", "/v1/customer/statement?currency=a\(ending)", "/v1/content/a\(ending)",
                ]
            }
            for path in paths { try await expectRefusal("GET", path, nil, at: server.port, key: server.key) }
            for escape in Self.escapes {
                let body = #"{"idempotencyKey":"order\#(escape)","amount":1}"#
                try await expectRefusal("POST", path, body, at: server.port, key: server.key)
            }
            for other in ["\u{7F}", "\u{80}", "\u{0}", "\n"] {
                let body = #"{"idempotencyKey":"order\#(other)","amount":1}"#
                try await expectRefusal("POST", path, body, at: server.port, key: server.key)
            }
            try await expectRefusal("POST", path, #"{"idempotencyKey":"order\n","amount":1}"#, at: server.port, key: server.key)
            #expect(try await server.backend.balance(of: Self.customer) == 5)
        }
    }

    @Test(arguments: [[0xFF], [0xC2], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF5, 0x80, 0x80, 0x80]] as [[UInt8]])
    func `a body with invalid UTF-8 is refused`(_ bytes: [UInt8]) async throws {
        try await RunningServer.with { server async throws in
            let body = Array(#"{"amount":1,"idempotencyKey":"a"#.utf8) + bytes + Array(#""}"#.utf8)
            #expect(try await status(of: body, at: server) == "400")
        }
    }

    @Test func `a body in UTF-16 or UTF-32 is refused`() async throws {
        try await RunningServer.with { server async throws in
            try await credit(at: server.backend)
            for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16, .utf32LittleEndian] {
                let body = try #require(#"{"amount":1,"idempotencyKey":"a"}"#.data(using: encoding))
                #expect(try await status(of: [UInt8](body), at: server) == "400")
            }
            #expect(try await server.backend.balance(of: Self.customer) == 5)
        }
    }

    @Test func `a store refuses identifiers with control characters in paths, queries and bodies`() async throws {
        try await RunningStore.with { store async throws in
            let port = try #require(URL(string: store.url)?.port)
            for ending in Self.endings {
                for path in ["/control/v1/accounts/ada\(ending)/charges", "/control/v1/events?account=ada\(ending)", "/stores/a\(ending)"] {
                    // A `DELETE` of an unknown store may have another 40x status.
                    let answer = try await send(path.hasPrefix("/stores") ? "DELETE" : "GET", path, nil, to: port)
                    #expect(answer.hasPrefix("HTTP/1.1 40"), "\(path): \(answer.prefix(300))")
                    if !path.hasPrefix("/stores") { #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(path): \(answer.prefix(300))") }
                }
            }
            let calls: [(String, (String) -> String)] = [
                ("/control/v1/accounts", { #"{"account":"ada\#($0)","password":"ladder"}"# }),
                ("/control/v1/purchases", { #"{"account":"ada","productID":"\#(RunningStore.seeds)\#($0)"}"# }),
                ("/control/v1/refunds", { #"{"transactionID":"1\#($0)"}"# }),
                (
                    "/device/v1/sign-in",
                    {
                        #"{"account":"ada\#($0)","password":"ladder","device":"00112233-4455-6677-8899-aabbccddeeff","bundleID":"a.b","appVersion":"1"}"#
                    }
                ),
                ("/stores", { #"{"name":"a\#($0)"}"# }),
            ]
            for (path, body) in calls {
                for escape in Self.escapes { try await expectRefusal("POST", path, body(escape), at: port) }
            }
        }
    }

    // MARK: - Calls

    private func credit(at backend: ServerBackend) async throws {
        let payload = TransactionPayload.sample().with { $0.appAccountToken = Self.customer }
        try await backend.submit(try TestAuthority.shared.signedData.sign(payload))
    }

    private func status(of body: [UInt8], at server: RunningServer) async throws -> String {
        try await CommandFolder.with { command in
            let headers = "-H 'Authorization: Bearer \(server.key)' -H 'Tillroll-Customer: \(Self.customer)'"
            let url = "\(server.wire.baseURL)\(ServerEndpoints.debit.template)"
            return try await command.shell("curl -s -o answer -w '%{http_code}' \(headers) --data-binary @- '\(url)'", input: Data(body))
                .text
        }
    }

    private func send(_ method: String, _ path: String, _ body: String?, to port: Int, key: String? = nil) async throws -> String {
        let length = body.map { "Content-Length: \($0.utf8.count)\r\n" } ?? ""
        let keyed = key.map { "Authorization: Bearer \($0)\r\nTillroll-Customer: \(Self.customer)\r\n" } ?? ""
        let head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\(keyed)\(length)\r\n"
        return try await RawClient.send(head + (body ?? ""), to: port)
    }

    private func expectRefusal(
        _ method: String, _ path: String, _ body: String?, at port: Int, key: String? = nil,
        _ sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let answer = try await send(method, path, body, to: port, key: key)
        #expect(
            answer.hasPrefix("HTTP/1.1 400 "), "\(path.prefix(80)) \(body ?? ""): \(answer.suffix(300))", sourceLocation: sourceLocation)
    }
}
