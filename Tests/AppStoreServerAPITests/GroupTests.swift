import AppStoreServerAPI
import Foundation
import FoundationExtras
import HummingbirdTesting
import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

/// The requests about groups and seats, which no other client library has yet.
@Suite struct GroupTests {
    /// A call, the request that it sends, and the response.
    struct Call: Sendable, CustomTestStringConvertible {
        let request: String
        var body: String?
        let response: String
        let call: @Sendable (AppStoreServerAPIClient) async throws -> Void

        var testDescription: String { request }
    }

    private static let claim = "5a3b1f2c-7d7f-4f13-8a86-0f3a1c9e2b77"

    static let calls: [Call] = [
        Call(
            request: "GET /groups/v1/transactions/700000000000040/seats",
            response: #"{"totalSeatCount":5,"availableSeatCount":3,"assignedSeatClaimIds":["\#(claim)","b"]}"#
        ) { api in
            let seats = try await api.getSeatInfo(originalTransactionId: "700000000000040")
            #expect(seats.totalSeatCount == 5 && seats.availableSeatCount == 3 && seats.assignedSeatClaimIds == [claim, "b"])
        },
        Call(
            request: "POST /groups/v1/transactions/700000000000040/seats",
            body: #"{"appTransactionId":"704000000000007","requestIdentifier":"0b0f6c3e-5f0c-4d55-9a37-2d8f4f6f1a11"}"#,
            response: #"{"seatClaimId":"\#(claim)"}"#
        ) { api in
            let request = ClaimSeatRequest(
                requestIdentifier: "0b0f6c3e-5f0c-4d55-9a37-2d8f4f6f1a11", appTransactionId: "704000000000007")
            let response = try await api.claimSeat(originalTransactionId: "700000000000040", claimSeatRequest: request)
            #expect(response.seatClaimId == claim)
        },
        Call(request: "DELETE /groups/v1/transactions/700000000000040/seats/\(claim)", response: "") { api in
            try await api.unclaimSeat(originalTransactionId: "700000000000040", seatClaimId: claim)
        },
        Call(
            request: "POST /groups/v1/transactions/700000000000040/seats/\(claim)/associate",
            body: #"{"appTransactionId":"704000000000007"}"#, response: ""
        ) { api in
            try await api.associateSeat(
                originalTransactionId: "700000000000040", seatClaimId: claim,
                associateSeatRequest: AssociateSeatRequest(appTransactionId: "704000000000007"))
        },
        Call(
            request: "GET /groups/v1/currentGroups/700000000000042",
            response: #"{"groups":[{"groupId":"810000000000000001","groupType":"CONSUMER"},{"groupId":"2","groupType":"NEW"}]}"#
        ) { api in
            let groups = try await api.getCustomerGroups(transactionId: "700000000000042").groups
            #expect(groups.map(\.type) == [.consumer, nil] && groups.first?.roles == nil)
        },
        Call(
            request: "GET /groups/v1/currentGroups/700000000000043",
            response: #"{"groups":[{"groupId":"3","groupType":"ORGANIZATION","roles":[{"productId":"com.example.p","role":"ADMIN"}]}]}"#
        ) { api in
            let group = try await api.getCustomerGroups(transactionId: "700000000000043").groups.first
            #expect(group?.type == .organization)
            #expect(group?.roles?.map(\.productId) == ["com.example.p"] && group?.roles?.map(\.role) == ["ADMIN"])
        },
        Call(
            request: "GET /groups/v1/group/810000000000000001?limit=2&paginationToken=b3Bh",
            response: #"{"members":[{"appTransactionId":"704000000000007"}],"hasMore":true,"paginationToken":"c3Bh"}"#
        ) { api in
            let page = try await api.getGroupMembers(groupId: "810000000000000001", paginationToken: "b3Bh", limit: 2)
            #expect(page.members.map(\.appTransactionId) == ["704000000000007"] && page.hasMore && page.paginationToken == "c3Bh")
        },
    ]

    @Test(arguments: calls) func `a request about a group follows the documentation`(_ call: Call) async throws {
        let test = try TestClient(ServerAPITransportResponse(status: 200, body: Data(call.response.utf8)))
        try await call.call(test.client)
        let request = try #require(test.transport.requests.first)
        #expect(request.url.hasSuffix(String(call.request.split(separator: " ")[1])) && call.request.hasPrefix(request.method))
        #expect(request.body.map { String(decoding: $0, as: UTF8.self) } == call.body)
    }

    @Test func `a customer without a group is in the sandbox's placeholder group`() async throws {
        try await StoreHarness.listen { store in
            let api = try store.serverAPI()
            let bought = try await store.bought(.magazine)
            let group = try #require(try await api.getCustomerGroups(transactionId: bought.transactionId).groups.first)
            #expect(group.type == .organization && group.groupId == "900000000000000000")
            #expect(group.roles?.map { "\($0.productId) \($0.role)" } == ["com.example.product1 ADMIN", "com.example.product2 NONE"])
            var members: [String] = []
            for try await page in api.groupMembers(groupId: group.groupId) { members += page.members.map(\.appTransactionId) }
            #expect(members == ["700000000000000000"])
        }
    }

    @Test func `a customer without a group in the production environment is in no group`() async throws {
        try await StoreHarness.listen { store in
            try await store.createAccount(.test)
            try await store.set(.test) { $0.environment = .production }
            _ = try await store.call(ControlEndpoints.buy, BuyRequest(account: .test, productID: .magazine))
            let transactions = try await store.call(ControlEndpoints.transactions, Empty(), ["account": AccountID.test.rawValue])
            let bought = try #require(transactions.summaries.first).payload.transactionId
            let api = try store.serverAPI(in: .production)
            #expect(try await api.getCustomerGroups(transactionId: bought).groups.isEmpty)
            await #expect {
                _ = try await api.getGroupMembers(groupId: "900000000000000000")
            } throws: {
                ($0 as? AppStoreServerAPIError)?.apiError == .groupNotFound
            }
        }
    }
}
