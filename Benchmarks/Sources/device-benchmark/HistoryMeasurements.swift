import BenchmarkReport
import Foundation
import LocalAppStore
import OpenStoreKit
import PurchaseModel
import RecordedStore
import StoreKit

/// Measures `currentEntitlements` with a history of coins that grows.
struct HistoryMeasurements {
    static let books = 10

    let store: BenchmarkStore
    /// The numbers of purchased coins, in ascending order.
    let counts: [Int]

    func all() async throws -> [ReportLine] {
        var lines: [ReportLine] = []
        for coins in counts {
            let count = coins.formatted(.number.locale(Locale(identifier: "en_US")))
            let folder = FileManager.default.temporaryDirectory.appending(path: "device-\(UUID().uuidString)").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let recorded = try await store.history(books: Self.books, coins: coins, on: try identifier(in: folder))
            let books = Array(recorded.pages.flatMap(\.transactions).flatMap(\.signed).prefix(Self.books))
            let entitlementsTime = try await entitlementsTime(recorded.pages, recorded.signIn, coins, in: folder)
            // Ten signatures are too fast to measure, so that they are verified 20 times.
            let verifying = try await store.verifying(Array(repeating: books, count: 20).flatMap { $0 }) / 20
            lines.append(
                ReportLine(
                    title: "currentEntitlements, 10 and \(count) coins", value: entitlementsTime, unit: "µs",
                    basis: "their verifications",
                    ratio: entitlementsTime / verifying))
        }
        return lines
    }

    /// Returns the device identifier that a new device in a folder has.
    private func identifier(in folder: String) throws -> UUID {
        let device = try Device(
            DeviceConfiguration(
                storeURL: store.url, bundleID: BenchmarkStore.bundleID, appVersion: "1", folder: folder, rootsPEM: store.store.rootsPEM,
                interface: AutomaticInterface(BenchmarkStore.credentials)))
        guard let identifier = Device.$current.withValue(device, operation: { AppStore.deviceVerificationID }) else {
            throw CancellationError()
        }
        return identifier
    }

    /// Returns the microseconds of `currentEntitlements` on a device with a cached history, as the mean of 20 calls.
    private func entitlementsTime(
        _ history: [DeviceProtocol.Page], _ signIn: Data, _ coins: Int, in folder: String
    ) async throws -> Double {
        let credentials = Credentials(account: AccountID("player-\(coins)"), password: "ladder")
        let device = try Device(
            DeviceConfiguration(
                storeURL: store.url, bundleID: BenchmarkStore.bundleID, appVersion: "1", folder: folder, rootsPEM: store.store.rootsPEM,
                interface: AutomaticInterface(credentials)),
            transport: try RecordedTransport(signIn: signIn, history: history))
        try await device.signIn(credentials)
        return try await Device.$current.withValue(device) {
            // The first call fetches the history.
            guard await entitlements() == Self.books else { throw DeviceMeasurements.Incomplete(count: await entitlements()) }
            let started = ContinuousClock.now
            for _ in 0..<20 { _ = await entitlements() }
            return started.microseconds / 20
        }
    }

    private func entitlements() async -> Int {
        var count = 0
        for await case .verified in Transaction.currentEntitlements { count += 1 }
        return count
    }
}
