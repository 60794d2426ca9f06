import Foundation
import HummingbirdTesting
import NIOCore
import OpenStoreKit
import PurchaseModel
import PurchaseProtocol
import StoreTestSupport
import Testing

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

    @Test func `large bodies leave the log first, so that its memory is limited`() {
        let log = RequestLog()
        let body = String(repeating: "a", count: RequestLog.bodyLimit)
        for _ in 1...500 { log.append(Self.entry(.device, body: body)) }
        var query = RequestQuery()
        query.limit = 10_000
        #expect(log.requests(query).count == RequestLog.byteLimit / RequestLog.bodyLimit)
    }

    @Test func `requests are found by path, account, reason and body, and not by a secret`() {
        let log = RequestLog()
        log.append(Self.entry(.verifyReceipt, body: #"{"receipt-data": "TUlJ", "password": "geheim"}"#))
        log.append(Self.entry(.serverAPI, "/inApps/v1/history/2000000000000001"))
        func found(_ text: String) -> [Int64] {
            var query = RequestQuery()
            query.text = text
            return log.requests(query).map(\.id)
        }
        #expect(found("tulj") == [1] && found("2000000000000001") == [2] && found("geheim").isEmpty && found("") == [1, 2])
    }

    @Test(arguments: [
        (#"{"password":"a"}"#, #"{"password":"•••"}"#),
        (#"{ "password" : "a\"b\\" , "account" : "jane" }"#, #"{ "password" : "•••" , "account" : "jane" }"#),
        (#"{"sharedSecret":"a","token":"b","apiKey":"c\n"}"#, #"{"sharedSecret":"•••","token":"•••","apiKey":"•••"}"#),
        // The end is missing, as in a body that a client has cut off.
        (#"{"password":"geheim"#, #"{"password":"•••"#),
        (#"{"password":"#, #"{"password":"#), (#"{"password":12}"#, #"{"password":12}"#), ("password=a", "password=a"),
        (#"{"note":"password","a":"b"}"#, #"{"note":"password","a":"b"}"#), ("", ""), (#"""#, #"""#), (#""\"#, #""\"#),
        (#"{"a":"ü","password":"ü\"#, #"{"a":"ü","password":"•••"#),
    ])
    func `secrets are replaced, also in text that is no JSON`(_ text: String, _ masked: String) {
        #expect(SecretMask.text(of: ByteBuffer(string: text)) == masked)
    }

    @Test func `bytes that are not text are not shown`() {
        #expect(SecretMask.text(of: ByteBuffer(bytes: [0xFF, 0xFE])) == nil)
    }

    // MARK: - A store

    private struct Call: Sendable {
        let method: String
        let path: String
        var body = ""
        var token: String?
    }

    @Test(arguments: [
        (Call(method: "POST", path: "/verifyReceipt", body: "{"), 200, "21002", "The body is no JSON object with base64 in receipt-data."),
        (Call(method: "GET", path: "/verifyReceipt"), 200, "21000", "verifyReceipt accepts POST only."),
        (
            Call(method: "POST", path: "/verifyReceipt", body: #"{"receipt-data": "TUlJ"}"#), 200, "21002",
            "The data is malformed."
        ),
        (Call(method: "GET", path: "/inApps/v1/history/1"), 401, nil, "The request has no token"),
        (Call(method: "GET", path: "/inApps/v1/history/1", token: "a.b.c"), 401, nil, ""),
        (Call(method: "POST", path: "/device/v1/receipt", body: #"{"expired": false}"#), 401, "account.signed-out", ""),
        (Call(method: "GET", path: "/control/v1/accounts/jane/charges"), 404, "account.unknown", ""),
        (Call(method: "GET", path: "/nowhere"), 404, "path.unknown", ""),
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
            #expect(request.code == code || (code == "path.unknown" && request.code != nil), "\(request)")
            #expect(request.reason?.hasPrefix(reason) == true, "\(request)")
            let details = try await store.call(ControlEndpoints.request, Empty(), ["request": "\(request.id)"])
            #expect(details.summary == request && details.requestBody ?? "" == call.body)
        }
    }
}
