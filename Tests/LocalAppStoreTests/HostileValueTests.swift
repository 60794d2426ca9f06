import Foundation
import FoundationExtras
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import LocalAppStore

/// Tests that send oversized bodies, and hostile values in each numeric field.
@Suite struct HostileValueTests {
    /// Paths and request bodies, with `#` in place of a number and `ID` in place of a transaction ID.
    private static let bodies = [
        ("/control/v1/clock/advance", #"{"seconds":#}"#),
        ("/control/v1/clock", #"{"factor":#}"#),
        ("/control/v1/clock", #"{"now":#}"#),
        ("/control/v1/clock", #"{"timeRate":#}"#),
        ("/control/v1/purchases", #"{"account":"ada@example.com","productID":"com.example.monkeyshop.credits5","quantity":#}"#),
        ("/control/v1/purchases", #"{"account":"ada@example.com","productID":"com.example.monkeyshop.magazine","offer":{"kind":#}}"#),
        ("/control/v1/subscriptions/ID", #"{"action":"increase-price-with-consent","price":#}"#),
        ("/control/v1/subscriptions/ID", #"{"action":"extend","days":#}"#),
        ("/control/v1/refunds", #"{"transactionID":"ID","reason":#}"#),
        ("/control/v1/refunds", #"{"transactionID":"ID","percentage":#}"#),
        ("/control/v1/apps/com.example.monkeyshop", #"{"appAppleID":#}"#),
        ("/control/v1/apps/com.example.monkeyshop", #"{"notificationVersion":#}"#),
        ("/control/v1/faults", #"{"kind":{"lostReply":{}},"path":"/none","count":#}"#),
        ("/control/v1/faults", #"{"kind":{"delay":{"milliseconds":#}},"path":"/none"}"#),
        ("/control/v1/faults", #"{"kind":{"clockSkew":{"seconds":#}},"path":"/none"}"#),
        ("/control/v1/faults", #"{"kind":{"status":{"code":#}},"path":"/none"}"#),
        ("/control/v1/faults", #"{"kind":{"status":{"code":429,"retryAfterSeconds":#}},"path":"/none"}"#),
        ("/control/v1/faults", #"{"kind":{"notificationDelayed":{"seconds":#}},"path":"/none"}"#),
        ("/device/v1/purchases", #"{"payment":"p","productID":"com.example.monkeyshop.credits5","quantity":#}"#),
    ]
    private static let values = [
        "9223372036854775807", "-9223372036854775808", "9223372036854775808", "4294967296", "-1", "0", "1e308", "-1e308", "1e-308", "1.5",
        "true", "null", #""1""#, #""\u0000""#, "[]", "{}", String(repeating: "9", count: 400),
    ]

    @Test(arguments: bodies)
    func `any value of a numeric field is accepted or refused with a message, and the store keeps running`(_ path: String, _ body: String)
        async throws
    {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let id = try await phone.buy(.magazine).transactionId.rawValue
            for value in Self.values {
                let text = body.replacing("#", with: value).replacing("ID", with: id)
                let headers: HTTPFields = [.authorization: "Bearer \(phone.token)"]
                let response = try await harness.send(.post, path.replacing("ID", with: id), headers, ByteBuffer(string: text))
                #expect([.successful, .clientError].contains(response.status.kind), "\(text): \(response.status)")
                guard response.status.kind == .clientError else { continue }
                #expect(try !WireJSON.decode(WireError.self, from: Data(buffer: response.body)).message.isEmpty)
            }
            _ = try await phone.buy(.credits)
        }
    }

    @Test(arguments: [
        "/device/v1/sign-in", "/device/v1/purchases", "/device/v1/receipt", "/device/v1/restore", "/control/v1/accounts",
        "/control/v1/purchases", "/control/v1/faults", "/control/v1/clock/advance", "/control/v1/refunds",
        "/control/v1/notifications/trigger", "/stores",
    ])
    func `a body of more than 4 MiB is refused with a code and a message`(_ path: String) async throws {
        try await StoreHarness.run { harness in
            let response = try await harness.send(.post, path, [:], Self.long)
            #expect(response.status == .contentTooLarge)
            let error = try WireJSON.decode(WireError.self, from: Data(buffer: response.body))
            #expect(error.code == "body.too-large")
            #expect(error.message.contains("4194304"))
        }
    }

    @Test func `Apple's APIs refuse oversized bodies in their formats, also while faults are enabled`() async throws {
        try await StoreHarness.run { harness in
            let headers: HTTPFields = [.authorization: "Bearer \(try harness.apiToken())"]
            for _ in 0..<2 {
                let path = "/inApps/v1/notifications/history"
                #expect(try await harness.send(.post, path, headers, Self.long).status == .contentTooLarge)
                let receipt = try await harness.send(.post, "/verifyReceipt", [:], ByteBuffer(repeating: 0x20, count: 9 << 20))
                #expect(String(buffer: receipt.body) == #"{"status":21002}"#)
                var fault = Fault(.lostReply)
                fault.path = "/none"
                _ = try await harness.call(ControlEndpoints.setFault, fault)
            }
        }
    }

    private static let long = ByteBuffer(repeating: 0x20, count: (4 << 20) + 1)
}
