import Foundation
import OpenStoreKit
import OpenStoreKitTest
import StoreKit
import StoreKitTest
import Testing

/// Sessions that are created outside a Swift Testing test, as in XCTest. They share one device, one after the other.
@Suite(.serialized) struct ProcessSessionTests {
    @Test func `a listener continues in the next session without transactions of the first`() async throws {
        try await Task.detached {
            var first: SKTestSession? = try SessionFile.session()
            let device = try #require(first?.device)
            #expect(Device.active === device)
            var updates = Transaction.updates.makeAsyncIterator()
            try await first?.buyProduct(identifier: SessionFile.coins)
            #expect(await updates.next()?.unsafePayloadValue.productID == SessionFile.coins)

            first = nil
            let session = try SessionFile.session()
            #expect(session.device === device && Device.active === device)
            #expect(session.allTransactions().isEmpty)
            try await session.buyProduct(identifier: SessionFile.pro)
            let next = await updates.next()?.unsafePayloadValue
            #expect(next?.productID == SessionFile.pro, "\(next?.id ?? 0) \(next?.productID ?? "")")
            var all: [String] = []
            for await result in Transaction.all { all.append(result.unsafePayloadValue.productID) }
            #expect(all == [SessionFile.pro])
        }.value
    }

    @Test func `a detached task uses the newest session`() async throws {
        try await Task.detached {
            let session = try SessionFile.session()
            try await session.buyProduct(identifier: SessionFile.pro)
            await Task.detached {
                #expect(await Transaction.currentEntitlement(for: SessionFile.pro) != nil)
            }.value
            withExtendedLifetime(session) {}
        }.value
    }

    @Test func `a session can be created and used on a detached thread`() async throws {
        let count = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        let session = try SessionFile.session()
                        try session.buyProduct(productIdentifier: SessionFile.pro)
                        session.timeRate = .monthlyRenewalEveryThirtySeconds
                        return session.allTransactions().count
                    })
            }
        }
        #expect(count == 1)
    }

    enum ResetMethod: CaseIterable {
        case newSession, reset, cleared
    }

    @Test(arguments: ResetMethod.allCases) func `a new session, a reset and clearing transactions restore real time`(_ method: ResetMethod)
        async throws
    {
        try await Task.detached {
            let session = try SessionFile.session()
            session.timeRate = .oneSecondIsOneDay
            _ = try await TimeRateTests.buy(SessionFile.yearly)
            var newer: SKTestSession?
            switch method {
            case .newSession: newer = try SessionFile.session()
            case .reset: session.resetToDefaultState()
            case .cleared: session.clearTransactions()
            }
            let before = Date()
            let coins = try await TimeRateTests.buy(SessionFile.coins)
            #expect(coins.purchaseDate >= before.addingTimeInterval(-0.001) && coins.purchaseDate <= Date())
            withExtendedLifetime((session, newer)) {}
        }.value
    }
}
