import AppStoreServerAPI
import Foundation
import PurchaseModel
import PurchaseTestSupport
import Testing

@Suite struct PagesTests {
    static func page(_ revision: String, hasMore: Bool, _ transactions: String = "") -> ServerAPITransportResponse {
        .ok(
            #"{"revision":"\#(revision)","hasMore":\#(hasMore),"bundleId":"b","environment":"Sandbox","signedTransactions":[\#(transactions)]}"#
        )
    }

    static func refunds(_ revision: String, hasMore: Bool) -> ServerAPITransportResponse {
        .ok(#"{"revision":"\#(revision)","hasMore":\#(hasMore),"signedTransactions":[]}"#)
    }

    static func notifications(_ token: String?, hasMore: Bool) -> ServerAPITransportResponse {
        .ok(#"{"notificationHistory":[],"hasMore":\#(hasMore)\#(token.map { #","paginationToken":"\#($0)""# } ?? "")}"#)
    }

    @Test func `each page of a history has the same filters and the revision of the page before`() async throws {
        let test = try TestClient(Self.page("a", hasMore: true), Self.page("b", hasMore: true), Self.page("c", hasMore: false))
        var request = TransactionHistoryRequest()
        (request.productIds, request.revoked, request.sort) = (["p&1", "q"], false, .descending)
        var revisions: [String] = []
        for try await page in test.client.transactionHistory(transactionId: "7", transactionHistoryRequest: request) {
            revisions.append(page.revision)
        }
        #expect(revisions == ["a", "b", "c"])
        let filters = "productId=p%261&productId=q&revoked=false&sort=DESCENDING"
        let url = "https://api.storekit-sandbox.apple.com/inApps/v2/history/7?"
        #expect(
            test.transport.requests.map(\.url) == [url + filters, url + "revision=a&" + filters, url + "revision=b&" + filters])
    }

    @Test func `each page of refunds has the revision of the page before`() async throws {
        let test = try TestClient(Self.refunds("a", hasMore: true), Self.refunds("a", hasMore: false))
        var count = 0
        for try await _ in test.client.refundHistory(transactionId: "7", after: "z") { count += 1 }
        #expect(count == 2)
        #expect(test.transport.requests.map { $0.url.split(separator: "?").last } == ["revision=z", "revision=a"])
    }

    @Test func `each page of notifications has the same body and the token of the page before`() async throws {
        let test = try TestClient(Self.notifications("t/1", hasMore: true), Self.notifications(nil, hasMore: false))
        let request = NotificationHistoryRequest(
            startDate: Timestamp(milliseconds: 1), endDate: Timestamp(milliseconds: 2), onlyFailures: true)
        for try await _ in test.client.notificationHistory(notificationHistoryRequest: request) {}
        let requests = test.transport.requests
        #expect(
            requests.map { $0.url.split(separator: "history").last }
                == [nil, "?paginationToken=t%2F1"].map { $0 ?? requests[0].url.split(separator: "history").last })
        #expect(requests.map(\.body) == Array(repeating: Data(#"{"endDate":2,"onlyFailures":true,"startDate":1}"#.utf8), count: 2))
    }

    @Test func `pages without an end are an error`() async throws {
        let same = try TestClient(Self.page("a", hasMore: true))
        var iterator = same.client.transactionHistory(transactionId: "7").makeAsyncIterator()
        #expect(try await iterator.next()?.revision == "a")
        let error = await #expect(throws: AppStoreServerAPIError.self) { try await iterator.next() }
        guard case .malformedResponse? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        let missing = try TestClient(Self.notifications(nil, hasMore: true))
        let request = NotificationHistoryRequest(startDate: Timestamp(milliseconds: 1), endDate: Timestamp(milliseconds: 2))
        await #expect(throws: AppStoreServerAPIError.self) {
            for try await _ in missing.client.notificationHistory(notificationHistoryRequest: request) {}
        }
        #expect(same.transport.requests.count == 2 && missing.transport.requests.count == 1)
    }

    @Test func `after an error the iterator requests the same page again`() async throws {
        let test = try TestClient(Self.refunds("a", hasMore: true), .error(.invalidRequestRevision), Self.refunds("b", hasMore: false))
        var iterator = test.client.refundHistory(transactionId: "7").makeAsyncIterator()
        #expect(try await iterator.next()?.revision == "a")
        await #expect(throws: AppStoreServerAPIError.self) { try await iterator.next() }
        #expect(try await iterator.next()?.revision == "b")
        #expect(try await iterator.next() == nil)
        #expect(test.transport.requests.suffix(2).allSatisfy { $0.url.hasSuffix("?revision=a") })
    }
}
