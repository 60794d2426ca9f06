import Foundation
import Lines
import LocalAppStore
import OpenStoreKit
import PurchaseModel
import StoreKit

/// Asks what a customer may use, beside a history of coins that grows.
struct HistoryMeasurements {
    static let books = 10

    let store: BenchmarkStore

    func all() async throws -> [Line] {
        var lines: [Line] = []
        for coins in DeviceMeasurements.counts {
            let count = coins.formatted(.number.locale(Locale(identifier: "en_US")))
            let recorded = try await store.history(books: Self.books, coins: coins)
            let books = Array(recorded.pages.flatMap(\.transactions).flatMap(\.signed).prefix(Self.books))
            let entitling = try await entitling(recorded.pages, recorded.signIn, coins)
            // Ten signatures take less than a clock can be trusted with.
            let verifying = try await store.verifying(Array(repeating: books, count: 20).flatMap { $0 }) / 20
            lines.append(
                Line(
                    title: "currentEntitlements, 10 beside \(count) coins", value: entitling, unit: "µs", basis: "their verifications",
                    ratio: entitling / verifying))
        }
        return lines
    }

    /// How many microseconds it takes a device that knows the history, the mean of twenty times.
    private func entitling(_ history: [DeviceProtocol.Page], _ signIn: Data, _ coins: Int) async throws -> Double {
        let folder = FileManager.default.temporaryDirectory.appending(path: "device-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let credentials = Credentials(account: AccountID("player-\(coins)"), password: "ladder")
        let device = try Device(
            DeviceConfiguration(
                storeURL: store.url, bundleID: BenchmarkStore.bundleID, appVersion: "1", folder: folder, rootsPEM: store.store.rootsPEM,
                interface: AutomaticInterface(credentials)),
            transport: try RecordedLine(signIn: signIn, history: history))
        try await device.signIn(credentials)
        return try await Device.$current.withValue(device) {
            // The first time the history is fetched.
            guard await entitlements() == Self.books else { throw DeviceMeasurements.Incomplete(count: await entitlements()) }
            let started = ContinuousClock.now
            for _ in 0..<20 { _ = await entitlements() }
            return DeviceMeasurements.microseconds(since: started) / 20
        }
    }

    private func entitlements() async -> Int {
        var count = 0
        for await _ in Transaction.currentEntitlements { count += 1 }
        return count
    }
}
