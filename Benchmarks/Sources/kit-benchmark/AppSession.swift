import OpenStoreKit
import PurchaseKit
import PurchaseModel
import RecordedStore
import StoreKit

/// An app on a device with a vault.
@MainActor
struct AppSession {
    let device: Device
    let vault: Vault
    let purchases: Purchases
    private let results: PurchaseResults

    /// The currency of the credits that a coin adds.
    static let currency: CurrencyID = "coins"

    /// Opens the vault in a folder.
    static func vault(in folder: String) async throws -> Vault {
        try await Vault(
            path: "\(folder)/vault", keychain: try FileKeychain(folder: "\(folder)/keychain"), bundleID: BenchmarkStore.bundleID)
    }

    /// Creates the app's purchases, without starting them.
    init(_ account: RecordedAccount, device: Device, vault: Vault, server: ServerConnection? = nil) throws {
        self.device = device
        self.vault = vault
        let results = PurchaseResults()
        self.results = results
        var presentation = PurchasePresentation()
        presentation.purchase = { _, _ in
            guard let result = results.remaining.popLast() else { throw StoreKitError.unknown }
            return .success(result)
        }
        var configuration = PurchasesConfiguration(
            products: .builtIn(account.products), fulfillments: [BenchmarkStore.coins: .credit(Self.currency, 1)], vault: vault,
            verifier: try account.store.verifier(), server: server, presentation: presentation)
        configuration.clock = StoppedClock()
        purchases = Purchases(configuration)
    }

    /// Calls a closure with the device as the current device.
    func run<Value>(_ body: @MainActor () async throws -> Value) async rethrows -> Value {
        try await Device.$current.withValue(device) { try await body() }
    }

    /// Delivers a transaction as the result of a purchase.
    func deliver(_ result: VerificationResult<Transaction>) async throws {
        results.remaining.append(result)
        guard case .purchased(_, .delivered) = await purchases.buy(BenchmarkStore.coins) else { throw NotDelivered() }
    }

    /// Starts the app's purchases, and returns when a number of purchases is delivered.
    func startAndDeliver(_ count: Int) async throws {
        var delivered = 0
        let events = purchases.events
        purchases.start()
        for await case .delivered in events {
            delivered += 1
            if delivered == count { return }
        }
    }

    /// Ends the app session, and returns when its tasks have ended.
    func stop() async {
        await purchases.stop()
        await device.waitUntilIdle()
        await ProcessorTime.waitUntilIdle()
    }

    /// The results that purchases return.
    @MainActor
    private final class PurchaseResults {
        var remaining: [VerificationResult<Transaction>] = []
    }

    /// A purchase was not delivered.
    struct NotDelivered: Error {}
}

/// A clock that never reaches a deadline, so that no retry disturbs a measurement.
private struct StoppedClock: Clock {
    typealias Instant = ContinuousClock.Instant

    var now: Instant { ContinuousClock.now }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        for await _ in AsyncStream<Never>.makeStream().stream {}
        try Task.checkCancellation()
    }
}
