import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import Synchronization
import Testing

@testable import PurchaseProof

@Suite struct RevocationMemoryTests {
    @Test func `an answer is believed for its time and not asked for again`() async throws {
        let harness = try await RevocationHarness()
        #expect(await harness.checker.finding(for: harness.chain) == .good(until: .testStart.adding(seconds: 3600)))
        harness.transport.set(.error)
        harness.clock.advance(seconds: 3599)
        let before = await harness.judged()
        #expect(before == (nil, nil))
        #expect(harness.transport.questions == 2)
        harness.clock.advance(seconds: 1)
        let after = await harness.judged()
        #expect(after == (.unknown(.responderUnreachable, at: "x[0]"), nil))
    }

    @Test func `an answer is not believed longer than it says`() async throws {
        let harness = try await RevocationHarness()
        harness.transport.set(.responder(try harness.responder { $0.lifetime = 600 }))
        #expect(await harness.checker.finding(for: harness.chain) == .good(until: .testStart.adding(seconds: 600)))
    }

    @Test func `a failure is not repeated for a while`() async throws {
        let harness = try await RevocationHarness()
        harness.transport.set(.error)
        _ = await harness.judged()
        let questions = harness.transport.questions
        harness.transport.set(.responder(try harness.responder()))
        harness.clock.advance(seconds: 59)
        let before = await harness.judged()
        #expect(before.hard == .unknown(.responderUnreachable, at: "x[0]"))
        #expect(harness.transport.questions == questions)
        harness.clock.advance(seconds: 1)
        let after = await harness.judged()
        #expect(after == (nil, nil))
    }

    @Test func `a revocation stays when the responder falls silent, and goes when it says otherwise`() async throws {
        let harness = try await RevocationHarness()
        harness.transport.set(try harness.revoking(.signedDataLeaf))
        let refusal = Unproven.refused(.revoked, at: "x[0]")
        let first = await harness.judged()
        #expect(first == (refusal, refusal))
        harness.transport.set(.error)
        harness.clock.advance(seconds: 86_400)
        let later = await harness.judged()
        #expect(later == (refusal, refusal))
        harness.transport.set(.responder(try harness.responder()))
        harness.clock.advance(seconds: 60)
        let lifted = await harness.judged()
        #expect(lifted == (nil, nil))
    }

    @Test func `answers are refreshed when half their time is over, and nobody waits for it`() async throws {
        let harness = try await RevocationHarness()
        _ = await harness.judged()
        harness.clock.advance(seconds: 1799)
        await harness.checker.refresh()
        #expect(harness.transport.questions == 2)
        harness.clock.advance(seconds: 1)
        await harness.checker.refresh()
        #expect(harness.transport.questions == 4)
        harness.transport.set(.silence)
        harness.clock.advance(seconds: 1801)
        let judged = await harness.judged()
        #expect(judged == (nil, nil), "The second answer is good for an hour from when it was given.")
    }

    @Test func `a refresh that fails takes nothing back`() async throws {
        let harness = try await RevocationHarness()
        _ = await harness.judged()
        harness.transport.set(.error)
        harness.clock.advance(seconds: 1800)
        await harness.checker.refresh()
        let judged = await harness.judged()
        #expect(judged == (nil, nil))
        #expect(harness.transport.questions == 4)
        await harness.checker.refresh()
        #expect(harness.transport.questions == 4, "Not again at once.")
        harness.clock.advance(seconds: 60)
        await harness.checker.refresh()
        #expect(harness.transport.questions == 6)
    }

    @Test func `a revocation is found by a refresh`() async throws {
        let harness = try await RevocationHarness()
        _ = await harness.judged()
        harness.transport.set(try harness.revoking(.signedDataIntermediate))
        harness.clock.advance(seconds: 1800)
        await harness.checker.refresh()
        let refusal = Unproven.refused(.revoked, at: "x[1]")
        let judged = await harness.judged()
        #expect(judged == (refusal, refusal))
    }

    @Test(.timeLimit(.minutes(5)))
    func `the service refreshes by itself and ends when it is cancelled`() async throws {
        let timer = SteppingTimer()
        let harness = try await RevocationHarness(timer: timer)
        _ = await harness.judged()
        harness.clock.advance(seconds: 1800)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await harness.checker.run() }
            var questions = harness.transport.asked.makeAsyncIterator()
            for _ in 0..<2 { _ = await questions.next() }
            timer.step()
            for _ in 0..<2 { _ = await questions.next() }
            group.cancelAll()
        }
        #expect(harness.transport.questions == 4)
    }

    @Test(.timeLimit(.minutes(5)))
    func `many who need the same answer at once ask once`() async throws {
        let harness = try await RevocationHarness()
        let (gate, opener) = AsyncStream<Void>.makeStream()
        harness.transport.set(.gate(gate, try harness.responder()))
        let findings = await withTaskGroup(of: RevocationFinding.self) { group in
            for _ in 0..<8 { group.addTask { await harness.checker.finding(for: harness.chain) } }
            while !Task.isCancelled, harness.checker.table.withLock({ $0.flights.values.first?.count }) != 7 { await Task.yield() }
            opener.finish()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(findings == Array(repeating: .good(until: .testStart.adding(seconds: 3600)), count: 8))
        #expect(harness.transport.questions == 2)
    }

    @Test(.timeLimit(.minutes(5)))
    func `the deadline ends the waiting, for whoever asks and for whoever waits`() async throws {
        let harness = try await RevocationHarness(timer: ImmediateTimer())
        harness.transport.set(.silence)
        let judged = await harness.judged()
        #expect(judged == (.unknown(.responderUnreachable, at: "x[0]"), nil))
    }

    @Test(.timeLimit(.minutes(5)))
    func `when whoever asks goes away, somebody who waits asks instead`() async throws {
        let harness = try await RevocationHarness()
        harness.transport.set(.silence)
        let first = Task { await harness.checker.finding(for: harness.chain) }
        while !Task.isCancelled, harness.transport.questions == 0 { await Task.yield() }
        let second = Task { await harness.checker.finding(for: harness.chain) }
        while !Task.isCancelled, harness.checker.table.withLock({ $0.flights.values.first?.count }) != 1 { await Task.yield() }
        harness.transport.set(.responder(try harness.responder()))
        first.cancel()
        #expect(await first.value == .doubt(.responderUnreachable, index: 0))
        #expect(await second.value == .good(until: .testStart.adding(seconds: 3600)))
    }

    @Test func `each spelling of a chain is the same chain`() async throws {
        let harness = try await RevocationHarness()
        _ = await harness.judged()
        let placed = try harness.chain.encoded.map { try PlacedCertificate($0, at: "x") }
        let again = try #require(ProvenChain(placed, root: harness.chain.root))
        #expect(await harness.checker.finding(for: again) == .good(until: .testStart.adding(seconds: 3600)))
        #expect(harness.transport.questions == 2)
    }

    @Test func `the table keeps so many chains of a root, and asks about the others each time`() async throws {
        let (chains, roots) = try TrustChain.leaves(RevocationTable.limit + 1)
        var table = RevocationTable(retry: 60)
        for (number, chain) in chains.enumerated() {
            let proven = try await roots.prove(chain[0], through: Array(chain[1...]), in: .sandbox, at: .testStart, place: "x", trace: nil)
            for round in 0..<2 {
                let isKnown = round == 1 && number < RevocationTable.limit
                switch table.step(for: proven, at: .testStart) {
                case .known: #expect(isKnown)
                case .ask:
                    #expect(!isKnown)
                    _ = table.settle(proven, .good(until: .testStart.adding(seconds: 60)), isBrokenOff: false, at: .testStart)
                case .wait: Issue.record("Nobody is asking.")
                }
            }
        }
        #expect(table.due(at: .testStart.adding(seconds: 30)).count == RevocationTable.limit)
        #expect(table.due(at: .testStart.adding(days: 20 * 365)).isEmpty)
    }
}
