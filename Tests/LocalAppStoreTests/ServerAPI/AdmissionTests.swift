import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import PurchaseModel
import PurchaseProtocol
import PurchaseTestSupport
import Testing

@testable import LocalAppStore

@Suite struct AdmissionTests {
    /// A token that is not let in, and a word of the reason.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let token: @Sendable (StoreHarness) throws -> String

        init(_ word: String, _ token: @escaping @Sendable (StoreHarness) throws -> String) {
            testDescription = word
            self.token = token
        }
    }

    static let strangers: [Case] = [
        Case("expired") { try $0.apiToken(at: $0.clock.now.adding(seconds: -300)) },
        Case("future") { try $0.apiToken(at: $0.clock.now.adding(seconds: 61)) },
        Case("3601 seconds") { try $0.apiToken(lifetime: 3601) },
        Case("payload.iss") { try $0.apiToken(issuer: "x") },
        Case("(bid)") { try $0.apiToken(bundleID: "com.example.other") },
        Case("OTHER12345") { try $0.apiToken(keyID: "OTHER12345") },
        Case("Another key") { try $0.apiToken(key: P256.Signing.PrivateKey().pemRepresentation) },
        Case("malformed") { _ in "hello" },
        Case("parts") { try $0.apiToken() + ".x" },
    ]

    @Test(arguments: strangers) func `who has no good token is told why, without a number`(case: Case) async throws {
        try await StoreHarness.run { harness in
            let response = try await harness.sendAPI(.transactionInfo, ["transactionId": "1"], token: try `case`.token(harness))
            #expect(response.status == .unauthorized)
            #expect(response.headers[.contentType] == "text/plain")
            let text = String(buffer: response.body)
            #expect(text.hasPrefix("Unauthenticated\n"))
            #expect(text.contains(`case`.testDescription), "\(text)")
        }
    }

    @Test func `without a token nobody is let in`() async throws {
        try await StoreHarness.run { harness in
            for header in [nil, "", "Basic eDp5", "Bearer "] {
                var headers: HTTPFields = [:]
                headers[.authorization] = header
                let response = try await harness.send(.get, "/inApps/v1/transactions/1", headers)
                #expect(response.status == .unauthorized)
            }
        }
    }

    @Test func `tokens are judged by the machine's clock, wherever the store's stands`() async throws {
        try await StoreHarness.run { harness in
            try await harness.advance(days: 400)
            await #expect(throws: APIRefused(.transactionIdNotFound)) { try await harness.api(.transactionInfo, "1") }
            let late = try await harness.sendAPI(
                .transactionInfo, ["transactionId": "1"], token: try harness.apiToken(at: harness.store.clock.now))
            #expect(late.status == .unauthorized)
        }
    }

    @Test func `the fault of a wrong clock refuses good tokens`() async throws {
        try await StoreHarness.run { harness in
            _ = try await harness.call(ControlEndpoints.setFault, Fault(.wrongClock(seconds: 7200), count: 1))
            #expect(try await harness.sendAPI(.transactionInfo, ["transactionId": "1"]).status == .unauthorized)
            #expect(try await harness.sendAPI(.transactionInfo, ["transactionId": "1"]).status == .notFound)
        }
    }

    @Test func `an app that calls too often waits until the hour is over`() async throws {
        try await StoreHarness.run { harness in
            harness.store.setRateLimits(RateLimits(callsPerHour: [.transactionInfo: 30]))
            for _ in 0..<3 { #expect(try await harness.sendAPI(.transactionInfo, ["transactionId": "1"]).status == .notFound) }
            let refused = try await harness.sendAPI(.transactionInfo, ["transactionId": "1"])
            #expect(throws: APIRefused(.rateLimitExceeded)) { try StoreHarness.read(refused, Empty.self) }
            // 12:34:56 is in the hour that ends at 13:00.
            #expect(refused.headers[.retryAfter] == "1738328400000")
            #expect(try await harness.sendAPI(.subscriptionStatuses, ["transactionId": "1"]).status == .notFound)
            #expect(try await harness.sendAPI(.transactionInfo, ["transactionId": "1"], in: .production).status == .notFound)
            harness.clock.set(Timestamp(milliseconds: 1_738_328_400_000))
            #expect(try await harness.sendAPI(.transactionInfo, ["transactionId": "1"]).status == .notFound)
        }
    }

    @Test func `Apple's limits can be switched on and off`() async throws {
        try await StoreHarness.run { harness in
            _ = try await harness.call(ControlEndpoints.rateLimits, RateLimitsRequest(isOn: true))
            for _ in 0..<360 { _ = try? harness.store.admit(try Self.request(harness), to: .requestTestNotification, in: .sandbox) }
            await #expect(throws: APIRefused(.rateLimitExceeded)) { try await harness.api(.requestTestNotification) }
            _ = try await harness.call(ControlEndpoints.rateLimits, RateLimitsRequest(isOn: false))
            await #expect(throws: APIRefused(.serverNotificationURLNotFound)) { try await harness.api(.requestTestNotification) }
        }
    }

    private static func request(_ harness: StoreHarness) throws -> Request {
        let headers: HTTPFields = [.authorization: "Bearer \(try harness.apiToken())"]
        let head = HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/", headerFields: headers)
        return Request(head: head, body: RequestBody(buffer: ByteBuffer()))
    }

    @Test func `Apple's limits are of an hour, and a tenth in the sandbox`() {
        #expect(RateLimits.apple.budget(.transactionInfo, in: .production) == 180_000)
        #expect(RateLimits.apple.budget(.transactionInfo, in: .sandbox) == 18_000)
        #expect(RateLimits.apple.budget(.massExtensionStatus, in: .production) == nil)
        let limiter = RateLimiter(.apple)
        let calls = (0..<361).map { _ in limiter.take(.requestTestNotification, .test, .sandbox, at: .testStart) }
        #expect(calls.filter { $0 == nil }.count == 360)
        #expect(limiter.take(.requestTestNotification, "com.example.other", .sandbox, at: .testStart) == nil)
    }
}
