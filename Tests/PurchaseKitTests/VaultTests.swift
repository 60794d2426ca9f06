import Foundation
import MessageSignatures
import PrivateFiles
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Synchronization
import Testing

@testable import PurchaseKit

@Suite struct VaultTests {
    private let folder: TemporaryFolder
    private let keychain = MemoryKeychain()
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("vault").path(percentEncoded: false)
    }

    private func open(bundle: BundleID = .test, keychain: (any Keychain)? = nil, resetting: Bool = false) async throws -> Vault {
        try await Vault(path: path, keychain: keychain ?? self.keychain, bundleID: bundle, resetting: resetting)
    }

    private func transaction(_ id: TransactionID = "1", product: ProductID = "p") async throws -> VerifiedTransaction {
        let authority = TestAuthority.shared
        return try await authority.verifier().verify(authority.signedData.sign(TransactionPayload.sample(id: id, product: product)))
    }

    private func expect(_ error: VaultError, _ comment: Comment? = nil) async {
        await #expect(throws: error, comment) { _ = try await open() }
    }

    private let content = InstalledContent.sample

    @Test func `a vault keeps purchases, credits and content after reopening`() async throws {
        let vault = try await open()
        #expect(try await vault.record(transaction("2"), credits: 20))
        #expect(try await vault.record(transaction("1", product: "q")))
        try await vault.spend(3, spending: "banana")
        try await vault.install(content, of: "q")
        let again = try await open()
        #expect(await again.balance(of: .credits) == 17)
        #expect(await again.purchases.map(\.payload.transactionId) == ["1", "2"])
        for (product, isOwned) in [("p", true), ("q", true), ("r", false)] as [(ProductID, Bool)] {
            #expect(await again.owns(product) == isOwned)
        }
        #expect(await again.content(of: "q") == content)
        #expect(await again.content(of: "p") == nil)
    }

    @Test func `a vault that starts anew is empty, and older copies of the file are noticed`() async throws {
        let first = try await open()
        try await first.record(transaction(), credits: 5)
        let old = try Data(contentsOf: URL(filePath: path))
        try Data("invalid".utf8).write(to: URL(filePath: path))
        await expect(.tampered)

        let newVault = try await open(resetting: true)
        #expect(await newVault.purchases.isEmpty)
        #expect(await newVault.balance(of: .credits) == 0)
        try await newVault.record(transaction("2"))
        let again = try await open()
        #expect(await again.purchases.map(\.payload.transactionId) == ["2"])

        try old.write(to: URL(filePath: path))
        #expect(try await open().isRestoredFromBackup)
    }

    @Test func `a transaction is credited once, also after reopening`() async throws {
        let first = try await open()
        #expect(try await first.record(transaction(), credits: 5))
        #expect(try await first.record(transaction(), credits: 5) == false)
        let second = try await open()
        #expect(try await second.record(transaction(), credits: 5) == false)
        #expect(await second.balance(of: .credits) == 5)
    }

    @Test func `a repeated debit with the same idempotency key is applied once`() async throws {
        let vault = try await open()
        try await vault.record(transaction(), credits: 10)
        try await vault.spend(4, spending: "a")
        try await vault.spend(4, spending: "a")
        let again = try await open()
        try await again.spend(4, spending: "a")
        #expect(await again.balance(of: .credits) == 6)
    }

    @Test(
        arguments: [
            (0, DebitError.invalidAmount), (-1, .invalidAmount), (Int64.min, .invalidAmount), (11, .insufficientBalance(available: 10)),
            (Int64.max, .insufficientBalance(available: 10)),
        ] as [(Int64, DebitError)])
    func `a debit that is not positive or exceeds the balance is refused`(_ amount: Int64, _ error: DebitError) async throws {
        let vault = try await open()
        try await vault.record(transaction(), credits: 10)
        await #expect(throws: error) { try await vault.spend(amount, spending: "a") }
        try await vault.spend(10, spending: "a")
        #expect(await vault.balance(of: .credits) == 0)
    }

    @Test func `a later date of the same signed data is kept, so that a clock that is set back is noticed after a relaunch`() async throws {
        let authority = TestAuthority.shared
        var payload = TransactionPayload.sample(product: "p")
        let purchased = payload.signedDate
        for _ in 1...2 {
            let vault = try await open()
            let reader = PurchaseReader(
                vault: vault, session: PurchasesSession(), verifier: try authority.verifier(), service: nil,
                clock: TrustedClock(ManualClock(purchased)),
                serverAnswered: { _ in })
            await reader.hold([SignedProof(transaction: try authority.signedData.sign(payload))])
            payload.signedDate = purchased.adding(days: 200)
        }
        let contents = try await open().contents
        #expect(contents.proofs.map(\.facts.signedDate) == [purchased])
        let clock = TrustedClock(ManualClock(purchased))
        clock.raise(to: try #require(contents.time))
        #expect(clock.isSetBack && clock.now >= purchased.adding(days: 200))
    }

    @Test func `a vault opens although the disk is too full to compact it`() async throws {
        struct FullDisk: VaultStorage {
            let file: VaultFile

            func read() throws -> Data? { try file.read() }
            func exists() -> Bool { file.exists() }
            func create(_ contents: Data) throws { throw CocoaError(.fileWriteOutOfSpace) }
            func replace(with contents: Data, of length: Int?) throws { throw CocoaError(.fileWriteOutOfSpace) }
            func append(_ bytes: Data, at offset: Int) throws { throw CocoaError(.fileWriteOutOfSpace) }
            func truncate(at offset: Int, of length: Int) throws {}
        }
        let vault = try await open()
        try await vault.record(transaction(), credits: 5)
        try await vault.change { [content] _ throws(VaultError) in Array(repeating: .content("p", content), count: 1_100) }
        let again = try await Vault(
            FullDisk(file: VaultFile(path: path)), keychain: keychain, bundleID: .test)
        #expect(await again.balance(of: .credits) == 5)
        let compacted = try await open()
        #expect(await compacted.balance(of: .credits) == 5)
        #expect(try await open().content(of: "p") == content)
    }

    @Test func `an idempotency key with another amount is refused`() async throws {
        let vault = try await open()
        try await vault.record(transaction(), credits: 10)
        try await vault.spend(4, spending: "a")
        await #expect(throws: DebitError.idempotencyKeyReused) { try await vault.spend(5, spending: "a") }
        #expect(await vault.balance(of: .credits) == 6)
    }

    @Test(arguments: [-1, Int64.min, Int64.max])
    func `credits out of range are refused without a change`(_ credits: Int64) async throws {
        let vault = try await open()
        try await vault.record(transaction("1"), credits: 10)
        await #expect(throws: VaultError.outOfRange) { try await vault.record(transaction("2", product: "q"), credits: credits) }
        #expect(await vault.balance(of: .credits) == 10)
        #expect(await vault.owns("q") == false)
        #expect(try await open().balance(of: .credits) == 10)
    }

    @Test func `a change of any byte of the file is detected`() async throws {
        try await open().install(content, of: "p")
        let file = try Data(contentsOf: URL(filePath: path))
        for index in file.indices {
            var changed = file
            changed[index] ^= 1
            try changed.write(to: URL(filePath: path))
            await expect(index == 7 ? .unsupportedVersion : .tampered, "byte \(index)")
        }
        try file.write(to: URL(filePath: path))
        #expect(try await open().content(of: "p") == content)
    }

    @Test func `any truncation of the file is noticed`() async throws {
        let vault = try await open()
        try await vault.install(content, of: "p")
        let one = try Data(contentsOf: URL(filePath: path)).count
        try await vault.install(content, of: "q")
        let (file, secrets) = (try Data(contentsOf: URL(filePath: path)), keychain.secrets)
        for length in file.indices {
            keychain.secrets = secrets
            try file.prefix(length).write(to: URL(filePath: path))
            if length == one {
                #expect(try await open().isRestoredFromBackup)
            } else {
                await expect(.tampered, "\(length) bytes")
            }
        }
    }

    @Test func `an incomplete write at the end of the file, which a crash leaves, is removed`() async throws {
        try await open().install(content, of: "p")
        let complete = try Data(contentsOf: URL(filePath: path))
        let position = keychain.secrets["vault-position"]
        try await open().install(content, of: "q")
        let next = try Data(contentsOf: URL(filePath: path)).dropFirst(complete.count)
        // The keychain has no record of the second write, because it follows the write of the file.
        for length in 1..<next.count {
            keychain.secrets["vault-position"] = position
            try (complete + next.prefix(length)).write(to: URL(filePath: path))
            let vault = try await open()
            #expect(await vault.content(of: "p") == content, "\(length) bytes")
            #expect(await vault.content(of: "q") == nil, "\(length) bytes")
            #expect(try Data(contentsOf: URL(filePath: path)) == complete)
        }
        keychain.secrets["vault-position"] = position
        try (complete + next).write(to: URL(filePath: path))
        #expect(try await open().content(of: "q") == content)
    }

    @Test func `writes can't be moved, removed or repeated`() async throws {
        let vault = try await open()
        var lengths = [56]
        for product in ["p", "q", "r"] as [ProductID] {
            try await vault.install(content, of: product)
            lengths.append(try Data(contentsOf: URL(filePath: path)).count)
        }
        let file = try Data(contentsOf: URL(filePath: path))
        let frames = zip(lengths, lengths.dropFirst()).map { file[$0..<$1] }
        let header = file.prefix(lengths[0])
        for order in [[1, 0, 2], [0, 2, 1], [1, 2], [0, 0, 2], [0, 2], [2]] {
            try order.reduce(Data(header)) { $0 + frames[$1] }.write(to: URL(filePath: path))
            await #expect(throws: VaultError.self, "\(order)") { _ = try await open() }
        }
        try file.write(to: URL(filePath: path))
        #expect(try await open().content(of: "r") == content)
    }

    @Test func `an empty file with a higher epoch is refused`() async throws {
        try await open().record(transaction(), credits: 10)
        let file = try Data(contentsOf: URL(filePath: path))
        // The file before is named by its epoch, the number of its frames, and the tag of the last one.
        let before = Data(repeating: 0, count: 15) + [1] + file.suffix(16)
        for frames in [0, 1] as [UInt8] {
            let epoch = Data("TILLVLT5".utf8) + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, frames]
            try (epoch + before).write(to: URL(filePath: path))
            await expect(.tampered)
        }
    }

    @Test func `a vault with many replaced entries is compacted, and keeps its contents`() async throws {
        let vault = try await open()
        try await vault.record(transaction(), credits: 10)
        for number in 0..<1_500 {
            try await vault.change { _ throws(VaultError) in [.value("counter", Data("\(number)".utf8))] }
        }
        let before = try Data(contentsOf: URL(filePath: path))
        let compacted = try await open()
        #expect(await compacted.value("counter") == Data("1499".utf8))
        #expect(await compacted.balance(of: .credits) == 10)
        #expect(try Data(contentsOf: URL(filePath: path)).count < before.count / 10)
        try await compacted.spend(4, spending: "a")
        #expect(try await open().balance(of: .credits) == 6)
        try before.write(to: URL(filePath: path))
        #expect(try await open().isRestoredFromBackup)
    }

    @Test func `changes at the same time are written together, and each is durable when its call returns`() async throws {
        let vault = try await open()
        let writes = keychain.writes.count
        try await withThrowingTaskGroup { group in
            for number in 0..<200 {
                group.addTask { try await vault.change { _ throws(VaultError) in [.value("v\(number)", Data())] } }
            }
            try await group.waitForAll()
        }
        #expect(keychain.writes.count - writes < 200)
        let again = try await open()
        for number in 0..<200 { #expect(await again.value("v\(number)") != nil) }
    }

    @Test func `a missing file is detected`() async throws {
        try await open().record(transaction())
        try FileManager.default.removeItem(atPath: path)
        await expect(.missing)
    }

    @Test func `a file of another app does not open`() async throws {
        try await open().record(transaction())
        await #expect(throws: VaultError.tampered) { _ = try await open(bundle: "com.example.other") }
    }

    @Test(arguments: ["vault-secret", "device-key"])
    func `a file without its key in the keychain does not open, and stays as it is`(_ name: String) async throws {
        try await open().record(transaction())
        let file = try Data(contentsOf: URL(filePath: path))
        keychain.secrets[name] = nil
        await expect(.missingKey)
        #expect(try Data(contentsOf: URL(filePath: path)) == file)
    }

    @Test func `a file with the key of another device does not open`() async throws {
        try await open().record(transaction())
        let other = MemoryKeychain()
        other.secrets = keychain.secrets
        other.secrets["device-key"] = Data(try P256SigningKey(newWithID: "device-key").pem.utf8)
        await #expect(throws: VaultError.tampered) { _ = try await open(keychain: other) }
    }

    @Test func `a file of another version is kept`() async throws {
        try await open().record(transaction())
        var file = try Data(contentsOf: URL(filePath: path))
        file[7] = UInt8(ascii: "6")
        try file.write(to: URL(filePath: path))
        await expect(.unsupportedVersion)
        #expect(VaultError.unsupportedVersion.requiresReset == false)
        #expect(try Data(contentsOf: URL(filePath: path)) == file)
    }

    @Test func `a crash between the writes to file and keychain loses no purchase`() async throws {
        let vault = try await open()
        try await vault.record(transaction("1"), credits: 5)
        keychain.fail(["vault-position"])
        await #expect(throws: VaultError.self) { try await vault.record(transaction("2", product: "q"), credits: 7) }
        // The open vault has the contents of its file.
        #expect(await vault.owns("q"))
        #expect(await vault.balance(of: .credits) == 12)
        #expect(try await vault.record(transaction("2", product: "q"), credits: 7) == false)
        keychain.fail([])
        let again = try await open()
        #expect(await again.balance(of: .credits) == 12)
        #expect(await again.purchases.count == 2)
        try await again.spend(12, spending: "a")
        #expect(try await open().balance(of: .credits) == 0)
    }

    @Test func `a write that fails changes nothing`() async throws {
        let vault = try await open()
        try await vault.record(transaction("1"), credits: 5)
        try FileManager.default.removeItem(atPath: path)
        await #expect(throws: VaultError.missing) { try await vault.record(transaction("2"), credits: 5) }
        #expect(await vault.balance(of: .credits) == 5)
        #expect(await vault.purchases.count == 1)
    }

    @Test func `the keychain holds three small items, whatever the vault contains`() async throws {
        let vault = try await open()
        for id in 1...50 { try await vault.record(transaction(TransactionID("\(id)")), credits: 5) }
        try await vault.install(content, of: "p")
        #expect(Set(keychain.secrets.keys) == ["vault-secret", "device-key", "vault-position"])
        for (name, secret) in keychain.secrets { #expect(secret.count <= 512, "\(name)") }
    }

    @Test func `the vault's secret is created once`() async throws {
        _ = try await open()
        let secret = keychain.secrets["vault-secret"]
        #expect(secret?.count == 32)
        _ = try await open()
        #expect(keychain.secrets["vault-secret"] == secret)
        #expect(keychain.writes.count { $0 == "vault-secret" } == 1)
    }

    @Test func `an invalid position in the keychain is reported as tampering`() async throws {
        _ = try await open()
        for text in ["-1", "0.0", "0.0.", "0.0.AAAA", "99999999999999999999.0.AAAAAAAAAAAAAAAAAAAAAA=="] {
            keychain.secrets["vault-position"] = Data(text.utf8)
            await expect(.tampered, "\(text)")
        }
    }

    @Test(arguments: ["vault-position", "device-key"])
    func `a vault that begins anew replaces what can't be read in the keychain`(_ name: String) async throws {
        try await open().record(transaction())
        keychain.secrets[name] = Data("damaged".utf8)
        await expect(.tampered)
        try await open(resetting: true).record(transaction("2"))
        #expect(try await open().purchases.map(\.payload.transactionId) == ["2"])
    }

    @Test func `two sessions with one file see each other's purchases, and overwrite nothing`() async throws {
        let first = try await open()
        try await first.record(transaction("1"), credits: 5)
        let second = try await open()
        try await second.record(transaction("2"))
        try await second.spend(5, spending: "a")
        #expect(try await first.record(transaction("2")) == false)
        #expect(await first.balance(of: .credits) == 0)
        await #expect(throws: DebitError.insufficientBalance(available: 0)) { try await first.spend(5, spending: "b") }
        try await first.record(transaction("3"))
        try await second.record(transaction("4"))
        #expect(await second.purchases.map(\.payload.transactionId) == ["1", "2", "3", "4"])
        let third = try await open()
        #expect(await third.purchases.count == 4)
        #expect(await third.balance(of: .credits) == 0)
        #expect(await !third.isRestoredFromBackup)
    }

    @Test func `sessions that write at the same time lose nothing`() async throws {
        _ = try await open().record(transaction("1"))
        let vaults = [try await open(), try await open(), try await open()]
        try await withThrowingTaskGroup { group in
            for (index, vault) in vaults.enumerated() {
                group.addTask {
                    for number in 0..<20 { try await vault.change { _ throws(VaultError) in [.value("\(index) \(number)", Data())] } }
                }
            }
            try await group.waitForAll()
        }
        let again = try await open()
        #expect(await again.contents.values.count == 60)
        #expect(await !again.isRestoredFromBackup)
    }

    @Test func `a session whose file was replaced continues with the new one`() async throws {
        let first = try await open()
        try await first.record(transaction("1"))
        let second = try await open(resetting: true)
        try await second.record(transaction("2"))
        try await first.record(transaction("3"))
        #expect(try await open().purchases.map(\.payload.transactionId) == ["2", "3"])
    }

    /// A file that another session changes before a step of this one.
    private final class ContestedFile: VaultStorage {
        enum Step { case reading, replacing, truncating }

        private let file: VaultFile
        private let changes = Mutex<[Step: @Sendable () throws -> Void]>([:])

        init(path: String) { file = VaultFile(path: path) }

        /// Sets what the other session does before the next step of a kind.
        func contend(_ step: Step, _ body: @escaping @Sendable () throws -> Void) { changes.withLock { $0[step] = body } }

        private func contendOnce(_ step: Step) throws { try changes.withLock { $0.removeValue(forKey: step) }?() }

        func read() throws -> Data? {
            try contendOnce(.reading)
            return try file.read()
        }
        func exists() -> Bool { file.exists() }
        func create(_ contents: Data) throws {
            try contendOnce(.replacing)
            try file.create(contents)
        }
        func replace(with contents: Data, of length: Int?) throws {
            try contendOnce(.replacing)
            try file.replace(with: contents, of: length)
        }
        func append(_ bytes: Data, at offset: Int) throws { try file.append(bytes, at: offset) }
        func truncate(at offset: Int, of length: Int) throws {
            try contendOnce(.truncating)
            try file.truncate(at: offset, of: length)
        }
    }

    /// Lets a session record a transaction, takes it back, and returns a closure that repeats it.
    private func recordLater(_ id: TransactionID, in vault: Vault? = nil) async throws -> @Sendable () throws -> Void {
        try await later {
            if let vault { try await vault.record(transaction(id)) } else { try await open().record(transaction(id)) }
        }
    }

    /// Lets other sessions change the file and the keychain, takes it back, and returns a closure that repeats it.
    private func later(_ change: () async throws -> Void) async throws -> @Sendable () throws -> Void {
        let url = URL(filePath: path)
        let (file, secrets) = (try? Data(contentsOf: url), keychain.secrets)
        try await change()
        let (newFile, newSecrets) = (try Data(contentsOf: url), keychain.secrets)
        if let file { try file.write(to: url) } else { try FileManager.default.removeItem(at: url) }
        keychain.secrets = secrets
        return { [keychain] in
            try newFile.write(to: url)
            keychain.secrets = newSecrets
        }
    }

    @Test func `a compaction does not overwrite what another session has written meanwhile`() async throws {
        let vault = try await open()
        try await vault.record(transaction("1"))
        // The other session begins before the threshold of the compaction is reached, and does not compact.
        let file = ContestedFile(path: path)
        try await vault.change { [content] _ throws(VaultError) in Array(repeating: .content("p", content), count: 990) }
        let other = try await open()
        try await other.change { [content] _ throws(VaultError) in Array(repeating: .content("p", content), count: 100) }
        file.contend(.replacing, try await recordLater("2", in: other))
        let session = try await Vault(file, keychain: keychain, bundleID: .test)
        try await session.record(transaction("3"))
        #expect(await session.purchases.map(\.payload.transactionId) == ["1", "2", "3"])
        #expect(try await open().purchases.map(\.payload.transactionId) == ["1", "2", "3"])
    }

    @Test func `two sessions that create the file at the same time lose nothing`() async throws {
        let file = ContestedFile(path: path)
        let session = try await Vault(file, keychain: keychain, bundleID: .test)
        file.contend(.replacing, try await recordLater("1"))
        try await session.record(transaction("2"))
        #expect(try await open().purchases.map(\.payload.transactionId) == ["1", "2"])
    }

    @Test func `an older copy that two sessions open at the same time is rewritten once`() async throws {
        let url = URL(filePath: path)
        try await open().record(transaction("1"), credits: 5)
        let copy = try Data(contentsOf: url)
        try await open().record(transaction("2"))
        try copy.write(to: url)
        let file = ContestedFile(path: path)
        file.contend(.replacing, try await recordLater("3"))
        let session = try await Vault(file, keychain: keychain, bundleID: .test)
        #expect(await session.isRestoredFromBackup)
        #expect(await session.purchases.map(\.payload.transactionId) == ["1", "3"])
        #expect(try await open().purchases.map(\.payload.transactionId) == ["1", "3"])
    }

    @Test(arguments: [false, true])
    func `a compaction by another session is not mistaken for an older copy`(isReloaded: Bool) async throws {
        let vault = try await open()
        try await vault.record(transaction("1"), credits: 5)
        let file = ContestedFile(path: path)
        let waiting = isReloaded ? try await Vault(file, keychain: keychain, bundleID: .test) : nil
        try await vault.change { [content] _ throws(VaultError) in Array(repeating: .content("p", content), count: 1_100) }
        file.contend(
            .reading,
            try await later {
                try await vault.record(transaction("2"))
                _ = try await open()
            })
        let session = if let waiting { waiting } else { try await Vault(file, keychain: keychain, bundleID: .test) }
        try await session.spend(5, spending: "a")
        #expect(await !session.isRestoredFromBackup)
        #expect(try await open().purchases.map(\.payload.transactionId) == ["1", "2"])
        #expect(try await open().balance(of: .credits) == 0)
    }

    @Test func `a write of another session that is read halfway is read again`() async throws {
        let url = URL(filePath: path)
        let vault = try await open()
        try await vault.record(transaction("1"))
        let file = ContestedFile(path: path)
        let write = try await later { try await vault.record(transaction("2")) }
        file.contend(.truncating, write)
        file.contend(.reading) { [keychain] in
            let secrets = keychain.secrets
            try write()
            keychain.secrets = secrets
            try Data(contentsOf: url).dropLast(5).write(to: url)
        }
        let session = try await Vault(file, keychain: keychain, bundleID: .test)
        #expect(await session.purchases.map(\.payload.transactionId) == ["1", "2"])
    }

    @Test func `a compaction whose file is in place, and not certainly on the disk, is an error that the next opening ends`() async throws {
        struct UnsynchronizedFile: VaultStorage {
            let file: VaultFile

            func read() throws -> Data? { try file.read() }
            func exists() -> Bool { file.exists() }
            func create(_ contents: Data) throws { try file.create(contents) }
            func replace(with contents: Data, of length: Int?) throws {
                try file.replace(with: contents, of: length)
                throw DurableFile.Failure.synchronize
            }
            func append(_ bytes: Data, at offset: Int) throws { try file.append(bytes, at: offset) }
            func truncate(at offset: Int, of length: Int) throws { try file.truncate(at: offset, of: length) }
        }
        let vault = try await open()
        try await vault.record(transaction(), credits: 5)
        try await vault.change { [content] _ throws(VaultError) in Array(repeating: .content("p", content), count: 1_100) }
        await #expect(throws: VaultError.storage(reason: "the new file can't be synchronized")) {
            _ = try await Vault(UnsynchronizedFile(file: VaultFile(path: path)), keychain: keychain, bundleID: .test)
        }
        let again = try await open()
        #expect(await again.isRestoredFromBackup == false)
        try await again.spend(5, spending: "a")
        #expect(try await open().balance(of: .credits) == 0)
    }

    @Test func `what an ended session or one of another customer has obtained is not recorded`() async throws {
        let vault = try await open()
        let (first, second) = (PurchasesSession(customer: "a"), PurchasesSession(customer: "b"))
        let statement = CreditStatement(balances: [.credits: CreditStatement.Balance(amount: 5, isFrozen: false)])
        func record(in session: PurchasesSession, isOfCustomer: Bool) async throws -> Bool {
            try await vault.change(in: session, isOfCustomer: isOfCustomer) { _ throws(VaultError) in [.statement(statement)] }
        }
        try await vault.change { _ throws(VaultError) in [.customer("a")] }
        #expect(try await record(in: first, isOfCustomer: true))
        try await vault.change { _ throws(VaultError) in [.customer("b")] }
        #expect(try await record(in: first, isOfCustomer: true) == false)
        #expect(await vault.contents.statement == nil)
        second.end()
        #expect(try await record(in: second, isOfCustomer: false) == false)
        #expect(await vault.contents.statement == nil)
    }

    @Test func `the vault's files are accessible by their owner only`() async throws {
        let files = try FileKeychain(folder: folder.file("keychain").path(percentEncoded: false))
        try await open(keychain: files).record(transaction())
        for name in ["vault", "keychain/vault-secret", "keychain/vault-position"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name).path(percentEncoded: false))
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("keychain").path(percentEncoded: false))
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        #expect(try await open(keychain: files).purchases.count == 1)
    }
}

extension Vault {
    /// Records a delivered transaction with its credits; returns false without an effect if it was delivered before.
    @discardableResult
    func record(_ transaction: VerifiedTransaction, credits: Int64 = 0) async throws(VaultError) -> Bool {
        try await change { (contents) throws(VaultError) in
            let id = transaction.payload.transactionId
            guard !contents.delivered.contains(id) else { return [] }
            let delivered = credits == 0 ? [] : [DeliveredCredits(currency: .credits, amount: credits)]
            guard contents.accounts.canAdd(delivered) else { throw .outOfRange }
            return [.proof(try StoredProof(VerifiedProof(transaction: transaction))), .delivered(id, delivered)]
        }
    }

    func spend(_ amount: Int64, spending key: String) async throws(DebitError) {
        _ = try await CreditLedger(vault: self).debit(amount, of: .credits, key: key)
    }

    func install(_ content: InstalledContent, of product: ProductID) async throws(VaultError) {
        try await change { _ throws(VaultError) in [.content(product, content)] }
    }
}

extension CreditLedger {
    /// Creates a ledger without a server.
    init(vault: Vault) {
        self.init(
            vault: vault, session: PurchasesSession(), service: nil,
            retries: RetryTimer(schedule: RetrySchedule(), clock: ContinuousClock()),
            refused: { _ in },
            failed: { _ in })
    }
}
