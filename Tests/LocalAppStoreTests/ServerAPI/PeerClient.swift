import Foundation
import PurchaseModel
import PurchaseTestSupport
import StoreTestSupport
import Testing

@testable import LocalAppStore

/// Runs third-party Python clients against a store over HTTP.
enum PeerClient {
    /// The result of one check.
    struct CheckResult: Decodable, Sendable {
        var check: String
        var ok: Bool
        var detail: String?
    }

    struct Failed: Error {
        var status: Int32
        var output: String
    }

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
    static func run(_ file: String, storekit: String = TestCatalog.storekit) async throws -> [CheckResult] {
        let harness = try await StoreHarness.start(storekit: Data(storekit.utf8))
        let store = harness.store
        let description = Store(
            url: harness.url.text, apiKey: store.apiKey.privateKeyPEM, keyID: store.apiKey.keyID, issuerID: store.apiKey.issuerID,
            bundleID: BundleID.test.rawValue, appAppleID: try LocalAppStoreConfiguration.test().appAppleID, root: store.rootsPEM)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await StoreTicker(work: StoreWorkQueue([store]), logger: .silent).run() }
            defer { group.cancelAll() }
            return try await python(file, String(decoding: JSONEncoder().encode(description), as: UTF8.self))
        }
    }

    private static func python(_ file: String, _ store: String) async throws -> [CheckResult] {
        // The folder of the tests may be a symbolic link in another package.
        let clients = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "../../Clients").standardizedFileURL
        let process = Process()
        process.executableURL = clients.appending(path: "../../scripts/peers").standardizedFileURL
        process.arguments = [clients.appending(path: file).path]
        process.environment = ProcessInfo.processInfo.environment.merging(["STORE": store, "PYTHONDONTWRITEBYTECODE": "1"]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let ended = AsyncStream<Int32>.makeStream()
        process.terminationHandler = { ended.continuation.yield($0.terminationStatus) }
        try process.run()
        let text = String(decoding: try await bytes(of: output.fileHandleForReading), as: UTF8.self)
        let status = await ended.stream.first { _ in true } ?? -1
        guard status == 0 else { throw Failed(status: status, output: text) }
        return try text.split(separator: "\n").map { try JSONDecoder().decode(CheckResult.self, from: Data($0.utf8)) }
    }

    private static func bytes(of handle: FileHandle) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try handle.readToEnd() ?? Data() })
            }
        }
    }
}
