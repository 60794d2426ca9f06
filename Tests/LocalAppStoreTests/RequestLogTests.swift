import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import OpenStoreKit
import PurchaseModel
import StoreProtocol
import StoreTestSupport
import Testing
import Wire
import WireServer

@testable import LocalAppStore

/// Tests of the log of requests, in which developers look for the reason of a refusal.
@Suite struct RequestLogTests {
    // MARK: - The log

    private static func entry(_ surface: RequestSurface?, _ path: String = "/path", body: String? = nil) -> RequestLog.Entry {
        RequestLog.Entry(
            summary: RequestSummary(
                id: 0, date: Timestamp(milliseconds: 0), surface: surface, method: "POST", path: path, environment: .sandbox, status: 200,
                microseconds: 1_000),
            request: body.map { ByteBuffer(string: $0) }, requestLength: body?.utf8.count)
    }

    @Test func `the newest requests are kept, and the control API displaces no other ones`() {
        let log = RequestLog()
        log.append(Self.entry(.verifyReceipt))
        for _ in 1...3_000 { log.append(Self.entry(.control)) }
        for _ in 1...2_000 { log.append(Self.entry(.device)) }
        var query = RequestQuery()
        query.limit = 10_000
        let kept = log.requests(query)
        #expect(kept.count { $0.surface == .control } == RequestLog.controlLimit)
        #expect(kept.count { $0.surface == .device } == RequestLog.limit)
        #expect(kept.map(\.id) == kept.map(\.id).sorted() && kept.last?.id == 5_001)
        query.surfaces = [.verifyReceipt]
        #expect(log.requests(query).isEmpty)
    }

    @Test func `the oldest requests leave the log when the bodies are large, so that its memory is limited`() {
        let log = RequestLog()
        let body = String(repeating: "a", count: RequestLog.bodyLimit)
        for _ in 1...500 { log.append(Self.entry(.device, body: body)) }
        var query = RequestQuery()
        query.limit = 10_000
        #expect((250...256).contains(log.requests(query).count))
    }

    @Test func `requests are found by path, account, reason, body and identifier, and not by a secret`() {
        let log = RequestLog()
        log.append(Self.entry(.verifyReceipt, body: #"{"receipt-data": "TUlJ", "password": "geheim"}"#))
        log.append(Self.entry(.serverAPI, "/inApps/v1/history/2000000000000001"))
        var answered = Self.entry(.device)
        answered.summary.requestID = "0123456789abcdef"
        log.append(answered)
        func found(_ text: String) -> [Int64] {
            var query = RequestQuery()
            query.text = text
            return log.requests(query).map(\.id)
        }
        #expect(found("tulj") == [1] && found("2000000000000001") == [2] && found("geheim").isEmpty && found("") == [1, 2, 3])
        #expect(found("0123456789ABCDEF") == [3] && found("0123456789").isEmpty)
    }

    @Test(arguments: [
        (#"{"password":"a"}"#, #"{"password":"•••"}"#),
        (#"{ "password" : "a\"b\\" , "account" : "jane" }"#, #"{ "password" : "•••" , "account" : "jane" }"#),
        (#"{"sharedSecret":"a","token":"b","apiKey":"c\n"}"#, #"{"sharedSecret":"•••","token":"•••","apiKey":"•••"}"#),
        (#"{"pass\u0077ord":"geheim"}"#, #"{"pass\u0077ord":"•••"}"#), (#"{"password":12}"#, #"{"password":"•••"}"#),
        (
            #"{"Password":"a","shared_secret":-1.5e3,"X-API-Key":[1,{"a":"]"}],"z":1}"#,
            #"{"Password":"•••","shared_secret":"•••","X-API-Key":"•••","z":1}"#
        ),
        (
            #"{"user":{"currentPassword":{"a":"}","b":[2]}},"z":[{"token":[]}]}"#,
            #"{"user":{"currentPassword":"•••"},"z":[{"token":"•••"}]}"#
        ),
        (
            #"{"hasSharedSecret":true,"password":null,"appAccountToken":"a","z":"12:30"}"#,
            #"{"hasSharedSecret":true,"password":null,"appAccountToken":"a","z":"12:30"}"#
        ),
        (#"{"body":"{\"password\" : 7, \"a\":\"b\"}"}"#, #"{"body":"{\"password\" : \"•••\", \"a\":\"b\"}"}"#),
        (
            #"["password=geheim","a=b","https://x/?a=b&Token=geheim","{\"password\":\"geheim","Authorization: Bearer geheim"]"#,
            #"["•••","a=b","•••","•••","•••"]"#
        ),
        (#"["pass%77ord=geheim"]"#, #"["•••"]"#),
        (#"{"note":"password","a":"b"}"#, #"{"note":"password","a":"b"}"#), (#"{"a":"ü","password":"ü"}"#, #"{"a":"ü","password":"•••"}"#),
        ("no JSON", "no JSON"), ("", ""), (#"""#, #"""#),
    ])
    func `secrets are replaced`(_ text: String, _ masked: String) {
        #expect(SecretMask().text(of: ByteBuffer(string: text)) == masked)
    }

    @Test func `JSON in strings is masked at every depth`() throws {
        var text = #"{"password":"geheim"}"#
        for _ in 0..<8 {
            text = String(decoding: try JSONEncoder().encode(["body": text]), as: UTF8.self)
            let masked = try #require(SecretMask().text(of: ByteBuffer(string: text)))
            #expect(!masked.contains("geheim") && masked.hasPrefix(#"{"body":""#) && masked.contains("•••"))
        }
    }

    @Test(arguments: [
        (#"{"a":"x 0123456789abcdef y","0123456789abcdef":1}"#, #"{"a":"x ••• y","•••":1}"#),
        (#"{"a":"0123456789\u0061bcdef"}"#, #"{"a":"•••"}"#), ("pw 0123456789abcdef", "pw •••"), (#"{"a":"hat"}"#, #"{"a":"hat"}"#),
    ])
    func `a known secret is replaced wherever it occurs, and a short one is not, because it can be a word`(_ text: String, _ masked: String)
    {
        #expect(SecretMask(["0123456789abcdef", "hat"]).text(of: ByteBuffer(string: text)) == masked)
    }

    @Test(arguments: [
        ("a=b&password=x&c", "a=b&password=•••&c"), ("PassWord=x&Shared-Secret=&token", "PassWord=•••&Shared-Secret=•••&token"),
        ("pass%77ord=x", "pass%77ord=•••"), ("next=/y?token=x", "next=•••"), ("next=%2Fy%3Ftoken%3Dx", "next=•••"),
        ("q=0123456789abcdef", "q=•••"), ("q=%30123456789abcdef", "q=•••"), ("body=%7B%22password%22%3A1%7D", "body=•••"),
        ("appAccountToken=a&paginationToken=b", "appAccountToken=a&paginationToken=b"), ("text=a%20b+c", "text=a%20b+c"),
    ])
    func `secrets in a query are replaced`(_ query: String, _ masked: String) {
        #expect(SecretMask(["0123456789abcdef"]).query(query[...]) == masked)
    }

    @Test(arguments: [
        ("/verifyReceipt", "/verifyReceipt"), ("/x/0123456789abcdef/y", "/x/•••/y"), ("/x/%30123456789abcdef", "/x/•••"),
        ("/verifyReceipt;password=x", "/•••"), ("/control/v1/accounts/a:b", "/control/v1/accounts/a:b"),
    ])
    func `secrets in a path are replaced`(_ path: String, _ masked: String) {
        #expect(SecretMask(["0123456789abcdef"]).path(path) == masked)
    }

    @Test(arguments: [
        #"{"password":"geheim"#, "password=geheim", "a=b&Pass%77ord=geheim", "shared-secret: geheim",
        #"{"note":"5" x","password":"geheim"}"#, #"{"pass\u0077ord":"geheim"#, "TOKEN: geheim",
    ])
    func `text that is no JSON is not shown if it can contain a secret`(_ text: String) {
        #expect(SecretMask().text(of: ByteBuffer(string: text)) == nil)
    }

    @Test func `bytes that are not text are not shown`() {
        #expect(SecretMask().text(of: ByteBuffer(bytes: [0xFF, 0xFE])) == nil)
    }

    @Test func `a reader of an earlier process of the store, whose numbers were larger, receives everything`() {
        let log = RequestLog()
        log.append(Self.entry(.verifyReceipt))
        var query = RequestQuery()
        query.after = 99
        #expect(log.read(query).found.map(\.id) == [1] && log.read(query).last == 1)
        query.after = 1
        #expect(log.read(query).found.isEmpty)
    }

    @Test func `requests to unknown paths are no requests to the control API`() {
        let log = RequestLog()
        for surface in [nil, .control, .device] as [RequestSurface?] { log.append(Self.entry(surface)) }
        var query = RequestQuery()
        query.withoutControl = true
        #expect(log.requests(query).map(\.id) == [1, 3])
    }

    // MARK: - A store

    @Test func `a refused purchase is a refused request, and a token in a URL is not recorded`() async throws {
        try await StoreHarness.run(over: .live) { store in
            let phone = try await store.signIn()
            let refused = try await phone.call(
                DeviceEndpoints.purchase,
                PurchaseRequest(payment: PaymentID(UUID()), productID: "nowhere", quantity: 1, appAccountToken: nil))
            guard case .refused(_, let message) = refused else {
                Issue.record("The purchase was not refused.")
                return
            }
            for path in ["//verifyReceipt/?token=geheim&a=b", "//console/?token=geheim"] {
                _ = try await store.transport.send(StoreRequest(method: "GET", path: path))
            }
            let requests = try await store.call(ControlEndpoints.requests, Empty()).requests
            let purchase = try #require(requests.first { $0.path == DeviceEndpoints.purchase.template })
            #expect(purchase.isFailure && purchase.reason == message && purchase.account == "ada@example.com")
            #expect(requests.last?.path == "/verifyReceipt?token=•••&a=b" && requests.last?.surface == .verifyReceipt)
            #expect(!requests.contains { $0.path.contains("geheim") || $0.path.contains("console") })
            // The path is the one that the client has called.
            for environment in [AppEnvironment.sandbox, .production] {
                let path = "/\(environment == .production ? "production" : "sandbox")/verifyReceipt"
                _ = try await store.transport.send(StoreRequest(method: "GET", path: path))
                let latest = try await store.call(ControlEndpoints.requests, Empty()).requests.last
                #expect(latest?.path == path && latest?.environment == environment)
            }
        }
    }

    @Test func `the texts of a request are limited in bytes, and secrets in all of them are replaced`() async throws {
        try await StoreHarness.run(over: .live) { store in
            let secret = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
            var change = AppRequest()
            change.sharedSecret = secret
            try await store.store.set(change)
            // A character of 1,500 bytes, which a limit in characters counts as one.
            let mark = "e" + String(repeating: "\u{301}", count: 750)
            let encoded = try #require(mark.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            let request = StoreRequest(
                method: "POST", path: "/nowhere/\(secret)/\(encoded)?password=geheim&q=\(secret)&r=\(encoded)",
                headers: ["User-Agent": "\(secret) \(mark)"], body: Data(#"{"Password":12345,"note":"\#(secret)"}"#.utf8))
            _ = try await store.transport.send(request)
            let shown = try #require(
                try await store.call(ControlEndpoints.requests, Empty()).requests.last { $0.path.hasPrefix("/nowhere") })
            #expect(shown.path.hasPrefix("/nowhere/•••/e%CC%81") && shown.path.contains("?password=•••&q=•••&r=e%CC%81"))
            #expect(shown.path.utf8.count <= RequestLog.TextLimit.path + RequestLog.TextLimit.query + 1)
            #expect(shown.client?.utf8.starts(with: "••• e".utf8) == true && (190...200).contains(shown.client?.utf8.count ?? 0))
            let details = try await store.call(ControlEndpoints.request, Empty(), ["request": "\(shown.id)"])
            #expect(details.requestBody == #"{"Password":"•••","note":"•••"}"#)
        }
    }

    @Test func `each response has an identifier, which the log of requests states`() async throws {
        try await StoreHarness.run { store in
            var identifiers: [String] = []
            for path in ["/store", "/nowhere", "/verifyReceipt", "/inApps/v1/transactions/1", "/ocsp/AA", "/stores/none/store"] {
                identifiers.append(try #require(try await store.send(.get, path).headers[.requestID], "\(path)"))
            }
            #expect(Set(identifiers).count == identifiers.count)
            let logged = try await store.call(ControlEndpoints.requests, Empty()).requests.compactMap(\.requestID)
            // The store that the last path names does not exist.
            #expect(logged.suffix(5) == identifiers.prefix(5))
        }
    }

    @Test func `every text of a request counts for the memory of the log`() {
        let change: [(inout RequestSummary, String) -> Void] = [
            { $0.client = $1 }, { $0.reason = $1 }, { $0.code = $1 }, { $0.path = $1 }, { $0.method = $1 }, { $0.account = AccountID($1) },
            { $0.requestID = $1 },
        ]
        let text = String(repeating: "a", count: 1 << 20)
        for change in change {
            let log = RequestLog()
            for _ in 1...40 {
                var entry = Self.entry(.device, "")
                change(&entry.summary, text)
                log.append(entry)
            }
            #expect((14...16).contains(log.requests(RequestQuery()).count))
        }
    }

    private struct Call: Sendable {
        let method: String
        let path: String
        var body = ""
        var token: String?
    }

    @Test(arguments: [
        (Call(method: "POST", path: "/verifyReceipt", body: "{"), 200, "21002", "The body is no JSON object."),
        (Call(method: "POST", path: "/verifyReceipt", body: "receipt-data=TUlJ"), 200, "21002", "The body is no JSON object."),
        (Call(method: "POST", path: "/verifyReceipt", body: #"{"receipt": "TUlJ"}"#), 200, "21002", "The body has no text in the member"),
        (Call(method: "POST", path: "/verifyReceipt", body: #"{"receipt-data": 1}"#), 200, "21002", "The body has no text in the member"),
        (
            Call(method: "POST", path: "/verifyReceipt", body: #"{"receipt-data": "TU J"}"#), 200, "21002",
            "receipt-data has spaces instead of +"
        ),
        (
            Call(method: "POST", path: "/verifyReceipt", body: #"{"receipt-data": "TU_J"}"#), 200, "21002",
            "receipt-data is no standard base64"
        ),
        (Call(method: "POST", path: "/verifyReceipt", body: #"{"receipt-data": "TUlJT"}"#), 200, "21002", "receipt-data is incomplete"),
        (Call(method: "GET", path: "/verifyReceipt"), 200, "21000", "verifyReceipt accepts POST only."),
        (
            Call(method: "POST", path: "/verifyReceipt", body: #"{"receipt-data": "TUlJ"}"#), 200, "21002",
            "The data is malformed."
        ),
        (Call(method: "GET", path: "/inApps/v1/history/1"), 401, nil, "The request has no token"),
        (Call(method: "GET", path: "/inApps/v1/history/1", token: "a.b.c"), 401, nil, ""),
        (Call(method: "POST", path: "/device/v1/receipt", body: #"{"expired": false}"#), 401, "account.signed-out", ""),
        (Call(method: "GET", path: "/control/v1/accounts/jane/charges"), 404, "account.unknown", ""),
        (Call(method: "GET", path: "/nowhere"), 404, "http.404", ""),
    ])
    private func `a refused request is listed with its code and its reason`(
        _ call: Call, _ status: Int, _ code: String?, _ reason: String
    ) async throws {
        try await StoreHarness.run(over: .live) { store in
            let headers = call.token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
            let body = call.body.isEmpty ? nil : Data(call.body.utf8)
            _ = try await store.transport.send(StoreRequest(method: call.method, path: call.path, headers: headers, body: body))
            let request = try #require(try await store.call(ControlEndpoints.requests, Empty()).requests.last)
            #expect(request.path == call.path && request.status == status && request.isFailure)
            #expect(request.code == code, "\(request)")
            #expect(request.reason?.hasPrefix(reason) == true, "\(request)")
            let details = try await store.call(ControlEndpoints.request, Empty(), ["request": "\(request.id)"])
            #expect(details.summary == request && details.requestBody ?? "" == call.body)
        }
    }
}
