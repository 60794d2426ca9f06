import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import Synchronization
import Testing

@testable import PurchaseProof

@Suite struct RevocationCacheTests {
    @Test func `a status is cached for its validity and not requested again`() async throws {
        let harness = try await RevocationHarness()
        #expect(await harness.checker.status(of: harness.chain) == .good(until: .testStart.adding(seconds: 3600)))
        harness.transport.set(.error)
        harness.clock.advance(seconds: 3599)
        let before = await harness.failures()
        #expect(before == (nil, nil))
        #expect(harness.transport.requests == 2)
        harness.clock.advance(seconds: 1)
        let after = await harness.failures()
        #expect(after == (.indeterminate(.responderUnreachable, at: "x[0]"), nil))
    }

    @Test func `a status is not cached longer than its response states`() async throws {
        let harness = try await RevocationHarness()
        harness.transport.set(.responder(try harness.responder { $0.lifetime = 600 }))
        #expect(await harness.checker.status(of: harness.chain) == .good(until: .testStart.adding(seconds: 600)))
    }

    @Test func `an unavailable status is not requested again for a while`() async throws {
        let harness = try await RevocationHarness()
        harness.transport.set(.error)
        _ = await harness.failures()
        let requests = harness.transport.requests
        harness.transport.set(.responder(try harness.responder()))
        harness.clock.advance(seconds: 59)
        let before = await harness.failures()
        #expect(before.hard == .indeterminate(.responderUnreachable, at: "x[0]"))
        #expect(harness.transport.requests == requests)
        harness.clock.advance(seconds: 1)
        let after = await harness.failures()
        #expect(after == (nil, nil))
    }

    @Test func `a revocation remains when the responder stops responding, and ends when a response denies it`() async throws {
        let harness = try await RevocationHarness()
        harness.transport.set(try harness.revoking(.signedDataLeaf))
        let refusal = VerificationFailure.refused(.revoked, at: "x[0]")
        let first = await harness.failures()
        #expect(first == (refusal, refusal))
        harness.transport.set(.error)
        harness.clock.advance(seconds: 86_400)
        let later = await harness.failures()
        #expect(later == (refusal, refusal))
        harness.transport.set(.responder(try harness.responder()))
        harness.clock.advance(seconds: 60)
        let reinstated = await harness.failures()
        #expect(reinstated == (nil, nil))
    }

    @Test func `statuses are refreshed after half their validity, and no verification waits`() async throws {
        let harness = try await RevocationHarness()
        _ = await harness.failures()
        harness.clock.advance(seconds: 1799)
        await harness.checker.refresh()
        #expect(harness.transport.requests == 2)
        harness.clock.advance(seconds: 1)
        await harness.checker.refresh()
        #expect(harness.transport.requests == 4)
        harness.transport.set(.noReply)
        harness.clock.advance(seconds: 1801)
        let failures = await harness.failures()
        #expect(failures == (nil, nil), "The second status is valid for an hour.")
    }

    @Test func `a failed refresh replaces no status`() async throws {
        let harness = try await RevocationHarness()
        _ = await harness.failures()
        harness.transport.set(.error)
        harness.clock.advance(seconds: 1800)
        await harness.checker.refresh()
        let failures = await harness.failures()
        #expect(failures == (nil, nil))
        #expect(harness.transport.requests == 4)
        await harness.checker.refresh()
        #expect(harness.transport.requests == 4, "Not immediately again.")
        harness.clock.advance(seconds: 60)
        await harness.checker.refresh()
        #expect(harness.transport.requests == 6)
    }

    @Test func `a refresh detects a revocation`() async throws {
        let harness = try await RevocationHarness()
        _ = await harness.failures()
        harness.transport.set(try harness.revoking(.signedDataIntermediate))
        harness.clock.advance(seconds: 1800)
        await harness.checker.refresh()
        let refusal = VerificationFailure.refused(.revoked, at: "x[1]")
        let failures = await harness.failures()
        #expect(failures == (refusal, refusal))
    }

    @Test(.timeLimit(.minutes(10)))
    func `the service refreshes by itself and ends when it is cancelled`() async throws {
        let timer = SteppingTimer()
        let harness = try await RevocationHarness(timer: timer)
        _ = await harness.failures()
        harness.clock.advance(seconds: 1800)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await harness.checker.run() }
            var requests = harness.transport.requested.makeAsyncIterator()
            for _ in 0..<2 { _ = await requests.next() }
            timer.step()
            for _ in 0..<2 { _ = await requests.next() }
            group.cancelAll()
        }
        #expect(harness.transport.requests == 4)
    }

    @Test(.timeLimit(.minutes(10)))
    func `concurrent verifications share one request`() async throws {
        let harness = try await RevocationHarness()
        let (gate, opener) = AsyncStream<Void>.makeStream()
        harness.transport.set(.gate(gate, try harness.responder()))
        let statuses = await withTaskGroup(of: RevocationStatus.self) { group in
            for _ in 0..<8 { group.addTask { await harness.checker.status(of: harness.chain) } }
            try? await eventually { harness.checker.table.withLock { $0.requests.values.first?.count } == 7 }
            opener.finish()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: .good(until: .testStart.adding(seconds: 3600)), count: 8))
        #expect(harness.transport.requests == 2)
    }

    @Test(.timeLimit(.minutes(10)))
    func `the deadline ends a request for every verification that waits`() async throws {
        let harness = try await RevocationHarness(timer: ImmediateTimer())
        harness.transport.set(.noReply)
        let failures = await harness.failures()
        #expect(failures == (.indeterminate(.responderUnreachable, at: "x[0]"), nil))
    }

    @Test(.timeLimit(.minutes(10)))
    func `when the requesting task is cancelled, a waiting one sends the request`() async throws {
        let harness = try await RevocationHarness()
        harness.transport.set(.noReply)
        let first = Task { await harness.checker.status(of: harness.chain) }
        try await eventually { harness.transport.requests > 0 }
        let second = Task { await harness.checker.status(of: harness.chain) }
        try await eventually { harness.checker.table.withLock { $0.requests.values.first?.count } == 1 }
        harness.transport.set(.responder(try harness.responder()))
        first.cancel()
        #expect(await first.value == .unavailable(.responderUnreachable, index: 0))
        #expect(await second.value == .good(until: .testStart.adding(seconds: 3600)))
    }

    @Test func `each encoding of a chain is the same chain`() async throws {
        let harness = try await RevocationHarness()
        _ = await harness.failures()
        let parsed = try harness.chain.encoded.map { try ParsedCertificate($0, at: "x") }
        let again = try #require(VerifiedChain(parsed, root: harness.chain.root))
        #expect(await harness.checker.status(of: again) == .good(until: .testStart.adding(seconds: 3600)))
        #expect(harness.transport.requests == 2)
    }

    @Test func `the cache is limited for each root, and further chains are requested each time`() async throws {
        let (chains, roots) = try TrustChain.leaves(RevocationTable.limit + 1)
        var table = RevocationTable(retry: 60)
        for (number, chain) in chains.enumerated() {
            let verified = try await roots.verifyChain(
                chain[0], through: Array(chain[1...]), in: .sandbox, at: .testStart, place: "x", trace: nil)
            for round in 0..<2 {
                let isCached = round == 1 && number < RevocationTable.limit
                switch table.step(for: verified, at: .testStart) {
                case .cached: #expect(isCached)
                case .request:
                    #expect(!isCached)
                    _ = table.complete(verified, .good(until: .testStart.adding(seconds: 60)), isCancelled: false, at: .testStart)
                case .wait: Issue.record("No request is in progress.")
                }
            }
        }
        #expect(table.due(at: .testStart.adding(seconds: 30)).count == RevocationTable.limit)
        #expect(table.due(at: .testStart.adding(days: 20 * 365)).isEmpty)
    }
}
