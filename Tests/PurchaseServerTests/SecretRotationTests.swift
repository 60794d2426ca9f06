import Foundation
import PostgresTestSupport
import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import PurchaseMaintenance
@testable import PurchaseServer
@testable import PurchaseStorage

/// Tests of rotations of the key of the secrets: at the same time, interrupted, and with earlier backups.
@Suite(.postgresCluster, .timeLimit(.minutes(10))) struct SecretRotationTests {
    /// A storage whose transactions of secrets wait at a gate after their commit, or fail in place of the commit.
    private struct InterruptedStorage: PurchaseStorage {
        let storage: any PurchaseStorage
        var gate: Gate?

        func read<Value: Sendable>(
            _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
        ) async throws -> Value { try await storage.read(app, body) }

        func write<Value: Sendable>(
            _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
        ) async throws -> Value { try await storage.write(app, body) }

        func writeSecrets<Value: Sendable>(
            _ body: @escaping @Sendable (any SharedSecretRecords) throws -> Value
        ) async throws -> Value {
            guard let gate else {
                return try await storage.writeSecrets { secrets in
                    _ = try body(secrets)
                    throw StorageError.full
                }
            }
            let value = try await storage.writeSecrets(body)
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    gate.wait()
                    continuation.resume()
                }
            }
            return value
        }

        func checkWritable() async throws { try await storage.checkWritable() }
    }

    /// A database and the file with its keys.
    private struct Place {
        let configuration: PurchaseServerConfiguration
        let keyFile: String

        init(_ kind: String, _ folder: TemporaryFolder) throws {
            keyFile = folder.file("keys").path
            var configuration = try Shop.configuration(contentFolder: folder.url.path)
            configuration.secretKeyFile = keyFile
            configuration.database =
                kind == "SQLite"
                ? .file(folder.file("server.sqlite").path)
                : .postgres(PostgresDatabase(url: try PostgresClusterTrait.createDatabaseURL(), connections: 2))
            self.configuration = configuration
        }

        func open(_ interrupted: (any PurchaseStorage) -> any PurchaseStorage = { $0 }) async throws -> PurchaseServer {
            try await PurchaseServer(
                configuration: configuration, storage: interrupted(try await PurchaseServer.open(configuration.database)),
                clock: ManualClock(), logger: .silent)
        }

        var verificationKeys: Data? { get async throws { try await open().verificationKeys(of: .test) } }
        var keyCount: Int {
            get throws { try String(contentsOfFile: keyFile, encoding: .utf8).split(separator: "\n").count }
        }
    }

    @Test(arguments: ["SQLite", "PostgreSQL"])
    func `a rotation that pauses after each write loses no secret to another one`(_ kind: String) async throws {
        try await TemporaryFolder.with { folder in
            let place = try Place(kind, folder)
            let keys = try #require(try await place.verificationKeys)
            let gate = Gate()
            let paused = try await place.open { InterruptedStorage(storage: $0, gate: gate) }
            async let first = paused.rotateSecretKey(removingEarlierKeys: true)
            try await eventually { gate.isReached }
            _ = try await place.open().rotateSecretKey()
            let second = try await place.open().rotateSecretKey(removingEarlierKeys: true)
            #expect(second == SecretRotation(encryptedSecrets: 2, earlierKeys: 0))
            #expect(try await place.verificationKeys == keys)
            gate.open()
            #expect(try await first.encryptedSecrets == 2)
            #expect(try await place.verificationKeys == keys)
        }
    }

    @Test(arguments: ["SQLite", "PostgreSQL"])
    func `rotations at the same time run one after another`(_ kind: String) async throws {
        try await TemporaryFolder.with { folder in
            let place = try Place(kind, folder)
            let keys = try #require(try await place.verificationKeys)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<6 {
                    group.addTask { try await place.open().rotateSecretKey().encryptedSecrets }
                }
                for try await count in group { #expect(count == 2) }
            }
            #expect(try place.keyCount == 7)
            #expect(try await place.verificationKeys == keys)
        }
    }

    @Test(arguments: ["SQLite", "PostgreSQL"])
    func `the new key is in the file before a secret is encrypted with it`(_ kind: String) async throws {
        try await TemporaryFolder.with { folder in
            let place = try Place(kind, folder)
            let keys = try #require(try await place.verificationKeys)
            let server = try await place.open()
            let interrupted = InterruptedStorage(storage: server.storage)
            let cipher = try SecretCipher(path: place.keyFile)
            await #expect(throws: StorageError.full) { try await cipher.encryptAgain(in: interrupted) }
            #expect(try place.keyCount == 2)
            #expect(try await place.verificationKeys == keys)
            // A file that can't be changed keeps the secrets as they are.
            try FileManager.default.createDirectory(atPath: place.keyFile + ".new/file", withIntermediateDirectories: true)
            await #expect(throws: ConfigurationError.secretKeyFile(path: place.keyFile)) { try await server.rotateSecretKey() }
            #expect(try await place.verificationKeys == keys)
        }
    }

    @Test func `secrets of apps that are not configured are encrypted with the new key, too`() async throws {
        try await TemporaryFolder.with { folder in
            let place = try Place("SQLite", folder)
            var both = place.configuration
            var second = both.apps[0]
            second.bundleID = "com.example.second"
            both.apps.append(second)
            func open() async throws -> PurchaseServer {
                try await PurchaseServer(configuration: both, clock: ManualClock(), logger: .silent)
            }
            let keys = try #require(try await open().verificationKeys(of: second.bundleID))
            let rotation = try await place.open().rotateSecretKey(removingEarlierKeys: true)
            #expect(rotation == SecretRotation(encryptedSecrets: 4, earlierKeys: 0))
            #expect(try place.keyCount == 1)
            #expect(try await open().verificationKeys(of: second.bundleID) == keys)
        }
    }

    @Test func `a server that runs during a rotation encrypts new secrets with the key of the file`() async throws {
        try await TemporaryFolder.with { folder in
            let place = try Place("SQLite", folder)
            let running = try await place.open()
            _ = try await place.open().rotateSecretKey(removingEarlierKeys: true)
            let secrets = running.secrets
            #expect(try await secrets.secret("new") { Data([7]) } == Data([7]))
            let later = try await place.open().secrets
            #expect(try await later.secret("new") == Data([7]))
            // Removing the keys of a repeated rotation keeps the one that the secrets need.
            _ = try await place.open().rotateSecretKey(removingEarlierKeys: true)
            #expect(try await later.secret("new") == Data([7]))
        }
    }

    @Test func `the key file has a maximum number of keys, and removing the earlier ones makes space`() async throws {
        try await TemporaryFolder.with { folder in
            let place = try Place("SQLite", folder)
            let server = try await place.open()
            let line = try String(contentsOfFile: place.keyFile, encoding: .utf8)
            let others = (0..<999).map { Data(repeating: UInt8($0 % 251), count: 32).base64EncodedString() + "\n" }.joined()
            try Data((line + others).utf8).write(to: URL(filePath: place.keyFile))
            await #expect(throws: ConfigurationError.secretKeysFull(path: place.keyFile)) { try await server.rotateSecretKey() }
            #expect(try await place.open().rotateSecretKey(removingEarlierKeys: true).earlierKeys == 0)
        }
    }

    @Test func `a backup from before a rotation is restored with the key file from after it`() async throws {
        try await TemporaryFolder.with { folder in
            let place = try Place("SQLite", folder)
            let keys = try #require(try await place.verificationKeys)
            let backup = folder.file("backup").path
            _ = try DatabaseBackup(of: place.configuration).write(to: backup) { _, _ in }
            for _ in 1...2 { _ = try await place.open().rotateSecretKey() }
            var restored = place.configuration
            restored.database = .file(folder.file("restored.sqlite").path)
            let report = try DatabaseBackup(of: restored).restore(from: backup) { _, _ in }
            #expect(report.secretsWithEarlierKey == 2)
            let server = try await PurchaseServer(configuration: restored, clock: ManualClock(), logger: .silent)
            #expect(server.verificationKeys(of: .test) == keys)

            // Without the earlier keys, the backup is refused, and the error names the reason.
            _ = try await place.open().rotateSecretKey(removingEarlierKeys: true)
            restored.database = .file(folder.file("later.sqlite").path)
            let error = #expect(throws: BackupError.secretKeyFile(path: place.keyFile)) {
                try DatabaseBackup(of: restored).restore(from: backup) { _, _ in }
            }
            #expect(error?.description.contains("secrets rotate --remove-earlier-keys") == true)
        }
    }
}

extension PurchaseServer {
    /// The secrets of the test app.
    var secrets: SecretService { SecretService(app: .test, storage: storage, cipher: resources.cipher) }
}
