import Foundation
import FoundationExtras
import HTTPTypes
import HummingbirdTesting
import Logging
import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of the comparison of the server's `verifyReceipt` with the App Store's.
@Suite struct VerifyReceiptShadowTests {
    private static func shadow(_ mode: VerifyReceiptShadowMode, seconds: Int = 10) -> Shop.Change {
        Shop.Change {
            $0.verifyReceiptShadow = mode
            $0.verifyReceiptShadowSeconds = seconds
        }
    }

    @Test(arguments: [VerifyReceiptShadowMode.apple, .server])
    func `equal answers are counted, and nothing is reported`(_ mode: VerifyReceiptShadowMode) async throws {
        let log = RecordingLog()
        try await VerifyReceiptShop.open(change: Self.shadow(mode), log) { shop in
            _ = try await shop.buy(.magazine)
            let receipt = try await shop.device.receipt()
            for _ in 0..<3 { #expect(try await shop.ask(receipt, as: VerifyReceiptResponse.self).pendingRenewalInfo?.count == 1) }
            try await eventually { shop.counts.compared == 3 }
            #expect(shop.counts.different == 0 && shop.counts.unanswered == 0 && shop.counts.skipped == 0)
            #expect(try await shop.comparisons.isEmpty)
        }
        #expect(!log.all.contains { $0.contains("differs") })
    }

    @Test(arguments: [VerifyReceiptShadowMode.apple, .server])
    func `a renewal that the server missed is reported field by field, and the answer is the one of the mode`(
        _ mode: VerifyReceiptShadowMode
    ) async throws {
        let log = RecordingLog()
        try await VerifyReceiptShop.open(receivesNotifications: false, change: Self.shadow(mode), log) { shop in
            let bought = try await shop.buy(.magazine)
            let receipt = try await shop.device.receipt()
            try await shop.shop.pass(days: 40)
            let answer: VerifyReceiptResponse = try await shop.ask(receipt)
            #expect(answer.latestReceiptInfo?.count == (mode == .apple ? 2 : 1))
            try await eventually { try await shop.comparisons.count == 1 }
            let comparison = try #require(try await shop.comparisons.first)
            let renewal = try #require(
                try await shop.ofStore(receipt).latestReceiptInfo?.first { $0.transactionID != bought.transactionId })
            #expect(comparison.environment == "Sandbox" && comparison.receipt.count == 64)
            let paths = [
                "latest_receipt_info[\(renewal.transactionID)]", "pending_renewal_info[\(bought.transactionId)]",
            ]
            #expect(comparison.count == 2 && comparison.differences.map(\.path) == paths)
            #expect(comparison.differences.map(\.server) == [nil, nil])
            #expect(comparison.differences.map(\.appStore) == ["present", "present"])
            #expect(shop.counts.different == 1)
        }
        let lines = log.lines(.warning).filter { $0.contains("differs") }
        #expect(lines.count == 1 && lines[0].contains("latest_receipt_info["))
        #expect(!log.all.contains { $0.contains(VerifyReceiptShop.secret) })
    }

    @Test func `the App Store is asked with the client's own request, and its refusal is the answer`() async throws {
        try await Shop.open(change: Self.shadow(.apple)) { shop async throws in
            shop.appStore.set(.sandbox, .status(21010))
            let wrong = try VerifyReceiptEndpointTests.body(VerifyReceiptEndpointTests.receipt(), password: "theirs", excludesOld: true)
            #expect(try await shop.verifyReceipt(wrong) == VerifyReceiptResponse(status: .accountNotFound))
            let request = try #require(shop.appStore.requests(to: .sandbox).first)
            #expect(request.password == "theirs" && request.excludeOldTransactions == true)
            #expect(shop.appStore.requests(to: .production).isEmpty)
            // What the server can't read is not forwarded.
            #expect(try await shop.post("/verifyReceipt", Data("{}".utf8)).status == .ok)
            #expect(shop.appStore.requests(to: .sandbox).count == 1)
        }
    }

    @Test(arguments: [FakeAppStore.Answer.overloaded, .garbage])
    func `without an answer of the App Store, the server's is sent`(_ answer: FakeAppStore.Answer) async throws {
        try await Shop.open(change: Self.shadow(.apple)) { shop async throws in
            shop.appStore.set(.sandbox, answer)
            let body = try VerifyReceiptEndpointTests.body(VerifyReceiptEndpointTests.receipt())
            #expect(try await shop.verifyReceipt(body).receipt?.inApp.count == 1)
            let shadow = try #require(shop.server.apps[.test]).verifyReceipt.shadow
            try await eventually { shadow.counts.unanswered == 1 }
        }
    }

    @Test func `a slow App Store delays the answer by the configured time at most, and with mode server not at all`() async throws {
        for (mode, seconds) in [(VerifyReceiptShadowMode.apple, 1), (.server, 60)] {
            try await VerifyReceiptShop.open(change: Self.shadow(mode, seconds: seconds)) { shop in
                let receipt = try await shop.device.receipt()
                var fault = Fault(.delay(milliseconds: 20_000))
                fault.surface = .verifyReceipt
                _ = try await shop.store.call(ControlEndpoints.setFault, fault)
                let start = ContinuousClock.now
                #expect(try await shop.ask(receipt, as: VerifyReceiptResponse.self).status == .valid)
                #expect(ContinuousClock.now - start < .seconds(15))
                _ = try await shop.store.call(ControlEndpoints.clearFaults, Empty())
            }
        }
    }

    private static let rows: [(String, String, [VerifyReceiptDifference])] = [
        (#"{"status":0}"#, #"{"status":0}"#, []),
        (#"{"status":0,"a":[1,2]}"#, #"{"a":[1,2],"status":0}"#, []),
        (#"{"status":0}"#, #"{"status":21003}"#, [difference("status", "0", "21003")]),
        (#"{"status":0}"#, #"{"status":"0"}"#, [difference("status", "0", "0")]),
        (
            #"{"receipt":{"request_date_ms":"1","x":"2"},"latest_receipt":"a","is_retryable":true}"#,
            #"{"receipt":{"request_date_ms":"2","x":"3"},"latest_receipt":"b"}"#, [difference("receipt.x", "2", "3")]
        ),
        (
            #"{"latest_receipt_info":[{"transaction_id":"1","a":"x"},{"transaction_id":"2"}]}"#,
            #"{"latest_receipt_info":[{"transaction_id":"3"},{"transaction_id":"1","a":"y"}]}"#,
            [
                difference("latest_receipt_info[1].a", "x", "y"), difference("latest_receipt_info[2]", "present", nil),
                difference("latest_receipt_info[3]", nil, "present"),
            ]
        ),
        (
            #"{"latest_receipt_info":[{"transaction_id":"1","product_id":"coins"}],"receipt":{"in_app":[]}}"#,
            #"{"latest_receipt_info":[],"receipt":{"in_app":[{"transaction_id":"1","product_id":"coins"}]}}"#,
            [difference("receipt.in_app[1]", nil, "present")]
        ),
        (
            #"{"pending_renewal_info":[{"original_transaction_id":"1","auto_renew_status":"1"}]}"#,
            #"{"pending_renewal_info":[{"original_transaction_id":"1","auto_renew_status":"0"}]}"#,
            [difference("pending_renewal_info[1].auto_renew_status", "1", "0")]
        ),
        (
            #"{"app_account_token":"jane","x":"\#(String(repeating: "a", count: 81))"}"#, #"{}"#,
            [difference("app_account_token", "sha256:81f8f6dde88365f3", nil), difference("x", "sha256:8c48280d57fb88f1", nil)]
        ),
    ]

    private static func difference(_ path: String, _ server: String?, _ appStore: String?) -> VerifyReceiptDifference {
        VerifyReceiptDifference(path: path, server: server, appStore: appStore)
    }

    @Test(arguments: rows.indices)
    func `each field that differs is found by its path, and personal and long values are digests`(_ row: Int) throws {
        let (server, appStore, expected) = Self.rows[row]
        let found = VerifyReceiptDifferences(
            between: try #require(JSONReader.read([UInt8](server.utf8))), and: try #require(JSONReader.read([UInt8](appStore.utf8))),
            consumables: ["coins"])
        #expect(found.listed == expected && found.count == expected.count)
    }

    @Test func `thousands of differences are counted, and the first of them are listed`() {
        let many = JSONValue.array((0..<5_000).map { .object([JSONValue.Member("transaction_id", .string("\($0)"))]) })
        let found = VerifyReceiptDifferences(between: .object([JSONValue.Member("in_app", many)]), and: .object([.init("in_app", [])]))
        #expect(found.count == 5_000 && found.listed.count == VerifyReceiptDifferences.listLimit)
    }
}

extension VerifyReceiptShop {
    func ask<Answer: Decodable>(_ receipt: Data, as type: Answer.Type) async throws -> Answer { try await ask(receipt) }

    func ofStore(_ receipt: Data) async throws -> VerifyReceiptResponse {
        try WireJSON.decode(VerifyReceiptResponse.self, from: try await textOfStore(receipt))
    }

    var counts: VerifyReceiptShadow.Counts { shop.app.verifyReceipt.shadow.counts }

    var comparisons: [VerifyReceiptComparison] {
        get async throws { try await shop.app.storage.read(.test) { try $0.verifyReceiptComparisons(limit: 100) } }
    }
}
