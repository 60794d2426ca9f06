import Foundation
import GRDB
import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing

@testable import LocalAppStore

@Suite struct AccountTests {
    @Test func `a wrong password and an unknown account are refused with the same error`() async throws {
        try await StoreHarness.run { harness in
            _ = try await harness.signIn()
            for (account, password) in [("ada@example.com", "guess"), ("nobody@example.com", AccountID.testPassword)] {
                let request = SignInRequest(
                    account: AccountID(account), password: password, device: .test, bundleID: .test, appVersion: "1.0"
                )
                await #expect(throws: Refused(status: 401, code: "account.sign-in-refused")) {
                    try await harness.call(DeviceEndpoints.signIn, request)
                }
            }
        }
    }

    @Test func `creating an account again succeeds only with the same password`() async throws {
        try await StoreHarness.run { harness in
            let request = CreateAccountRequest(account: "ada@example.com", password: "secret")
            _ = try await harness.call(ControlEndpoints.createAccount, request)
            _ = try await harness.call(ControlEndpoints.createAccount, request)
            let other = CreateAccountRequest(account: "ada@example.com", password: "other")
            await #expect(throws: Refused(status: 409, code: "account.taken")) {
                try await harness.call(ControlEndpoints.createAccount, other)
            }
        }
    }

    @Test func `sign-in for an unknown app is refused`() async throws {
        try await StoreHarness.run { harness in
            await #expect(throws: Refused(status: 404, code: "app.unknown")) { try await harness.signIn(app: "com.example.other") }
        }
    }

    @Test(arguments: [nil, "", "unknown-token"])
    func `calls without a valid session token are refused`(_ token: String?) async throws {
        try await StoreHarness.run { harness in
            let purchase = PurchaseRequest(payment: PaymentID(UUID()), productID: .credits, quantity: 1, appAccountToken: nil)
            let signedOut = Refused(status: 401, code: "account.signed-out")
            await #expect(throws: signedOut) { try await harness.call(DeviceEndpoints.purchase, purchase, token: token) }
            await #expect(throws: signedOut) { try await harness.call(DeviceEndpoints.unfinished, UnfinishedRequest(), token: token) }
            await #expect(throws: signedOut) { try await harness.call(DeviceEndpoints.receipt, ReceiptRequest(), token: token) }
            await #expect(throws: signedOut) {
                try await harness.call(DeviceEndpoints.finish, FinishRequest(transactionID: "1"), token: token)
            }
            await #expect(throws: signedOut) {
                try await harness.call(DeviceEndpoints.restore, RestoreRequest(requestID: UUID(), appAccountToken: nil), token: token)
            }
        }
    }

    @Test func `the database stores only hashes of session tokens`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let hashes = try await harness.store.context.read { db in try SessionRecord.fetchAll(db).map(\.tokenHash) }
            #expect(hashes.count == 1)
            #expect(hashes.first?.count == 32)
            #expect(hashes.first != Data(phone.token.utf8))
        }
    }

    @Test func `products are listed without sign-in, with the IDs of unknown products`() async throws {
        try await StoreHarness.run { harness in
            let reply = try await harness.call(DeviceEndpoints.products, ProductsRequest(productIDs: [.credits, "no.such", .credits]))
            #expect(reply.invalidProductIDs == ["no.such"])
            #expect(reply.products.map(\.id) == [.credits])
            #expect(reply.products.first?.title == "5 credits")
            #expect(reply.products.first?.price == Money(milliunits: 990, currency: "USD"))
        }
    }

    @Test func `a request for more products than the limit is refused`() async throws {
        try await StoreHarness.run { harness in
            let ids = (0...ProductsRequest.limit).map { ProductID("product.\($0)") }
            await #expect(throws: Refused(status: 400, code: "products.too-many")) {
                try await harness.call(DeviceEndpoints.products, ProductsRequest(productIDs: ids))
            }
        }
    }
}
