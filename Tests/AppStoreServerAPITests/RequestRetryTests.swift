import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import AppStoreServerAPI

@Suite struct RequestRetryTests {
    static let now = Timestamp.testStart

    static func response(_ status: Int, _ error: ServerAPIError? = nil) -> ServerAPIErrorResponse {
        ServerAPIErrorResponse(status: status, code: error?.code)
    }

    /// Whether a request is repeated after an error: an idempotent one, and one with a second effect.
    static let errors: [(AppStoreServerAPIError, Bool, Bool)] = [
        (.rateLimited(until: nil), true, true),
        (.rateLimited(until: now.adding(seconds: 5)), true, true),
        (.rateLimited(until: now.adding(seconds: 3600)), false, false),
        (.rateLimited(until: Timestamp(milliseconds: .max)), false, false),
        (.rateLimited(until: Timestamp(milliseconds: .min)), true, true),
        (.unavailable(.notConnected), true, true),
        (.unavailable(.noResponse), true, false),
        (.unavailable(.serverError(response(500))), true, false),
        (.unavailable(.serverError(response(503))), true, false),
        (.unavailable(.serverError(response(500, .generalInternal))), true, false),
        (.unavailable(.serverError(response(500, .generalInternalRetryable))), true, true),
        (.unavailable(.circuitOpen(until: now)), false, false),
        (.api(response(404, .accountNotFoundRetryable)), true, true),
        (.api(response(404, .appNotFoundRetryable)), true, true),
        (.api(response(404, .originalTransactionIdNotFoundRetryable)), true, true),
        (.api(response(404, .accountNotFound)), false, false),
        (.api(response(404, .transactionIdNotFound)), false, false),
        (.api(response(400, .invalidTransactionId)), false, false),
        (.api(response(403, .subscriptionMaxExtension)), false, false),
        (.api(response(404)), false, false),
        (.unauthorized(clockSkew: nil), false, false),
        (.unauthorized(clockSkew: 3600), false, false),
        (.malformedResponse(status: 200, ""), false, false),
        (.invalidRequest(""), false, false),
        (.canceled, false, false),
    ]

    @Test(arguments: errors) func `a request is repeated only if it can succeed and has no second effect`(
        _ error: AppStoreServerAPIError, _ repeatsReading: Bool, _ repeatsEffect: Bool
    ) {
        for (isIdempotent, isRepeated) in [(true, repeatsReading), (false, repeatsEffect)] {
            var retries = RequestRetries(ServerAPIRetryPolicy(), isIdempotent: isIdempotent)
            let decision = retries.decide(after: error, elapsed: .zero, now: Self.now, jitter: 0.5)
            #expect((decision != .fail) == isRepeated)
            var once = RequestRetries(.never, isIdempotent: isIdempotent)
            #expect(once.decide(after: error, elapsed: .zero, now: Self.now, jitter: 0.5) == .fail)
        }
    }

    @Test func `every error code has a decision that follows its documentation`() {
        for code in ServerAPIError.allCases where code.status < 500 && code.status != 429 {
            var retries = RequestRetries(ServerAPIRetryPolicy(), isIdempotent: true)
            let decision = retries.decide(
                after: .api(Self.response(code.status, code)), elapsed: .zero, now: Self.now, jitter: 0)
            #expect((decision != .fail) == code.name.hasSuffix("Retryable"), "\(code)")
        }
    }

    @Test func `delays double up to the maximum, and the attempts are limited`() {
        var policy = ServerAPIRetryPolicy()
        policy.maximumAttempts = 8
        policy.maximumDelay = .seconds(5)
        var retries = RequestRetries(policy, isIdempotent: true)
        let decisions = (0..<8).map { _ in
            retries.decide(after: .unavailable(.noResponse), elapsed: .zero, now: Self.now, jitter: 1)
        }
        let delays: [Duration] = [
            .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(5), .seconds(5), .seconds(5),
        ]
        #expect(decisions == delays.map { .retry(after: $0) } + [.fail])
    }

    @Test(arguments: [(0.0, 250), (0.5, 375), (1.0, 500), (-7.0, 250), (9.0, 500), (.nan, 500), (-.infinity, 500)])
    func `a delay is between half of the backoff and the whole`(_ jitter: Double, _ milliseconds: Int64) {
        var retries = RequestRetries(ServerAPIRetryPolicy(), isIdempotent: true)
        let decision = retries.decide(after: .unavailable(.notConnected), elapsed: .zero, now: Self.now, jitter: jitter)
        #expect(decision == .retry(after: .milliseconds(milliseconds)))
    }

    @Test(arguments: [(59_400, true), (59_500, true), (59_501, false), (61_000, false)])
    func `no attempt begins after the budget`(_ elapsed: Int64, _ isRepeated: Bool) {
        var retries = RequestRetries(ServerAPIRetryPolicy(), isIdempotent: true)
        let decision = retries.decide(
            after: .unavailable(.noResponse), elapsed: .milliseconds(elapsed), now: Self.now, jitter: 1)
        #expect((decision != .fail) == isRepeated)
    }

    @Test func `a rate limit is waited for, plus the backoff`() {
        var retries = RequestRetries(ServerAPIRetryPolicy(), isIdempotent: false)
        let decision = retries.decide(
            after: .rateLimited(until: Self.now.adding(seconds: 20)), elapsed: .seconds(30), now: Self.now, jitter: 1)
        #expect(decision == .retry(after: .milliseconds(20_500)))
    }

    @Test func `a policy with extreme values does not trap`() {
        var policy = ServerAPIRetryPolicy()
        (policy.maximumAttempts, policy.budget) = (.max, .seconds(Int64.max))
        (policy.initialDelay, policy.maximumDelay) = (.seconds(-1), .seconds(Int64.max))
        var retries = RequestRetries(policy, isIdempotent: true)
        #expect(
            retries.decide(after: .rateLimited(until: nil), elapsed: .seconds(Int64.max), now: Self.now, jitter: 1)
                == .retry(after: .zero))
        policy.maximumAttempts = -1
        retries = RequestRetries(policy, isIdempotent: true)
        #expect(retries.decide(after: .rateLimited(until: nil), elapsed: .zero, now: Self.now, jitter: 1) == .fail)
    }

    @Test func `only two endpoints have a second effect`() {
        #expect(
            ServerAPIEndpoint.allCases.filter { !$0.isIdempotent } == [.extendRenewalDate, .requestTestNotification])
    }
}
