import ContentStorage
import Foundation
import Logging
import PurchaseModel
import PurchaseProof
import PurchaseServer
import PurchaseStorage
import PurchaseStorageTesting
import Testing

/// Tests of a storage that is written as in another package, with the public API only.
@Suite struct OutsideStorageTests {
    @Test(arguments: PurchaseStorageContract.checks)
    func `a storage of another package keeps the promises`(_ check: PurchaseStorageContract.Check) async throws {
        try await check.run { MemoryStorage() }
    }

    @Test func `a server keeps its records in a storage of another package`() async throws {
        let app = AppConfiguration(
            bundleID: "com.example.app", products: [], content: ContentConfiguration.folder(FileManager.default.temporaryDirectory.path()))
        let configuration = PurchaseServerConfiguration(apps: [app], environment: .sandbox, roots: .apple, database: .memory)
        let storage = MemoryStorage()
        let server = try await PurchaseServer(configuration: configuration, storage: storage, logger: Logger(label: "test"))
        let key = try await #require(server.apiKeys(of: "com.example.app")).create(.secret)
        #expect(try await storage.read("com.example.app") { try $0.apiKeys() } == [key.record])
        #expect(try await !storage.read("com.example.app") { try $0.secretNames() }.isEmpty)
    }
}
