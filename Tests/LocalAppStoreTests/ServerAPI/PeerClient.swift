import Foundation
import PurchaseModel
import PurchaseTestSupport
import StoreTestSupport

@testable import LocalAppStore

/// Runs third-party Python clients against a store over HTTP.
enum PeerClient {
    /// The description of the store that the checks read.
    private struct Store: Encodable {
        var url: String
        var apiKey: String
        var keyID: String
        var issuerID: String
        var bundleID: String
        var appAppleID: Int64
        var root: String
    }

    /// Runs the checks of a Python file against a new store.
    static func run(_ file: String, storekit: String = TestCatalog.storekit) async throws -> [PythonCheck] {
        let harness = try await StoreHarness.start(storekit: Data(storekit.utf8))
        let store = harness.store
        let description = Store(
            url: harness.url.text, apiKey: store.apiKey.privateKeyPEM, keyID: store.apiKey.keyID, issuerID: store.apiKey.issuerID,
            bundleID: BundleID.test.rawValue, appAppleID: try LocalAppStoreConfiguration.test().appAppleID, root: store.rootsPEM)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await StoreTicker(work: StoreWorkQueue([store]), logger: .silent).run() }
            defer { group.cancelAll() }
            return try await PythonCheck.run(file, describing: description)
        }
    }
}
