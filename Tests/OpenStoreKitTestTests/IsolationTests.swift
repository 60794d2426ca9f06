import Dispatch
import Foundation
import OpenStoreKit
import OpenStoreKitTest
import StoreKit
import Testing

@testable import StoreKitTest

/// Sessions side by side never meet, wherever StoreKit is asked from.
@Suite struct IsolationTests {
    @Test(arguments: 0..<16) func `each case of a test sees its own session, also in tasks that it begins`(number: Int) async throws {
        let session = try SessionFile.session()
        let count = number % 4 + 1
        for _ in 0..<count { try await session.buyProduct(identifier: SessionFile.coins) }
        let seen = await Task { () -> Int in
            var seen = 0
            for await _ in Transaction.all { seen += 1 }
            return seen
        }.value
        #expect(seen == count && session.allTransactions().count == count)
        #expect(Device.active === session.device)
    }

    @Test func `a session can be bound to a task, and is another one's in there`() async throws {
        let (outer, inner) = (try SessionFile.session(), try SessionFile.session())
        #expect(Device.active === inner.device)
        await outer.run {
            #expect(Device.active === outer.device)
            await Task { #expect(Device.active === outer.device) }.value
        }
    }

    @Test func `who listens before there is a session hears of the first`() async throws {
        let listening = Task {
            for await result in Transaction.updates { return result.unsafePayloadValue.productID }
            return "nothing"
        }
        let session = try SessionFile.session()
        try await session.buyProduct(identifier: SessionFile.coins)
        #expect(await listening.value == SessionFile.coins)
    }

    @Test func `only the word of the environment has all tests share one device`() {
        #expect(!TestKey.hasOneDevice([:]) && !TestKey.hasOneDevice(["OPENSTOREKIT_ONE_TEST_DEVICE": "0"]))
        #expect(TestKey.hasOneDevice(["OPENSTOREKIT_ONE_TEST_DEVICE": "1"]))
    }

    @Test func `a session that is gone is nobody's`() throws {
        let first = try SessionFile.session()
        var second: SKTestSession? = try SessionFile.session()
        #expect(Device.active === second?.device)
        second = nil
        #expect(second == nil && Device.active === first.device)
    }

    @Test func `members that are not async return although every thread of the pool is held by them`() async throws {
        let sessions = try (0..<4).map { _ in try SessionFile.session() }
        for session in sessions { try await session.buyProduct(identifier: SessionFile.coins) }
        let callers = ProcessInfo.processInfo.activeProcessorCount * 4 + 8
        await withTaskGroup(of: Int.self) { group in
            for number in 0..<callers {
                group.addTask {
                    // As many as the pool has threads are in here at the same time.
                    (0..<5).reduce(0) { sum, _ in sum + sessions[number % sessions.count].allTransactions().count }
                }
            }
            for await count in group { #expect(count == 5) }
        }
    }
}

/// What a trait gives to every test of a suite.
@Suite(.storeKit(configurationFileNamed: "MonkeyShop")) struct TraitTests {
    @Test(arguments: 0..<4) func `each test has a session of its own`(number: Int) async throws {
        let session = try #require(SKTestSession.current)
        #expect(Device.active === session.device && session.allTransactions().isEmpty)
        try await session.buyProduct(identifier: "com.example.monkeyshop.credits5")
        #expect(session.allTransactions().count == 1)
    }
}
