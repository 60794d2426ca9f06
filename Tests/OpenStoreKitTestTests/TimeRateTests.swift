import Foundation
import StoreKit
import StoreKitTest
import Testing

/// Time rates shorten subscription periods. The store's clock shows the system time at every rate.
@Suite struct TimeRateTests {
    /// The duration of a monthly subscription, in seconds, for each time rate.
    private static let months: [(SKTestSession.TimeRate, TimeInterval)] = [
        (.oneHourIsOneDay, 30 * 3_600), (.thirtyMinutesIsOneDay, 30 * 1_800), (.fiveMinutesIsOneDay, 30 * 300),
        (.oneMinuteIsOneDay, 30 * 60),
        (.thirtySecondsIsOneDay, 30 * 30), (.oneSecondIsOneDay, 30), (.monthlyRenewalEveryHour, 3_600),
        (.monthlyRenewalEveryThirtyMinutes, 1_800), (.monthlyRenewalEveryFifteenMinutes, 900), (.monthlyRenewalEveryFiveMinutes, 300),
        (.monthlyRenewalEveryThirtySeconds, 30), (.oneRenewalEveryMinute, 60),
    ]

    static func buy(_ id: String) async throws -> Transaction {
        let product = try #require(try await Product.products(for: [id]).first)
        guard case .success(let result) = try await product.purchase() else { throw SKTestError(.invalidAction) }
        return try result.payloadValue
    }

    @Test(arguments: months) func `a subscription expires one shortened period after its purchase`(
        _ rate: SKTestSession.TimeRate, _ seconds: TimeInterval
    ) async throws {
        let session = try SessionFile.session()
        session.timeRate = rate
        let bought = try await Self.buy(SessionFile.monthly)
        #expect(bought.purchaseDate <= Date() && bought.expirationDate == bought.purchaseDate.addingTimeInterval(seconds))
        #expect(session.allTransactions().first?.expirationDate == bought.expirationDate)
    }
}
