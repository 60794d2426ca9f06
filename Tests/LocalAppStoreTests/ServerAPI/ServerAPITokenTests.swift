import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import LocalAppStore

@Suite struct ServerAPITokenTests {
    /// A rejected token and a part of the expected reason.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let token: @Sendable (StoreHarness) throws -> String

        init(_ word: String, _ token: @escaping @Sendable (StoreHarness) throws -> String) {
            testDescription = word
            self.token = token
        }
    }

    static let rejectedTokens: [Case] = [
        Case("expired") { try $0.apiToken(at: $0.clock.now.adding(seconds: -300)) },
        Case("future") { try $0.apiToken(at: $0.clock.now.adding(seconds: 61)) },
        Case("3601 seconds") { try $0.apiToken(lifetime: 3601) },
        Case("payload.iss") { try $0.apiToken(issuer: "x") },
        Case("bid") { try $0.apiToken(bundleID: "com.example.other") },
        Case("OTHER12345") { try $0.apiToken(keyID: "OTHER12345") },
        Case("Another key") { try $0.apiToken(key: P256.Signing.PrivateKey().pemRepresentation) },
        Case("malformed") { _ in "hello" },
        Case("parts") { try $0.apiToken() + ".x" },
    ]

    @Test(arguments: rejectedTokens) func `an invalid token is refused with a reason and without an error code`(case: Case) async throws {
        try await StoreHarness.run { harness in
            let response = try await harness.sendAPI(.transactionInfo, ["transactionId": "1"], token: try `case`.token(harness))
            #expect(response.status == .unauthorized)
            #expect(response.headers[.contentType] == "text/plain")
            let text = String(buffer: response.body)
            #expect(text.hasPrefix("Unauthenticated\n"))
            #expect(text.contains(`case`.testDescription), "\(text)")
        }
    }

    @Test(arguments: ["/inApps/v1/transactions/1", "/groups/v1/currentGroups/1", "/groups/v1/transactions/1/seats"])
    func `requests without a token are refused`(_ path: String) async throws {
        try await StoreHarness.run { harness in
            for header in [nil, "", "Basic eDp5", "Bearer "] {
                var headers: HTTPFields = [:]
                headers[.authorization] = header
                let response = try await harness.send(.get, path, headers)
                #expect(response.status == .unauthorized)
            }
        }
    }

    @Test func `tokens are verified with the machine's clock, not with the store's clock`() async throws {
        try await StoreHarness.run { harness in
            try await harness.advance(days: 400)
            await #expect(throws: ServerAPIRefusal(.transactionIdNotFound)) { try await harness.api(.transactionInfo, "1") }
            let late = try await harness.sendAPI(
                .transactionInfo, ["transactionId": "1"], token: try harness.apiToken(at: harness.store.clock.now))
            #expect(late.status == .unauthorized)
        }
    }

    @Test func `a clock skew refuses valid tokens`() async throws {
        try await StoreHarness.run { harness in
            _ = try await harness.call(ControlEndpoints.setFault, Fault(.clockSkew(seconds: 7200), count: 1))
            #expect(try await harness.sendAPI(.transactionInfo, ["transactionId": "1"]).status == .unauthorized)
            #expect(try await harness.sendAPI(.transactionInfo, ["transactionId": "1"]).status == .notFound)
        }
    }

    @Test func `an app over the rate limit is refused until the end of the hour`() async throws {
        let clock = ManualClock()
        try await StoreHarness.run(clock: clock) { harness in
            harness.store.setRateLimits(RateLimits(requestsPerHour: [.transactionInfo: 30]))
            for _ in 0..<3 { #expect(try await harness.sendAPI(.transactionInfo, ["transactionId": "1"]).status == .notFound) }
            let refused = try await harness.sendAPI(.transactionInfo, ["transactionId": "1"])
            #expect(throws: ServerAPIRefusal(.rateLimitExceeded)) { try StoreHarness.read(refused, Empty.self) }
            // 12:34:56 is in the hour that ends at 13:00.
            #expect(refused.headers[.retryAfter] == "1738328400000")
            #expect(try await harness.sendAPI(.subscriptionStatuses, ["transactionId": "1"]).status == .notFound)
            #expect(try await harness.sendAPI(.transactionInfo, ["transactionId": "1"], in: .production).status == .notFound)
            clock.set(Timestamp(milliseconds: 1_738_328_400_000))
            #expect(try await harness.sendAPI(.transactionInfo, ["transactionId": "1"]).status == .notFound)
        }
    }

    @Test func `Apple's rate limits can be enabled and disabled`() async throws {
        try await StoreHarness.run { harness in
            _ = try await harness.call(ControlEndpoints.rateLimits, RateLimitsRequest(isEnabled: true))
            for _ in 0..<360 { _ = try? harness.store.authorize(try Self.request(harness), to: .requestTestNotification, in: .sandbox) }
            await #expect(throws: ServerAPIRefusal(.rateLimitExceeded)) { try await harness.api(.requestTestNotification) }
            _ = try await harness.call(ControlEndpoints.rateLimits, RateLimitsRequest(isEnabled: false))
            await #expect(throws: ServerAPIRefusal(.serverNotificationURLNotFound)) { try await harness.api(.requestTestNotification) }
        }
    }

    private static func request(_ harness: StoreHarness) throws -> Request {
        let headers: HTTPFields = [.authorization: "Bearer \(try harness.apiToken())"]
        let head = HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/", headerFields: headers)
        return Request(head: head, body: RequestBody(buffer: ByteBuffer()))
    }

    @Test func `Apple's rate limits are per hour, and the sandbox has a tenth of them`() {
        #expect(RateLimits.apple.limit(.transactionInfo, in: .production) == 180_000)
        #expect(RateLimits.apple.limit(.transactionInfo, in: .sandbox) == 18_000)
        #expect(RateLimits.apple.limit(.massExtensionStatus, in: .production) == nil)
        let limiter = RateLimiter(.apple)
        let calls = (0..<361).map { _ in limiter.countRequest(.requestTestNotification, .test, .sandbox, at: .testStart) }
        #expect(calls.filter { $0 == nil }.count == 360)
        #expect(limiter.countRequest(.requestTestNotification, "com.example.other", .sandbox, at: .testStart) == nil)
    }
}
