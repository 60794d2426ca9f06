import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreTestSupport
import Testing

@testable import AppStoreServerAPI

@Suite struct ClientTests {
    @Test func `calls share one token until it expires`() async throws {
        let test = try TestClient(.transaction)
        for _ in 0..<3 { #expect(await test.failure() == nil) }
        test.clock.advance(seconds: 269)
        #expect(await test.failure() == nil)
        test.clock.advance(seconds: 1)
        #expect(await test.failure() == nil)
        #expect(test.transport.tokens.count == 5)
        #expect(Set(test.transport.tokens.prefix(4)).count == 1)
        #expect(test.transport.tokens[4] != test.transport.tokens[3])
    }

    @Test func `parallel calls share one token`() async throws {
        let test = try TestClient(.transaction)
        await withTaskGroup { group in
            for _ in 0..<50 { group.addTask { _ = await test.failure() } }
        }
        #expect(test.transport.tokens.count == 50)
        #expect(Set(test.transport.tokens).count == 1)
    }

    @Test func `a clock skew is corrected once, and the correction lasts`() async throws {
        let test = try TestClient(.transaction)
        let date = test.date(ahead: -7200)
        test.transport.answer(
            .success(ServerAPITransportResponse(status: 401, headers: ["Date": date])), .success(.transaction))
        #expect(await test.failure() == nil)
        #expect(await test.failure() == nil)
        let tokens = test.transport.tokens
        #expect(tokens.count == 3)
        #expect(tokens[0] != tokens[1] && tokens[1] == tokens[2])
        let token = tokens[1].dropFirst("Bearer ".count)
        let now = test.clock.now.adding(seconds: -7200)
        #expect(APIToken.check(String(token), with: TestClient.key.publicKey, now: now) == [])
        #expect(test.timer.delays == [])
    }

    @Test func `a token that is refused after the correction is an error with the clock skew`() async throws {
        let test = try TestClient(.transaction)
        test.transport.answer(.success(ServerAPITransportResponse(status: 401, headers: ["Date": test.date(ahead: 600)])))
        let error = await test.failure()
        #expect(error == .unauthorized(clockSkew: -600))
        #expect(test.transport.requests.count == 2)
        #expect(error?.description.contains("600 s behind") == true)
        // The correction is known, so the next call has no reason for a second attempt.
        test.clock.advance(seconds: 400)
        _ = await test.failure()
        #expect(test.transport.requests.count == 4)
    }

    @Test func `a new token that is refused without a clock skew is not renewed`() async throws {
        let test = try TestClient(ServerAPITransportResponse(status: 401))
        #expect(await test.failure() == .unauthorized(clockSkew: nil))
        #expect(test.transport.requests.count == 1)
    }

    @Test func `a reused token that is refused is renewed once`() async throws {
        let test = try TestClient(
            ScriptedTransport([.success(.transaction), .success(ServerAPITransportResponse(status: 401)), .success(.transaction)]))
        #expect(await test.failure() == nil)
        test.clock.advance(seconds: 10)
        #expect(await test.failure() == nil)
        #expect(Set(test.transport.tokens).count == 2)
    }

    @Test func `a rate limit within the budget is waited for`() async throws {
        let test = try TestClient(.transaction)
        let until = test.clock.now.adding(seconds: 20)
        test.transport.answer(
            .success(.error(.rateLimitExceeded, ["Retry-After": "\(until.milliseconds)"])), .success(.transaction))
        #expect(await test.failure() == nil)
        let delay = try #require(test.timer.delays.first)
        #expect(test.timer.delays.count == 1)
        #expect(delay >= .seconds(20) && delay <= .seconds(20.5))
    }

    @Test func `a rate limit after the budget is an error with its end`() async throws {
        let test = try TestClient(.transaction)
        let until = test.clock.now.adding(seconds: 1500)
        test.transport.answer(.success(.error(.rateLimitExceeded, ["Retry-After": "\(until.milliseconds)"])))
        let error = await test.failure()
        #expect(error == .rateLimited(until: until))
        #expect(error?.isRetryable == true && error?.apiError == .rateLimitExceeded)
        #expect(test.transport.requests.count == 1 && test.timer.delays == [])
    }

    static let temporary: [ScriptedTransport.Answer] = [
        .failure(.notConnected), .failure(.noResponse), .success(.error(.generalInternal)), .success(.error(.generalInternalRetryable)),
        .success(ServerAPITransportResponse(status: 502, body: Data("<html>".utf8))), .success(.error(.accountNotFoundRetryable)),
        .success(.error(.appNotFoundRetryable)), .success(.error(.originalTransactionIdNotFoundRetryable)),
    ]

    @Test(arguments: temporary) func `a temporary failure is repeated with growing delays`(_ answer: ScriptedTransport.Answer) async throws
    {
        let test = try TestClient(ScriptedTransport([answer, answer, answer, .success(.transaction)]))
        #expect(await test.failure() == nil)
        #expect(test.transport.requests.count == 4)
        let delays = test.timer.delays
        #expect(delays.count == 3)
        for (delay, limit) in zip(delays, [Duration.milliseconds(500), .seconds(1), .seconds(2)]) {
            #expect(delay >= limit / 2 && delay <= limit)
        }
    }

    @Test func `after the last attempt the last failure is thrown`() async throws {
        let test = try TestClient(.error(.generalInternal))
        let error = await test.failure()
        #expect(error?.apiError == .generalInternal)
        #expect(error?.isRetryable == true && error?.mayHaveBeenProcessed == true)
        #expect(test.transport.requests.count == 4)
    }

    @Test func `a request with a second effect is not repeated when the first one may have been processed`() async throws {
        let request = ExtendRenewalDateRequest(extendByDays: 1, extendReasonCode: .other, requestIdentifier: "x")
        for answer in [ScriptedTransport.Answer.failure(.noResponse), .success(.error(.generalInternal))] {
            let test = try TestClient(ScriptedTransport([answer]))
            let extensionError = await #expect(throws: AppStoreServerAPIError.self) {
                try await test.client.extendSubscriptionRenewalDate(originalTransactionId: "1", extendRenewalDateRequest: request)
            }
            #expect(extensionError?.mayHaveBeenProcessed == true)
            await #expect(throws: AppStoreServerAPIError.self) { try await test.client.requestTestNotification() }
            #expect(test.transport.requests.count == 2)
        }
        let test = try TestClient(ScriptedTransport([.failure(.notConnected)]))
        await #expect(throws: AppStoreServerAPIError.unavailable(.notConnected)) { try await test.client.requestTestNotification() }
        #expect(test.transport.requests.count == 4)
    }

    @Test func `calls fail at once while the circuit is open, and one probe closes it`() async throws {
        let test = try TestClient(ScriptedTransport([.failure(.notConnected)])) { configuration in
            configuration.retries = .never
            configuration.circuitBreaker.failureThreshold = 3
        }
        for _ in 0..<3 { #expect(await test.failure() == .unavailable(.notConnected)) }
        let until = test.clock.now.adding(seconds: 30)
        await withTaskGroup(of: AppStoreServerAPIError?.self) { group in
            for _ in 0..<20 { group.addTask { await test.failure() } }
            for await error in group { #expect(error == .unavailable(.circuitOpen(until: until))) }
        }
        #expect(test.transport.requests.count == 3)
        test.timer.advance(by: .seconds(30))
        test.transport.answer(.success(.transaction))
        #expect(await test.failure() == nil)
        #expect(await test.failure() == nil)
        #expect(test.transport.requests.count == 5)
    }

    @Test func `refused requests do not open the circuit`() async throws {
        let test = try TestClient(.error(.transactionIdNotFound)) { $0.circuitBreaker.failureThreshold = 1 }
        for _ in 0..<5 { #expect(await test.failure()?.apiError == .transactionIdNotFound) }
        #expect(test.transport.requests.count == 5)
    }

    @Test func `a circuit that opens during a call is reported as the failure that opened it`() async throws {
        let test = try TestClient(ScriptedTransport([.failure(.noResponse)])) { $0.circuitBreaker.failureThreshold = 2 }
        #expect(await test.failure() == .unavailable(.noResponse))
        #expect(test.transport.requests.count == 2)
    }

    @Test func `a canceled call ends its wait`() async throws {
        let configuration = try TestClient.configuration()
        let (transport, timer) = (ScriptedTransport([.failure(.notConnected)]), TestClock())
        let client = AppStoreServerAPIClient(configuration, transport: transport, timer: timer)
        let task = Task { try await client.getTransactionInfo(transactionId: "1") }
        await timer.waitForSleep()
        task.cancel()
        await #expect(throws: AppStoreServerAPIError.canceled) { try await task.value }
        #expect(transport.requests.count == 1)
    }

    @Test(arguments: ["", ".", "..", "a\u{0}", "1\n2", String(repeating: "1", count: 1025)])
    func `an identifier that would change the path is not sent`(_ id: String) async throws {
        let test = try TestClient(.transaction)
        let error = await #expect(throws: AppStoreServerAPIError.self) {
            try await test.client.getTransactionInfo(transactionId: TransactionID(id))
        }
        guard case .invalidRequest? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        await #expect(throws: AppStoreServerAPIError.self) {
            try await test.client.getStatusOfSubscriptionRenewalDateExtensions(requestIdentifier: id, productId: "p")
        }
        #expect(test.transport.requests.count == 0)
    }

    @Test func `special characters stay in their path segment`() async throws {
        let test = try TestClient(.error(.invalidTransactionId))
        _ = try? await test.client.getTransactionInfo(transactionId: "../a/b?c=d#e%2F é&")
        #expect(
            test.transport.requests.first?.url
                == "https://api.storekit-sandbox.apple.com/inApps/v1/transactions/..%2Fa%2Fb%3Fc%3Dd%23e%252F%20%C3%A9%26")
    }
}
