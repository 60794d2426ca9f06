import Foundation
import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import AppStoreServerAPI

@Suite struct ResponseReaderTests {
    static let now = Timestamp.testStart

    static func read(_ status: Int, _ headers: [String: String] = [:], _ body: String = "") -> ResponseReader {
        ResponseReader(ServerAPITransportResponse(status: status, headers: headers, body: Data(body.utf8)), now: now)
    }

    static let responses: [(Int, String, AppStoreServerAPIError?)] = [
        (200, "", nil), (202, "", nil), (299, "x", nil),
        (400, #"{"errorCode":4000006,"errorMessage":"m"}"#, .api(ServerAPIErrorResponse(status: 400, code: 4_000_006, message: "m"))),
        (404, #"{"errorCode":4999999}"#, .api(ServerAPIErrorResponse(status: 404, code: 4_999_999))),
        (404, #"{"errorCode":4040010,"errorMessage":7}"#, .api(ServerAPIErrorResponse(status: 404, code: 4_040_010))),
        (404, #"{"errorCode":"4040010","errorMessage":"m"}"#, .api(ServerAPIErrorResponse(status: 404, message: "m"))),
        (404, #"{"errorCode":1e400}"#, .api(ServerAPIErrorResponse(status: 404))),
        (404, #"{"errorCode":9223372036854775808}"#, .api(ServerAPIErrorResponse(status: 404))),
        (404, #"{"errorCode":-9223372036854775808}"#, .api(ServerAPIErrorResponse(status: 404, code: .min))),
        (404, "[]", .api(ServerAPIErrorResponse(status: 404))), (404, "null", .api(ServerAPIErrorResponse(status: 404))),
        (418, "<html>", .api(ServerAPIErrorResponse(status: 418))),
        (
            403, #"{"errorCode":4030004,"errorMessage":"a\u0000\u001b[31mb\nc"}"#,
            .api(ServerAPIErrorResponse(status: 403, code: 4_030_004, message: "a[31mbc"))
        ),
        (401, "Unauthenticated", .unauthorized(clockSkew: nil)), (401, #"{"errorCode":4040010}"#, .unauthorized(clockSkew: nil)),
        (429, "", .rateLimited(until: nil)),
        (500, #"{"errorCode":5000001}"#, .unavailable(.serverError(ServerAPIErrorResponse(status: 500, code: 5_000_001)))),
        (503, "Service Unavailable", .unavailable(.serverError(ServerAPIErrorResponse(status: 503)))),
        (599, "", .unavailable(.serverError(ServerAPIErrorResponse(status: 599)))),
    ]

    @Test(arguments: responses) func `the status and the code of a response have a meaning`(
        _ status: Int, _ body: String, _ error: AppStoreServerAPIError?
    ) {
        #expect(Self.read(status, [:], body).error == error)
    }

    @Test(arguments: [0, -1, 100, 199, 301, 302, 304, 600, 999, .max, .min])
    func `another status is malformed`(_ status: Int) throws {
        guard case .malformedResponse(status, _) = Self.read(status).error else {
            Issue.record("\(status) was accepted.")
            return
        }
    }

    @Test func `a long message is shortened`() {
        let body = #"{"errorCode":4040010,"errorMessage":"\#(String(repeating: "é", count: 100_000))"}"#
        guard case .api(let response) = Self.read(404, [:], body).error else { return #expect(Bool(false)) }
        #expect(response.message?.count == 300)
    }

    /// The value of `Retry-After`, and the milliseconds until then; nil for an unusable value.
    static let retryDates: [(String, Int64?)] = [
        ("\(now.milliseconds + 1)", 1), ("\(now.milliseconds + 3_600_000)", 3_600_000), ("\(now.milliseconds)", nil),
        ("\(now.milliseconds - 1)", nil), ("120", 120_000), ("0", nil), ("-1", nil), ("-9223372036854775808", nil),
        ("9223372036854775807", nil), ("9223372036854775808", nil), ("999999999999999999999999", nil), ("1e3", nil), ("", nil), (" 5", nil),
        ("0x10", nil), ("999999999", nil), ("1000000000", nil), ("Fri, 31 Jan 2025 12:35:56 GMT", 60_000),
        ("Fri, 31 Jan 2020 12:35:56 GMT", nil), ("\(now.adding(days: 367).milliseconds)", nil), ("é", nil), ("NaN", nil),
    ]

    @Test(arguments: retryDates) func `Retry-After is a time in milliseconds, and any other text is harmless`(
        _ text: String, _ milliseconds: Int64?
    ) {
        let until = milliseconds.map { Self.now.adding(milliseconds: $0) }
        #expect(Self.read(429, ["retry-AFTER": text]).error == .rateLimited(until: until))
    }

    @Test func `Retry-After is converted to the local clock`() {
        let server = Self.now.adding(seconds: 7200)
        let headers = ["Date": HTTPDateText.text(server), "Retry-After": "\(server.adding(seconds: 10).milliseconds)"]
        #expect(Self.read(429, headers).error == .rateLimited(until: Self.now.adding(seconds: 10)))
    }

    @Test(arguments: [(0, nil), (60, nil), (-60, nil), (61, -61), (-61, 61), (7200, -7200), (-4_000_000_000, nil)] as [(Int64, Int64?)])
    func `an unauthorized response states the clock skew`(_ ahead: Int64, _ skew: Int64?) {
        let date = HTTPDateText.text(Self.now.adding(seconds: ahead))
        #expect(Self.read(401, ["Date": date]).error == .unauthorized(clockSkew: skew))
    }

    static let bodies: [(String, String)] = [
        ("", "The body is not JSON"), ("x", "The body is not JSON"), ("{", "The body is not JSON"),
        ("{}", "The value at revision is missing."), ("[]", "The body has another type."), ("null", "The body"),
        (#"{"revision":null}"#, "The value at revision"), (#"{"revision":7}"#, "The value at revision has another type."),
        (#"{"revision":"a","hasMore":"yes"}"#, "The value at hasMore has another type."),
        (
            #"{"revision":"a","hasMore":false,"bundleId":"b","environment":"e","signedTransactions":["a",5]}"#,
            "The value at signedTransactions."
        ),
        (
            #"{"revision":"a","hasMore":false,"bundleId":"b\u0000","environment":"e","signedTransactions":[]}"#,
            "The value at bundleId is invalid."
        ),
        (
            #"{"revision":"a","hasMore":false,"bundleId":"b","environment":"e","appAppleId":1e30,"signedTransactions":[]}"#,
            "The body is not JSON, or contains a number out of range."
        ),
        (String(repeating: "[", count: 1_000_000), "The body is not JSON"),
        (#"{"revision":"# + String(repeating: #"{"a":"#, count: 100_000), "The body is not JSON"),
        (String(repeating: "{\"signedTransactions\":[", count: 100_000), "The body is not JSON"),
    ]

    @Test(arguments: bodies) func `a body that is not the endpoint's JSON is malformed`(_ body: String, _ problem: String) {
        let response = ServerAPITransportResponse(status: 200, body: Data(body.utf8))
        let error = #expect(throws: AppStoreServerAPIError.self) {
            try ResponseReader.decode(HistoryResponse.self, from: response)
        }
        guard case .malformedResponse(200, let text)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(text.hasPrefix(problem), "\(text)")
    }

    @Test func `unknown results and missing attempts of a notification are read`() throws {
        let attempts = ["SUCCESS", "SSL_ISSUE", "ABDUCTED"].map { #"{"attemptDate":1.5,"sendAttemptResult":"\#($0)"}"# }.joined(
            separator: ",")
        let json =
            #"{"notificationHistory":[{"signedPayload":"a.b.c","sendAttempts":[\#(attempts)]},{"signedPayload":"a.b.c"}],"hasMore":false}"#
        let history = try ResponseReader.decode(NotificationHistoryResponse.self, from: .ok(json)).notificationHistory
        #expect(history[0].sendAttempts.map(\.sendAttemptResult) == [.success, .tlsIssue, .other])
        #expect(history[0].sendAttempts.map(\.rawSendAttemptResult) == ["SUCCESS", "SSL_ISSUE", "ABDUCTED"])
        #expect(history[1].sendAttempts.isEmpty)
        let test = try ResponseReader.decode(CheckTestNotificationResponse.self, from: .ok(#"{"signedPayload":"a.b.c"}"#))
        #expect(test.sendAttempts.isEmpty)
    }

    @Test func `each truncation of a response is malformed`() throws {
        let json = #"{"revision":"a","hasMore":false,"bundleId":"b","environment":"e","signedTransactions":["a.b.c"]}"#
        _ = try ResponseReader.decode(HistoryResponse.self, from: .ok(json))
        for length in 0..<json.utf8.count {
            #expect(throws: AppStoreServerAPIError.self) {
                try ResponseReader.decode(HistoryResponse.self, from: .ok(String(json.prefix(length))))
            }
        }
    }
}

@Suite struct HTTPDateTests {
    @Test func `dates of all months and leap years are parsed`() {
        for days in stride(from: Int64(0), to: 60_000, by: 17) {
            let timestamp = Timestamp(milliseconds: (days * 86_400 + days % 86_399) * 1000)
            #expect(HTTPDate.parse(HTTPDateText.text(timestamp)) == timestamp)
        }
        #expect(HTTPDate.parse("Sun, 06 Nov 1994 08:49:37 GMT") == Timestamp(milliseconds: 784_111_777_000))
        #expect(HTTPDate.parse("Thu, 29 Feb 2024 00:00:00 GMT") != nil)
        #expect(HTTPDate.parse("Tue, 29 Feb 2000 23:59:60 GMT") != nil)
    }

    @Test(arguments: [
        "", "now", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 GMT ", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994", "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT", "Thu, 29 Feb 2100 00:00:00 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 1969 08:49:37 GMT", "Sun, 06 Nov -199 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
        "Sun, ٠٦ Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 084937   GMT", "1738326896000", "Sun,  6 Nov 1994 08:49:37 GMT",
    ]) func `another text is not a date`(_ text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }
}
