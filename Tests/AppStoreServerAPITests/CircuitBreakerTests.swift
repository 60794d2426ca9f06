import Testing

@testable import AppStoreServerAPI

@Suite struct CircuitBreakerTests {
    /// An event at a time in seconds, and the expected state after it.
    enum Event: Sendable {
        /// A call with a name asks for permission, and gets it or not.
        case call(Character, Bool)
        /// The attempt of a call ends.
        case end(Character, CircuitBreaker.Outcome)
    }

    typealias Step = (time: Int64, event: Event, state: CircuitBreaker.State)

    /// Scenarios with a threshold of two failures and an open duration of 30 seconds.
    static let scenarios: [(String, [Step])] = [
        (
            "a success between failures keeps the circuit closed",
            [
                (0, .call("a", true), .closed(failures: 0)), (1, .end("a", .unavailable), .closed(failures: 1)),
                (2, .call("b", true), .closed(failures: 1)), (3, .end("b", .available), .closed(failures: 0)),
                (4, .call("c", true), .closed(failures: 0)), (5, .end("c", .unavailable), .closed(failures: 1)),
            ]
        ),
        (
            "the probe closes the circuit",
            [
                (0, .call("a", true), .closed(failures: 0)), (0, .end("a", .unavailable), .closed(failures: 1)),
                (0, .call("b", true), .closed(failures: 1)), (1, .end("b", .unavailable), .open(until: .seconds(31))),
                (2, .call("c", false), .open(until: .seconds(31))), (30, .call("d", false), .open(until: .seconds(31))),
                (31, .call("e", true), .halfOpen), (32, .call("f", false), .halfOpen), (33, .end("e", .available), .closed(failures: 0)),
                (34, .call("g", true), .closed(failures: 0)),
            ]
        ),
        (
            "a failed probe opens the circuit again",
            [
                (0, .call("a", true), .closed(failures: 0)), (0, .call("b", true), .closed(failures: 0)),
                (1, .end("a", .unavailable), .closed(failures: 1)), (2, .end("b", .unavailable), .open(until: .seconds(32))),
                (40, .call("c", true), .halfOpen), (41, .end("c", .unavailable), .open(until: .seconds(71))),
                (70, .call("d", false), .open(until: .seconds(71))), (71, .call("e", true), .halfOpen),
            ]
        ),
        (
            "the next call is the probe after a canceled one",
            [
                (0, .call("a", true), .closed(failures: 0)), (0, .call("b", true), .closed(failures: 0)),
                (0, .end("a", .unavailable), .closed(failures: 1)), (0, .end("b", .unavailable), .open(until: .seconds(30))),
                (30, .call("c", true), .halfOpen), (35, .end("c", .abandoned), .open(until: .seconds(35))),
                (35, .call("d", true), .halfOpen), (36, .end("d", .available), .closed(failures: 0)),
            ]
        ),
        (
            "attempts that began before the circuit opened are ignored",
            [
                (0, .call("a", true), .closed(failures: 0)), (0, .call("b", true), .closed(failures: 0)),
                (0, .call("c", true), .closed(failures: 0)), (0, .call("d", true), .closed(failures: 0)),
                (0, .end("a", .unavailable), .closed(failures: 1)), (0, .end("b", .unavailable), .open(until: .seconds(30))),
                (9, .end("c", .available), .open(until: .seconds(30))), (30, .call("e", true), .halfOpen),
                (31, .end("d", .unavailable), .halfOpen), (32, .end("e", .available), .closed(failures: 0)),
            ]
        ),
        (
            "a canceled attempt is not a failure",
            [
                (0, .call("a", true), .closed(failures: 0)), (0, .end("a", .unavailable), .closed(failures: 1)),
                (0, .call("b", true), .closed(failures: 1)), (0, .end("b", .abandoned), .closed(failures: 1)),
            ]
        ),
    ]

    @Test(arguments: scenarios) func `the circuit follows the outcomes`(_ name: String, _ steps: [Step]) throws {
        var policy = ServerAPICircuitBreakerPolicy()
        policy.failureThreshold = 2
        var breaker = CircuitBreaker(policy)
        var permits: [Character: CircuitBreaker.Permit] = [:]
        for (time, event, state) in steps {
            switch event {
            case .call(let call, let isAdmitted):
                permits[call] = try? breaker.admit(at: .seconds(time))
                #expect((permits[call] != nil) == isAdmitted, "\(name): \(call)")
            case .end(let call, let outcome):
                breaker.record(outcome, of: try #require(permits[call]), at: .seconds(time))
            }
            #expect(breaker.state == state, "\(name): \(event)")
        }
    }

    static let outcomes: [(AppStoreServerAPIError?, CircuitBreaker.Outcome)] = [
        (nil, .available),
        (.api(ServerAPIErrorResponse(status: 404)), .available),
        (.unauthorized(clockSkew: nil), .available),
        (.rateLimited(until: nil), .available),
        (.malformedResponse(status: 200, ""), .available),
        (.unavailable(.notConnected), .unavailable),
        (.unavailable(.noResponse), .unavailable),
        (.unavailable(.serverError(ServerAPIErrorResponse(status: 500))), .unavailable),
        (.canceled, .abandoned),
    ]

    @Test(arguments: outcomes) func `only missing responses and server errors count as unavailable`(
        _ error: AppStoreServerAPIError?, _ outcome: CircuitBreaker.Outcome
    ) {
        #expect(CircuitBreaker.Outcome(error) == outcome)
    }

    @Test func `a policy with extreme values does not trap`() throws {
        var policy = ServerAPICircuitBreakerPolicy()
        (policy.failureThreshold, policy.openDuration) = (.min, .seconds(Int64.max))
        var breaker = CircuitBreaker(policy)
        breaker.record(.unavailable, of: try breaker.admit(at: .zero), at: .zero)
        #expect(throws: CircuitBreaker.Refusal(until: .seconds(Int64.max))) { try breaker.admit(at: .seconds(1)) }
    }
}
