import Foundation
import PurchaseModel
import StoreControl
import Testing

/// Tests of the client with a store in this process, by the public API only.
@Suite(.timeLimit(.minutes(10))) struct StoreClientTests {
    @Test func `an account buys, renews after a month, and gets its money back`() async throws {
        try await withStore { store in
            try await store.createAccount("jane")
            #expect(try await store.account("jane").hasValidPaymentMethod)
            let bought = try #require(try await store.buy("com.example.pro", for: "jane").transaction)
            #expect(bought.productId == "com.example.pro")
            let details = try await store.transaction(bought.transactionId)
            #expect(details.account == "jane" && details.summary.kind == "purchase")

            let position = try await store.newestEvent()?.id ?? 0
            try await store.advance(months: 1)
            let renewal = try #require(try await nextRenewal(in: store, after: position))
            #expect(renewal.originalTransactionID == bought.transactionId && renewal.account == "jane")
            #expect(try await store.transactions(of: "jane").map(\.summary.kind) == ["purchase", "renewal"])

            let renewed = try #require(renewal.transactionID)
            #expect(try await store.refund(renewed))
            #expect(try await !store.refund(renewed))
            #expect(try await store.charges(of: "jane").map(\.amount.milliunits) == [4_990, 4_990, -4_990])
            #expect(try await store.subscriptions(of: "jane").map(\.status) == [.revoked])
        }
    }

    @Test func `an invalid payment method fails the renewal, and a valid one recovers it`() async throws {
        try await withStore { store in
            let bought = try #require(try await store.buy("com.example.pro", for: "jane").transaction)
            try await store.changeAccount("jane") { $0.hasValidPaymentMethod = false }
            try await store.advance(months: 1)
            #expect(try await store.subscriptions(of: "jane").map(\.status) == [.gracePeriod])
            try await store.setPaymentMethod(isValid: true, of: "jane")
            #expect(try await store.subscriptions(of: "jane").map(\.status) == [.active])
            let changed = try await store.setAutoRenew(isEnabled: false, of: bought.transactionId)
            #expect(changed.status == .active)
            #expect(try await store.expire(bought.transactionId).status == .expired)
        }
    }

    @Test func `a parent approves a purchase`() async throws {
        try await withStore { store in
            try await store.createAccount("tom", askToBuyEnabled: true)
            guard case .deferred(let payment) = try await store.buy("com.example.coins", for: "tom") else {
                Issue.record("The purchase was not deferred.")
                return
            }
            #expect(try await store.approvals().map(\.payment) == [payment])
            try await store.approve(payment)
            #expect(try await store.approvals().isEmpty)
            #expect(try await store.transactions(of: "tom").count == 1)
        }
    }

    @Test func `a refused purchase is an outcome and no error`() async throws {
        try await withStore { store in
            guard case .refused = try await store.buy("com.example.unknown", for: "jane") else {
                Issue.record("The purchase was not refused.")
                return
            }
        }
    }

    @Test func `a fault takes effect while it is enabled`() async throws {
        try await withStore { store in
            let address = try await store.description().sandboxVerifyReceipt
            #expect(try await postStatus(address) == 200)
            try await withOutage(of: store) {
                let faults = try await store.faults()
                #expect(faults.map(\.fault.surface) == [.verifyReceipt])
                #expect(try await postStatus(address) == 503)
            }
            #expect(try await store.faults().isEmpty)
            #expect(try await postStatus(address) == 200)

            await #expect(throws: CancellationError.self) {
                try await withOutage(of: store) { throw CancellationError() }
            }
            #expect(try await store.faults().isEmpty)

            try await store.withFault(Fault(.lostReply)) { "a result that the caller does not need" }
            let enabled = try await store.enable(Fault(.lostReply, count: 2))
            #expect(try await store.faults() == [enabled])
            try await store.disable(enabled.id)
            #expect(try await store.faults().isEmpty)
        }
    }

    @Test func `requests, notifications and results of a search are readable`() async throws {
        try await withStore { store in
            let reply = try await store.trigger("DID_RENEW", account: "jane")
            #expect(try await store.notifications().contains { $0.notificationUUID == reply.notificationUUID })
            let details = try await store.notification(reply.notificationUUID)
            #expect(details.type == "DID_RENEW" && details.transactionJSON != nil)
            #expect(try await store.search("jane").first?.kind == .account)
            _ = try await postStatus(try await store.description().sandboxVerifyReceipt)
            var query = RequestQuery()
            query.surfaces = [.verifyReceipt]
            let request = try #require(try await store.requests(query).last)
            #expect(try await store.request(request.id).summary.method == "POST")
        }
    }

    @Test func `an app gets a catalog and an address, and its products are listed`() async throws {
        try await withStore { store in
            let app = try await store.setApp("com.example.second") { request in
                request.storekitFile = TestShop.storekit
                request.sandboxURL = "http://127.0.0.1:9/notifications"
            }
            #expect(app.productCount == 2 && app.sandboxURL == "http://127.0.0.1:9/notifications")
            #expect(try await store.apps().map(\.bundleID).contains("com.example.second"))
            #expect(try await Set(store.products(of: "com.example.second").map(\.id)) == ["com.example.coins", "com.example.pro"])
            await #expect(throws: StoreControlError.invalidRequest("storekitFile: the bytes are not JSON")) {
                try await store.setApp("com.example.second") { $0.storekitFile = Data("nonsense".utf8) }
            }
        }
    }

    @Test func `the time advances to a date, and does not go back`() async throws {
        try await withStore { store in
            try await store.setClock(factor: 0)
            let start = try await store.clock().now
            #expect(try await store.advance(days: 100).now == start.adding(days: 100))
            #expect(try await store.advance(to: start.adding(days: 200)).now == start.adding(days: 200))
            for seconds in [-1, .max] as [Int64] {
                let error = await #expect(throws: StoreControlError.self) { try await store.advance(seconds: seconds) }
                #expect(error?.code == "clock.out-of-range")
            }
            #expect(try await store.clock().now == start.adding(days: 200))
        }
    }

    @Test func `an unknown account is refused with a code and an advice`() async throws {
        try await withStore { store in
            let error = await #expect(throws: StoreControlError.self) { try await store.account("nobody") }
            #expect(error?.code == "account.unknown" && error?.status == 404)
            #expect(error?.description.contains("create the account first") == true)
            #expect(try await !exists("nobody", in: store))
            try await store.createAccount("nobody")
            #expect(try await exists("nobody", in: store))
        }
    }

    @Test func `an address without a store is unreachable, and the message states how to start one`() async throws {
        let url = try #require(HTTPURL("http://127.0.0.1:9"))
        let store = StoreClient(url: url)
        await #expect(throws: StoreControlError.unreachable(url)) { try await store.clock() }
        await #expect(throws: StoreControlError.unreachable(url)) {
            for try await _ in store.events() {}
        }
        await #expect(throws: StoreControlError.unreachable(url)) {
            try await StoreClient.find(environment: ["TILLROLL_STORE": "http://127.0.0.1:9"])
        }
        #expect(StoreControlError.unreachable(url).description.contains("tillroll store up"))
    }

    @Test(arguments: ["127.0.0.1:7701", "http://127.0.0.1:7701/?store=1"])
    func `a text that is no address is refused before a request`(_ address: String) async throws {
        await #expect(throws: StoreControlError.invalidAddress(address)) {
            try await StoreClient.find(environment: ["TILLROLL_STORE": address])
        }
    }

    @Test func `an address with a query is refused before a request`() async throws {
        let url = try #require(HTTPURL("http://127.0.0.1:9/?store=1"))
        await #expect(throws: StoreControlError.invalidAddress(url.text)) { try await StoreClient(url: url).clock() }
        await #expect(throws: StoreControlError.invalidAddress(url.text)) { try await StoreClient(url: url).export() }
        await #expect(throws: StoreControlError.invalidAddress(url.text)) { try await StoreHostClient(url: url).stores() }
        await #expect(throws: StoreControlError.invalidAddress(url.text)) {
            for try await _ in StoreClient(url: url).events() {}
        }
    }
}
