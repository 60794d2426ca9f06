import Dispatch
import Foundation
import OpenStoreKit
import OpenStoreKitTest
import StoreKit
import Testing

@testable import StoreKitTest

/// Concurrent sessions are isolated from each other.
@Suite struct IsolationTests {
    @Test(arguments: 0..<16) func `each case of a parameterized test uses its session, also in its unstructured tasks`(number: Int)
        async throws
    {
        let session = try SessionFile.session()
        let count = number % 4 + 1
        for _ in 0..<count { try await session.buyProduct(identifier: SessionFile.coins) }
        let found = await Task { () -> Int in
            var found = 0
            for await _ in Transaction.all { found += 1 }
            return found
        }.value
        #expect(found == count && session.allTransactions().count == count)
        #expect(Device.active === session.device)
    }

    @Test func `a session that is bound to a task replaces the test's session there`() async throws {
        let (outer, inner) = (try SessionFile.session(), try SessionFile.session())
        #expect(Device.active === inner.device)
        await outer.run {
            #expect(Device.active === outer.device)
            await Task { #expect(Device.active === outer.device) }.value
        }
    }

    @Test func `a listener that starts before the first session receives its transactions`() async throws {
        let listening = Task {
            for await result in Transaction.updates { return result.unsafePayloadValue.productID }
            return "none"
        }
        let session = try SessionFile.session()
        try await session.buyProduct(identifier: SessionFile.coins)
        #expect(await listening.value == SessionFile.coins)
    }

    @Test func `tests share one device only if the environment variable is set`() {
        #expect(!TestKey.usesOneDevice([:]) && !TestKey.usesOneDevice(["OPENSTOREKIT_ONE_TEST_DEVICE": "0"]))
        #expect(TestKey.usesOneDevice(["OPENSTOREKIT_ONE_TEST_DEVICE": "1"]))
    }

    @Test func `a released session is no longer active`() throws {
        let first = try SessionFile.session()
        // The work of the initializer runs on another thread, which must not keep the session alive.
        for _ in 0..<20 {
            var second: SKTestSession? = try SessionFile.session()
            #expect(Device.active === second?.device)
            second = nil
            #expect(second == nil && Device.active === first.device)
        }
    }

    @Test func `synchronous members return even if they block every thread of the pool`() async throws {
        let sessions = try (0..<4).map { _ in try SessionFile.session() }
        for session in sessions { try await session.buyProduct(identifier: SessionFile.coins) }
        let callers = ProcessInfo.processInfo.activeProcessorCount * 4 + 8
        await withTaskGroup(of: Int.self) { group in
            for number in 0..<callers {
                group.addTask {
                    // As many callers as the pool has threads run here at the same time.
                    (0..<5).reduce(0) { sum, _ in sum + sessions[number % sessions.count].allTransactions().count }
                }
            }
            for await count in group { #expect(count == 5) }
        }
    }
}

/// The session that a trait creates for each test of a suite.
@Suite(.storeKit(configurationFileNamed: "MonkeyShop")) struct TraitTests {
    @Test(arguments: 0..<4) func `each test case has a new session`(number: Int) async throws {
        let session = try #require(SKTestSession.current)
        #expect(Device.active === session.device && session.allTransactions().isEmpty)
        try await session.buyProduct(identifier: "com.example.monkeyshop.credits5")
        #expect(session.allTransactions().count == 1)
    }
}
