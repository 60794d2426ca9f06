import Foundation
import HTTPTypes
import Logging
import PurchaseModel
import PurchaseProtocol
import PurchaseTestSupport
import Testing

@testable import PurchaseServer

@Suite struct ContentTicketTests {
    @Test func `a receipt is sent to production first, and to the sandbox after status 21007`() async throws {
        try await Shop.open { shop async throws in
            let answer = try await shop.ticket()
            let ticket: ContentTicket = try answer.value()
            #expect(answer.status == .ok)
            #expect(ticket.verification == ["production 21007", "sandbox 0"])
            #expect(ticket.file == "book.txt")
            #expect(ticket.length == Int64(Shop.bookText.count))
            #expect(ticket.expires == .testStart.adding(seconds: 900))
            #expect(shop.appStore.requests(to: .sandbox).first?.password == "0123456789abcdef0123456789abcdef")
        }
    }

    @Test(arguments: [
        (0, HTTPResponse.Status.ok, nil),
        (21000, .serviceUnavailable, "receipt.indeterminate"),
        (21002, .serviceUnavailable, "receipt.indeterminate"),
        (21003, .forbidden, "receipt.refused"),
        (21004, .serviceUnavailable, "receipt.indeterminate"),
        (21005, .serviceUnavailable, "receipt.indeterminate"),
        (21006, .forbidden, "receipt.refused"),
        (21008, .serviceUnavailable, "receipt.indeterminate"),
        (21009, .serviceUnavailable, "receipt.indeterminate"),
        (21010, .forbidden, "receipt.refused"),
        (21100, .serviceUnavailable, "receipt.indeterminate"),
        (21199, .serviceUnavailable, "receipt.indeterminate"),
        (12345, .serviceUnavailable, "receipt.indeterminate"),
    ])
    func `after any other status of production, no request is sent to the sandbox`(
        _ status: Int, _ http: HTTPResponse.Status, _ code: String?
    ) async throws {
        try await Shop.open { shop async throws in
            shop.appStore.set(.production, .status(status))
            let answer = try await shop.ticket()
            #expect(answer.status == http)
            #expect(answer.code == code)
            #expect(shop.appStore.requests(to: .production).count == 1)
            #expect(shop.appStore.requests(to: .sandbox).isEmpty)
        }
    }

    @Test(arguments: [21000, 21004])
    func `an invalid request or shared secret is logged as an error, without the secret and the receipt`(
        _ status: Int
    ) async throws {
        let log = RecordingLog()
        try await Shop.open(logger: log.logger) { shop async throws in
            shop.appStore.set(.production, .status(status))
            _ = try await shop.ticket()
            #expect(log.lines(.error).count == 1 && log.lines(.error)[0].contains("\(status)"))
            #expect(log.lines(.notice).count == 1 && log.lines(.notice)[0].contains("production \(status)"))
            let request = try #require(shop.appStore.requests(to: .production).first)
            for secret in [request.password, request.receiptData] {
                let secret = try #require(secret)
                #expect(!Logger.Level.allCases.flatMap(log.lines).contains { $0.contains(secret) })
            }
        }
    }

    @Test(arguments: [
        (21003, HTTPResponse.Status.forbidden), (21002, .serviceUnavailable), (21005, .serviceUnavailable), (21007, .serviceUnavailable),
        (21008, .serviceUnavailable), (21010, .forbidden),
    ])
    func `the sandbox's status counts like production's and leads to no further request`(_ status: Int, _ http: HTTPResponse.Status)
        async throws
    {
        try await Shop.open { shop async throws in
            shop.appStore.set(.sandbox, .status(status))
            #expect(try await shop.ticket().status == http)
            #expect(shop.appStore.requests(to: .production).count == 1)
            #expect(shop.appStore.requests(to: .sandbox).count == 1)
        }
    }

    @Test(arguments: [FakeAppStore.Answer.overloaded, .garbage])
    func `an invalid response of verifyReceipt is indeterminate`(_ answer: FakeAppStore.Answer) async throws {
        for host in FakeAppStore.Host.allCases {
            try await Shop.open { shop async throws in
                shop.appStore.set(host, answer)
                let reply = try await shop.ticket()
                #expect(reply.status == .serviceUnavailable)
                #expect(reply.code == "receipt.indeterminate")
            }
        }
    }

    @Test func `when production is unreachable, access neither begins nor ends`() async throws {
        // Port 1 is reserved, and nothing listens there on a loopback address.
        try await Shop.open(productionURL: "http://127.0.0.1:1") { shop async throws in
            _ = try await shop.record(.bookSale)
            let answer = try await shop.ticket()
            #expect(answer.status == .serviceUnavailable)
            #expect(answer.code == "receipt.indeterminate")
            #expect(shop.appStore.requests(to: .sandbox).isEmpty)
            #expect(try await shop.access(to: .book).isGranted)
        }
    }

    @Test func `when the store is unreachable, an issued download token stays valid`() async throws {
        try await Shop.open { shop async throws in
            let ticket: ContentTicket = try await shop.ticket().value()
            shop.appStore.set(.production, .overloaded)
            #expect(try await shop.ticket().code == "receipt.indeterminate")
            #expect(try await shop.content(ticket.ticket).body == Shop.bookText)
        }
    }

    @Test(arguments: [true, false])
    func `a purchase with a cancellation date gives no download token`(_ inReceipt: Bool) async throws {
        try await Shop.open { shop async throws in
            var purchase = VerifyReceiptPurchase(
                quantity: 1, productID: .book, transactionID: "2000000000000002", originalTransactionID: "2000000000000002"
            )
            purchase.cancellationDate = DateTriplet(.testStart)
            var response = VerifyReceiptResponse(status: .valid)
            if inReceipt {
                response.receipt = VerifyReceiptBody(
                    receiptType: "ProductionSandbox", bundleID: .test, applicationVersion: "1.0", inApp: [purchase]
                )
            } else {
                response.latestReceiptInfo = [purchase]
            }
            shop.appStore.set(.sandbox, .response(response))
            let answer = try await shop.ticket()
            #expect(answer.status == .forbidden)
            #expect(answer.code == "content.refunded")
        }
    }

    @Test func `a canceled period gives no access, and a later period does`() async throws {
        try await Shop.open { shop async throws in
            let end = Timestamp.testStart.adding(days: 30)
            var period = VerifyReceiptPurchase(
                quantity: 1, productID: .magazine, transactionID: "3000", originalTransactionID: "3000"
            )
            period.expiresDate = DateTriplet(end)
            period.cancellationDate = DateTriplet(.testStart)
            var response = VerifyReceiptResponse(status: .valid)
            response.latestReceiptInfo = [period]
            shop.appStore.set(.sandbox, .response(response))
            let first = TransactionPayload.sale(.magazine, .autoRenewable, id: "3000", expires: end)
            let second = first.with { $0.transactionId = "3001" }
            #expect(try await shop.ticket(.magazine, [first]).code == "content.refunded")
            #expect(try await shop.ticket(.magazine, [first, second]).status == .ok)
        }
    }

    @Test func `a refund of the original transaction revokes its restored transactions`() async throws {
        try await Shop.open { shop async throws in
            var purchase = VerifyReceiptPurchase(
                quantity: 1, productID: .book, transactionID: "2000000000000002", originalTransactionID: "2000000000000002"
            )
            purchase.cancellationDate = DateTriplet(.testStart)
            var response = VerifyReceiptResponse(status: .valid)
            response.latestReceiptInfo = [purchase]
            shop.appStore.set(.sandbox, .response(response))
            let restored = TransactionPayload.bookSale.with { $0.transactionId = "2000000000000099" }
            #expect(try await shop.ticket(.book, [restored]).code == "content.refunded")
        }
    }

    @Test func `the unsigned response of verifyReceipt cannot add a purchase`() async throws {
        try await Shop.open { shop async throws in
            let invented = VerifyReceiptPurchase(quantity: 1, productID: .book, transactionID: "5", originalTransactionID: "5")
            var response = VerifyReceiptResponse(status: .valid)
            response.receipt = VerifyReceiptBody(
                receiptType: "ProductionSandbox", bundleID: .test, applicationVersion: "1.0", inApp: [invented]
            )
            response.latestReceiptInfo = [invented]
            shop.appStore.set(.sandbox, .response(response))
            let answer = try await shop.ticket(.book, [.creditSale])
            #expect(answer.status == .forbidden)
            #expect(answer.code == "content.not-bought")
        }
    }

    @Test func `a receipt without purchases gives no download token`() async throws {
        try await Shop.open { shop async throws in
            #expect(try await shop.ticket(.book, []).code == "content.not-bought")
        }
    }

    @Test func `a forged or foreign receipt is refused without a request to the store`() async throws {
        try await Shop.open { shop async throws in
            for answer in [try await shop.ticket(by: .other), try await shop.ticket(bundle: "com.example.other")] {
                #expect(answer.status == .forbidden)
                #expect(answer.code == "receipt.refused")
            }
            #expect(shop.appStore.requests(to: .production).isEmpty)
            #expect(try await shop.server.transactions(limit: 10).isEmpty)
        }
    }

    @Test func `a refund notification overrides a receipt that was issued before`() async throws {
        try await Shop.open { shop async throws in
            _ = try await shop.notify(.about(.bookSale.refunded(), type: "REFUND"))
            #expect(try await shop.ticket().code == "content.refunded")
        }
    }

    @Test func `a subscription's content ends with the subscription and continues in the grace period`() async throws {
        try await Shop.open { shop async throws in
            let end = Timestamp.testStart.adding(days: 30)
            let period = TransactionPayload.sale(.magazine, .autoRenewable, id: "3000", expires: end)
            #expect(try await shop.ticket(.magazine, [period]).status == .ok)
            shop.clock.set(end)
            #expect(try await shop.ticket(.magazine, [period]).code == "content.ended")
            var renewal = RenewalInfoPayload.sample(original: "3000", date: end)
            renewal.isInBillingRetryPeriod = true
            renewal.gracePeriodExpiresDate = end.adding(days: 16)
            _ = try await shop.notify(.about(period, renewal, type: "DID_FAIL_TO_RENEW"))
            #expect(try await shop.ticket(.magazine, [period]).status == .ok)
        }
    }

    @Test func `a product without a file has no download token`() async throws {
        try await Shop.open { shop async throws in
            for product in [ProductID.credits5, "unheard.of", "../book.txt", "..%2f", "book.txt"] {
                let answer = try await shop.ticket(product)
                #expect(answer.status == .notFound)
                #expect(answer.code == "content.none")
            }
        }
    }

    @Test func `a missing file is an error of the server`() async throws {
        try await Shop.open { shop async throws in
            let sale = TransactionPayload.bookSale.with { $0.productId = "lost" }
            let answer = try await shop.ticket("lost", [sale])
            #expect(answer.status == .serviceUnavailable)
            #expect(answer.code == "content.missing")
        }
    }

    @Test func `a receipt's purchase is stored and listed`() async throws {
        try await Shop.open { shop async throws in
            _ = try await shop.ticket()
            _ = try await shop.ticket()
            let rows = try await shop.server.transactions(limit: 10)
            #expect(rows.map(\.id) == ["2000000000000002"])
            #expect(rows.first?.state == "owned")
        }
    }
}
