import Foundation
import PurchaseModel
import PurchaseTestSupport
import Synchronization
import Testing

@testable import PurchaseKit

/// New vaults that two sessions open at the same time, such as an app and its extension.
@Suite struct VaultOpeningTests {
    private let folder: TemporaryFolder
    private let keychain = MemoryKeychain()
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("vault").path(percentEncoded: false)
    }

    /// A keychain in which another session works before an access of this one.
    private final class ContestedKeychain: Keychain {
        private let keychain: MemoryKeychain
        private let remaining: Mutex<Int>
        private let body: @Sendable () throws(VaultError) -> Void

        /// Sets what the other session does, and before which access, counted from 1.
        init(_ keychain: MemoryKeychain, before access: Int, _ body: @escaping @Sendable () throws(VaultError) -> Void) {
            self.keychain = keychain
            remaining = Mutex(access)
            self.body = body
        }

        /// Whether the other session has worked.
        var isContested: Bool { remaining.withLock { $0 <= 0 } }

        private func contend() throws(VaultError) {
            let isNow = remaining.withLock { count -> Bool in
                count -= 1
                return count == 0
            }
            if isNow { try body() }
        }

        func secret(_ name: String) throws(VaultError) -> Data? {
            try contend()
            return try keychain.secret(name)
        }

        func set(_ secret: Data, for name: String, scope: KeychainScope) throws(VaultError) {
            try contend()
            try keychain.set(secret, for: name, scope: scope)
        }

        func add(_ secret: Data, for name: String, scope: KeychainScope) throws(VaultError) -> Data {
            try contend()
            return try keychain.add(secret, for: name, scope: scope)
        }
    }

    private func open(_ keychain: any Keychain) async throws -> Vault {
        try await Vault(path: path, keychain: keychain, bundleID: .test)
    }

    /// Expects that a vault has the values of two sessions, and does not count as restored.
    private func expectBoth(in vault: Vault) async {
        #expect(await vault.value("first") == Data())
        #expect(await vault.value("second") == Data())
        #expect(await !vault.isRestoredFromBackup)
    }

    // The first opening accesses the keychain seven times.
    @Test(arguments: 1...7)
    func `sessions that open a new vault at the same time have the same keys, and read each other's writes`(_ access: Int) async throws {
        let (file, known) = (VaultFile(path: path), self.keychain)
        let writer = Mutex<VaultWriter?>(nil)
        let items = Mutex<[String: Data]>([:])
        let contested = ContestedKeychain(known, before: access) { () throws(VaultError) in
            let opened = try VaultWriter.open(file, keychain: known, bundleID: .test, resetting: false)
            writer.withLock { $0 = opened?.writer }
            items.withLock { $0 = known.secrets }
        }
        let second = try await open(contested)
        #expect(items.withLock { $0 } == known.secrets)
        let opened = writer.withLock { $0 }
        let first = try #require(opened)
        var codec = VaultCodec()
        let frame = try codec.frame([.value("first", Data())])
        try await first.append([frame])
        try await second.change { _ throws(VaultError) in [.value("second", Data())] }
        await expectBoth(in: second)
        try await expectBoth(in: open(known))
    }

    @Test(arguments: 1...4)
    func `the first write of another session is not mistaken for a vault whose keys are lost`(_ access: Int) async throws {
        let (url, known) = (URL(filePath: path), self.keychain)
        try await open(known).change { _ throws(VaultError) in [.value("first", Data())] }
        let (bytes, items) = (try Data(contentsOf: url), known.secrets)
        try FileManager.default.removeItem(at: url)
        known.secrets = [:]
        let contested = ContestedKeychain(known, before: access) { () throws(VaultError) in
            do { try bytes.write(to: url) } catch { throw .storage(reason: "\(error)") }
            known.secrets = items
        }
        let second = try await open(contested)
        #expect(contested.isContested)
        try await second.change { _ throws(VaultError) in [.value("second", Data())] }
        await expectBoth(in: second)
        try await expectBoth(in: open(known))
    }

    @Test func `sessions with keychains in files that open a new vault at the same time lose nothing`() async throws {
        let (path, items) = (self.path, folder.file("keychain").path(percentEncoded: false))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for name in ["first", "second"] {
                group.addTask {
                    let vault = try await Vault(path: path, keychain: FileKeychain(folder: items), bundleID: .test)
                    try await vault.change { _ throws(VaultError) in [.value(name, Data())] }
                }
            }
            try await group.waitForAll()
        }
        try await expectBoth(in: open(FileKeychain(folder: items)))
    }

    @Test func `of the secrets that processes add to a keychain in files at the same time, all processes obtain the same`() async throws {
        let path = folder.file("keychain").path(percentEncoded: false)
        let obtained = try await withThrowingTaskGroup(of: Data.self) { group in
            for number in UInt8(0)..<8 {
                group.addTask { try FileKeychain(folder: path).add(Data([number]), for: "vault-secret", scope: .backup) }
            }
            var all: Set<Data> = []
            for try await secret in group { all.insert(secret) }
            return all
        }
        #expect(obtained.count == 1)
        #expect(try FileKeychain(folder: path).secret("vault-secret") == obtained.first)
        // Only the item remains, which only its owner can read.
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["vault-secret"])
        let attributes = try FileManager.default.attributesOfItem(atPath: path + "/vault-secret")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
}
