import Foundation
import HTTPTypes
import Hummingbird
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

/// Tests that the documents of `docs/openapi` match the store.
@Suite struct OpenAPITests {
    @Test func `the documents list exactly the routes of the device API and the control API`() async throws {
        let store = try await LocalAppStore(configuration: .test(), logger: .silent)
        let routes = StoreHost(singleStore: store).router(.loopback) { _ in }.routes.map { route in
            "\(route.method.rawValue) \(route.path)"
        }
        func mounted(_ prefixes: [String]) -> Set<String> {
            Set(routes.filter { route in prefixes.contains { route.split(separator: " ").last?.hasPrefix($0) == true } })
        }
        let device = try OpenAPIDocument("device").operations
        let control = try OpenAPIDocument("control").operations
        #expect(device == mounted(["/device/"]) && device.count >= 12)
        #expect(control == mounted(["/control/", "/store"]) && control.count >= 45)
    }

    @Test func `every referenced schema exists, and its required properties are defined`() throws {
        for name in ["device", "control"] {
            let document = try OpenAPIDocument(name)
            #expect(document.schemas.count > 20)
            for (operation, schema) in document.answers { #expect(document.schemas[schema] != nil, "\(operation)") }
            for (name, schema) in document.schemas { #expect(schema.required.isSubset(of: schema.properties), "\(name)") }
        }
    }

    @Test func `replies of the control API match their schemas`() async throws {
        let document = try OpenAPIDocument("control")
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let magazine = try await phone.buy(.magazine)
            let book = try await phone.buy(.book)
            _ = try await harness.call(ControlEndpoints.requestRefund, RefundRequest(transactionID: book.transactionId))
            _ = try await harness.call(ControlEndpoints.setFault, Fault(.lostReply, count: 1))
            try await harness.advance(days: 40)
            let notification = try await harness.call(ControlEndpoints.notifications, Empty()).deliveries[0].notificationUUID
            let account = ["account": "ada@example.com", "bundle": BundleID.test.rawValue, "store": "default"]
            var parameters = account
            parameters["notification"] = notification
            parameters["request"] = "1"
            parameters["transaction"] = magazine.transactionId.rawValue
            // The queries without which a reply is refused or has no optional members.
            let queries = ["/control/v1/accounts": "?limit=1", "/control/v1/search": "?text=ada"]
            let reads = document.operations.filter { $0.hasPrefix("GET ") && !$0.hasSuffix("/stream") && !$0.hasSuffix("/export") }
            #expect(reads.count >= 21)
            for operation in reads where !["GET /stores/{store}", Self.seats].contains(operation) {
                let template = String(operation.dropFirst(4))
                let path = Endpoint<Empty, Empty>(.get, template).path(parameters) + queries[template, default: ""]
                try await Self.check(operation, try await harness.send(.get, path), document)
            }
            let posts: [(String, String)] = [
                ("/control/v1/clock", #"{"factor":0}"#), ("/control/v1/clock/advance", #"{"seconds":1}"#),
                ("/control/v1/purchases", #"{"account":"ada@example.com","productID":"\#(ProductID.credits.rawValue)"}"#),
                ("/control/v1/subscriptions/{transaction}", #"{"action":"renew"}"#), ("/control/v1/faults", #"{"kind":{"lostReply":{}}}"#),
                ("/control/v1/apps/{bundle}", #"{"version":"2.0"}"#), ("/control/v1/accounts/{account}", "{}"),
                ("/control/v1/notifications/trigger", #"{"type":"TEST"}"#), ("/stores", "{}"),
                ("/control/v1/notifications/{notification}/resend", "{}"),
                ("/control/v1/refunds", #"{"transactionID":"\#(book.transactionId)"}"#), ("/control/v1/explain", #"{"text":"a.b.c"}"#),
            ]
            for (template, body) in posts {
                let path = Endpoint<Empty, Empty>(.post, template).path(parameters)
                try await Self.check("POST \(template)", try await harness.send(.post, path, [:], ByteBuffer(string: body)), document)
            }
        }
    }

    private static let seats = "GET /control/v1/subscriptions/{transaction}/seats"

    @Test(arguments: [InvitationManagement.apple, .developer]) func `replies about seats match their schema`(
        _ management: InvitationManagement
    ) async throws {
        let document = try OpenAPIDocument("control")
        try await StoreHarness.run(storekit: SeatCatalog.storekit(management)) { harness in
            let reply = try await harness.call(
                ControlEndpoints.buy, BuyRequest(account: .test, productID: "team.monthly", seats: 3))
            guard case .purchased(let signed, _) = reply else { return }
            let id = try await harness.payloads([signed])[0].transactionId
            if management == .apple {
                let path = "/control/v1/subscriptions/\(id)/seats/members"
                let body = ByteBuffer(string: #"{"account":"ann"}"#)
                let operation = "POST /control/v1/subscriptions/{transaction}/seats/members"
                try await Self.check(operation, try await harness.send(.post, path, [:], body), document)
            }
            try await Self.check(Self.seats, try await harness.send(.get, "/control/v1/subscriptions/\(id)/seats"), document)
            let subscriptions = try await harness.send(.get, "/control/v1/accounts/\(AccountID.test)/subscriptions")
            try await Self.check("GET /control/v1/accounts/{account}/subscriptions", subscriptions, document)
        }
    }

    @Test func `replies of the device API match their schemas`() async throws {
        let document = try OpenAPIDocument("device")
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let book = try await phone.buy(.book)
            let magazine = try await phone.buy(.magazineWeekly)
            let posts: [(String, String)] = [
                (
                    "sign-in",
                    #"{"account":"ada@example.com","password":"\#(AccountID.testPassword)","device":"\#(DeviceID.test)","bundleID":"\#(BundleID.test)","appVersion":"1"}"#
                ),
                ("products", #"{"productIDs":["\#(ProductID.magazine.rawValue)","none"]}"#),
                (
                    "purchases",
                    #"{"payment":"\#(UUID().uuidString.lowercased())","productID":"\#(ProductID.magazine.rawValue)","quantity":1}"#
                ),
                ("unfinished", "{}"), ("restore", #"{"requestID":"\#(UUID().uuidString)"}"#), ("receipt", #"{"expired":false}"#),
                ("transaction-receipt", #"{"transactionID":"\#(book.transactionId)"}"#), ("app-transaction", "{}"), ("history", "{}"),
                ("finish", #"{"transactionID":"\#(book.transactionId)"}"#), ("redeem", #"{"payment":"p","code":"none"}"#),
                ("refund-requests", #"{"transactionID":"\#(book.transactionId)"}"#),
                ("subscriptions", #"{"transactionID":"\#(magazine.transactionId)","action":"disable-auto-renew"}"#),
            ]
            #expect(Set(posts.map { "POST /device/v1/\($0.0)" }) == document.operations.filter { $0.hasPrefix("POST ") })
            for (name, body) in posts {
                let headers: HTTPFields = [.authorization: "Bearer \(phone.token)"]
                let answer = try await harness.send(.post, "/device/v1/\(name)", headers, ByteBuffer(string: body))
                try await Self.check("POST /device/v1/\(name)", answer, document)
            }
        }
    }

    /// Compares the members of a response with its schema.
    private static func check(_ operation: String, _ response: TestResponse, _ document: OpenAPIDocument) async throws {
        #expect([.ok, .created].contains(response.status), "\(operation) \(String(buffer: response.body))")
        let differences = try document.differences(of: Data(buffer: response.body), to: operation)
        #expect(differences.isEmpty, "\(differences)")
    }
}
