import Foundation
import FoundationExtras
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import LocalAppStore

@Suite struct HostileRequestTests {
    private static let posts = [
        "/device/v1/sign-in", "/device/v1/products", "/device/v1/purchases", "/device/v1/finish", "/device/v1/restore",
        "/device/v1/receipt", "/control/v1/accounts", "/control/v1/accounts/ada/payment-method", "/control/v1/approvals/x",
        "/control/v1/clock/advance", "/control/v1/refunds",
    ]
    private static let bodies = [
        "", "nonsense", "[]", "null", "{\"seconds\":1e400}", #"{"account":{},"productIDs":7,"payment":[]}"#, "\u{0}",
        String(repeating: "{\"a\":", count: 2_000),
    ]

    @Test(arguments: posts, bodies)
    func `an invalid request body is refused`(_ path: String, _ body: String) async throws {
        try await StoreHarness.run { harness in
            let token = try await harness.signIn().token
            let response = try await harness.send(.post, path, [.authorization: "Bearer \(token)"], ByteBuffer(string: body))
            #expect(response.status.kind == .clientError)
            _ = try WireJSON.decode(WireError.self, from: Data(buffer: response.body))
        }
    }

    @Test(arguments: [
        (HTTPRequest.Method.get, "/nowhere", 404), (.get, "/control/v1/accounts/%FF/charges", 400),
        (.get, "/control/v1/accounts/nobody/charges", 404), (.delete, "/control/v1/refunds", 405),
    ])
    func `an unknown path, account or method is refused`(_ method: HTTPRequest.Method, _ path: String, _ status: Int) async throws {
        try await StoreHarness.run { harness in
            let response = try await harness.send(method, path)
            #expect(response.status.code == status)
        }
    }

    @Test func `invalid payment and device identifiers are refused`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            for payment in ["", String(repeating: "x", count: 101)] {
                await #expect(throws: Refused(status: 400, code: "request.invalid-value")) {
                    try await phone.purchase(.credits, payment: PaymentID(payment))
                }
            }
            let request = SignInRequest(account: .test, password: AccountID.testPassword, device: "phone", bundleID: .test, appVersion: "1")
            await #expect(throws: Refused(status: 400, code: "request.invalid-value")) {
                try await harness.call(DeviceEndpoints.signIn, request)
            }
        }
    }

    @Test func `the root page lists the addresses of the store`() async throws {
        try await StoreHarness.run { harness in
            let response = try await harness.send(.get, "/")
            #expect(response.status == .ok)
            #expect(String(buffer: response.body).contains("/sandbox/verifyReceipt"))
        }
    }
}
