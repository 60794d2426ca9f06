import Foundation
import LocalAppStore
import OpenStoreKit
import PurchaseModel
import PurchaseProof
import RecordedStore
import StoreKit

/// The purchases of an account that a store has signed for one device, and copies of this device.
///
/// A device replays a part of the purchases from a transport, so that the store takes no part in the measurements.
struct RecordedAccount: Sendable {
    typealias Entry = DeviceProtocol.Page.Entry

    /// The number of the store's products that the app lists.
    private static let listedBooks = 10

    let store: BenchmarkStore
    /// The identifiers of the products that the app lists.
    let products: [ProductID]
    /// Purchases of different non-consumables, oldest first.
    let books: [Entry]
    /// Purchases of a consumable, oldest first.
    let coins: [Entry]
    private let description: Data
    private let signIn: Data
    private let credentials: Credentials
    /// The folder that contains all files of the benchmark.
    private let folder: String

    static func record(books: Int, coins: Int) async throws -> RecordedAccount {
        let store = try await BenchmarkStore.start(largest: max(books, listedBooks))
        let folder = FileManager.default.temporaryDirectory.appending(path: "kit-\(UUID().uuidString)").path
        let identifier = try createDevice(in: "\(folder)/device", of: store)
        await waitUntilClosed("\(folder)/device")
        let recorded = try await store.history(books: books, coins: coins, on: identifier)
        let entries = recorded.pages.flatMap(\.transactions)
        guard entries.count == books + coins else { throw Incomplete(expected: books + coins, count: entries.count) }
        let products = [BenchmarkStore.coins] + (0..<listedBooks).map { BenchmarkStore.product($0) }
        return RecordedAccount(
            store: store, products: products, books: Array(entries.prefix(books)), coins: Array(entries.dropFirst(books)),
            description: try await store.products(products), signIn: recorded.signIn,
            credentials: Credentials(account: AccountID("player-\(coins)"), password: "ladder"), folder: folder)
    }

    /// Creates the files of a device, and returns its identifier.
    private static func createDevice(in folder: String, of store: BenchmarkStore) throws -> UUID {
        let device = try device(in: folder, of: store, HTTPStoreTransport(storeURL: store.url), BenchmarkStore.credentials)
        guard let identifier = Device.$current.withValue(device, operation: { AppStore.deviceVerificationID }) else {
            throw CancellationError()
        }
        return identifier
    }

    /// Waits until a device has closed its journal, whose files would otherwise change while they are copied.
    private static func waitUntilClosed(_ folder: String) async {
        for _ in 0..<1_000 where FileManager.default.fileExists(atPath: "\(folder)/journal.sqlite-shm") {
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Removes all files of the benchmark.
    func remove() {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Creates a folder for the files of an app.
    func appFolder() throws -> String {
        let path = "\(folder)/app-\(UUID().uuidString)"
        try FileManager.default.copyItem(atPath: "\(folder)/device", toPath: path)
        return path
    }

    /// Returns a device in the folder of an app that is signed in to the account with a part of its purchases.
    func device(in folder: String, with entries: some Sequence<Entry>, areFinished: Bool) async throws -> Device {
        let transport = try RecordedTransport(
            signIn: signIn, history: DeviceProtocol.Page.history(of: entries, areFinished: areFinished), products: description)
        let device = try Self.device(in: folder, of: store, transport, credentials)
        try await device.signIn(credentials)
        return device
    }

    private static func device(
        in folder: String, of store: BenchmarkStore, _ transport: any StoreTransport, _ credentials: Credentials
    ) throws -> Device {
        try Device(
            DeviceConfiguration(
                storeURL: store.url, bundleID: BenchmarkStore.bundleID, appVersion: "1", folder: folder, rootsPEM: store.store.rootsPEM,
                interface: AutomaticInterface(credentials)),
            transport: transport)
    }

    /// A part of the purchases is missing.
    struct Incomplete: Error {
        let expected: Int
        let count: Int
    }
}
