import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreKit
import StoreTestSupport
import Synchronization
import Testing

@testable import PurchaseKit

/// Vaults that come back from a backup, whose files are older than the keychain knows, and vaults that were edited.
@Suite struct VaultRestoreTests {
    private let keychain = MemoryKeychain()
    private let file = MemoryFile()

    private func open() async throws -> Vault {
        try await Vault(file, keychain: keychain, bundleID: .test)
    }

    private func transaction(_ id: TransactionID, product: ProductID = "p") async throws -> VerifiedTransaction {
        let authority = TestAuthority.shared
        return try await authority.verifier().verify(authority.signedData.sign(TransactionPayload.sample(id: id, product: product)))
    }

    /// Restores the file from a backup that misses a debit.
    private func restored(_ change: () throws -> Void = {}) async throws -> Vault {
        let vault = try await open()
        try await vault.record(transaction("1"), credits: 10)
        let backup = file.bytes
        try await vault.spend(7, spending: "a")
        file.bytes = backup
        try change()
        return try await open()
    }

    @Test func `purchases in an older copy of the file count, and credits can't be spent again`() async throws {
        let vault = try await restored()
        #expect(await vault.isRestoredFromBackup)
        #expect(await vault.owns("p"))
        #expect(await vault.balance(of: .credits) == 10)
        await #expect(throws: DebitError.notReconciled) { try await vault.spend(1, spending: "b") }
        // The next opening does not forget it.
        #expect(try await open().isRestoredFromBackup)
    }

    @Test func `a copy of which the keychain does not know the age counts as an older one`() async throws {
        let vault = try await restored { keychain.secrets["vault-position"] = nil }
        #expect(await vault.isRestoredFromBackup)
        await #expect(throws: DebitError.notReconciled) { try await vault.spend(1, spending: "b") }
    }

    @Test func `a copy that opened is never taken for the file that it replaced`() async throws {
        let vault = try await open()
        try await vault.record(transaction("1"), credits: 10)
        let backup = file.bytes
        try await vault.spend(7, spending: "a")
        let current = file.bytes
        file.bytes = backup
        let copy = try await open()
        // As many writes as the original has.
        try await copy.change { _ throws(VaultError) in [.value("a", Data()), .reconciled] }
        let reconciled = file.bytes
        for bytes in [current, backup] {
            file.bytes = bytes
            #expect(try await open().isRestoredFromBackup)
        }
        file.bytes = reconciled
        #expect(try await open().isRestoredFromBackup)
    }

    @Test func `purchases after the restore are delivered, and stay`() async throws {
        let vault = try await restored()
        #expect(try await vault.record(transaction("2", product: "q"), credits: 5))
        let again = try await open()
        #expect(await again.isRestoredFromBackup)
        #expect(await again.owns("q"))
        #expect(await again.balance(of: .credits) == 15)
    }

    @Test func `a deleted file and number of writes do not begin a new vault`() async throws {
        try await open().record(transaction("1"), credits: 10)
        file.bytes = nil
        await #expect(throws: VaultError.missing) { _ = try await open() }
        keychain.secrets["vault-position"] = nil
        await #expect(throws: VaultError.missing) { _ = try await open() }
        keychain.secrets["vault-secret"] = nil
        #expect(try await open().purchases.isEmpty)
    }

    @Test(arguments: ["device-key", "vault-position", "vault-secret"])
    func `a first launch that ends while the keychain is written is repeated`(_ name: String) async throws {
        keychain.fail([name])
        await #expect(throws: VaultError.self) { _ = try await open() }
        keychain.fail([])
        try await open().record(transaction("1"))
        #expect(try await open().owns("p"))
    }

    @Test func `of two states that the keychain has never confirmed, only the one that it has seen opens as the present one`() async throws
    {
        let vault = try await open()
        try await vault.record(transaction("1"), credits: 10)
        let confirmed = file.bytes
        // The app ends between the write of the file and that of the keychain.
        keychain.fail(["vault-position"])
        await #expect(throws: VaultError.self) { try await vault.change { _ throws(VaultError) in [.value("a", Data())] } }
        keychain.fail([])
        let unconfirmed = file.bytes
        file.bytes = confirmed
        try await open().spend(10, spending: "a")
        file.bytes = unconfirmed
        let copy = try await open()
        #expect(await copy.isRestoredFromBackup)
        await #expect(throws: DebitError.notReconciled) { try await copy.spend(10, spending: "b") }
    }

    @Test func `a copy from before a vault began anew is noticed although the keychain lost its record`() async throws {
        for _ in 1...3 {
            let vault = try await restored()
            try await vault.change { _ throws(VaultError) in [.reconciled] }
        }
        let copy = file.bytes
        keychain.secrets["vault-position"] = nil
        _ = try await Vault(file, keychain: keychain, bundleID: .test, resetting: true)
        file.bytes = copy
        #expect(try await open().isRestoredFromBackup)
    }

    @Test func `credits that were bought after a restore are not cleared`() async throws {
        let vault = try await restored()
        try await vault.record(transaction("2", product: "q"), credits: 5)
        #expect(await vault.contents.restoredCredits == [.credits: 10])
        try await vault.change { _ throws(VaultError) in [.reconciled] }
        #expect(await vault.contents.restoredCredits.isEmpty)
        try await vault.spend(15, spending: "b")
    }

    @Test func `a refund of the backup's purchase leaves nothing of the backup to clear`() async throws {
        let vault = try await restored()
        try await vault.record(transaction("2", product: "q"), credits: 5)
        var payload = TransactionPayload.sample(id: "1", product: "p")
        payload.signedDate = payload.signedDate.adding(seconds: 60)
        payload.revocationDate = payload.signedDate
        let authority = TestAuthority.shared
        let refund = try await authority.verifier().verify(authority.signedData.sign(payload))
        try await vault.change { _ throws(VaultError) in [.proof(try StoredProof(VerifiedProof(transaction: refund)))] }
        #expect(await vault.balance(of: .credits) == 5)
        #expect(await vault.contents.restoredCredits.isEmpty)
    }

    @Test func `imported balances of one customer are not those of another one`() async throws {
        let vault = try await open()
        let statement = CreditStatement(balances: [.credits: CreditStatement.Balance(amount: 5, isFrozen: false)])
        try await vault.change { _ throws(VaultError) in
            [.customer("b"), .statement(statement), .customer("a"), .balancesImported, .statement(statement)]
        }
        #expect(await vault.contents.needsReconciliation)
        try await vault.change { _ throws(VaultError) in [.customer("b")] }
        #expect(await !vault.contents.needsReconciliation)
        try await vault.change { _ throws(VaultError) in [.customer("a"), .reconciled] }
        #expect(await !vault.contents.needsReconciliation)
        let contents = VaultContents(
            VaultContents.compacted([.customer("a"), .balancesImported, .statement(statement)]), refundPolicy: .debt)
        #expect(contents.needsReconciliation)
    }

    @Test func `compaction retains values whose names differ only in their Unicode form`() {
        let values: [VaultEntry] = [.value("caf\u{e9}", Data([1])), .value("cafe\u{301}", Data([2])), .value("cafe\u{301}", Data([3]))]
        let kept = VaultContents.compacted(values).compactMap { if case .value(_, let data) = $0 { data } else { nil } }
        #expect(kept == [Data([1]), Data([3])])
    }

    @Test func `an app without credits has nothing to confirm after a restore`() async throws {
        try await open().record(transaction("1"))
        let backup = file.bytes
        try await open().record(transaction("2"))
        file.bytes = backup
        let vault = try await open()
        #expect(await vault.isRestoredFromBackup)
        #expect(await !vault.contents.needsReconciliation)
        await #expect(throws: DebitError.insufficientBalance(available: 0)) { try await vault.spend(1, spending: "a") }
        try await vault.record(transaction("3"), credits: 5)
        try await vault.spend(5, spending: "a")
    }

    @Test func `a restored vault of any size opens`() async throws {
        let vault = try await open()
        for name in ["a", "b", "c"] {
            try await vault.change { _ throws(VaultError) in [.value(name, Data(repeating: 7, count: 25 << 20))] }
        }
        let backup = file.bytes
        try await vault.change { _ throws(VaultError) in [.value("d", Data())] }
        file.bytes = backup
        let copy = try await open()
        #expect(await copy.value("c")?.count == 25 << 20)
        #expect(await copy.value("d") == nil)
    }

    /// The number of random edits; `make soak` makes 10,000.
    private static let edits = ProcessInfo.processInfo.environment["TILLROLL_SOAK"] == nil ? 500 : 10_000

    @Test func `no edit of the file opens as the file, and no edit opens unnoticed`() async throws {
        let vault = try await open()
        for id in 1...6 { try await vault.record(transaction(TransactionID("\(id)"), product: ProductID("p\(id)")), credits: 5) }
        try await vault.spend(7, spending: "a")
        let (original, secrets) = (try #require(file.bytes), keychain.secrets)
        for seed in 0..<UInt64(Self.edits) {
            var random = SeededRandom(seed: seed)
            let edited = Self.edit(original, using: &random)
            guard edited != original else { continue }
            (file.bytes, keychain.secrets) = (edited, secrets)
            do throws(any Error) {
                let opened = try await open()
                // A file that ends after one of its writes is a copy from that time.
                #expect(await opened.isRestoredFromBackup && original.starts(with: edited), "seed \(seed)")
            } catch {
                #expect(error as? VaultError == .tampered || error as? VaultError == .unsupportedVersion, "seed \(seed)")
                #expect(file.bytes == edited, "seed \(seed)")
            }
        }
    }

    private static func edit(_ original: Data, using random: inout SeededRandom) -> Data {
        var bytes = original
        let start = Int.random(in: 0..<bytes.count, using: &random)
        let end = Int.random(in: start...min(bytes.count, start + 400), using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
        case 1: bytes.removeSubrange(start..<end)
        case 2: bytes.insert(contentsOf: original[start..<end], at: Int.random(in: 0...bytes.count, using: &random))
        case 3: bytes = bytes.prefix(start)
        default: bytes.replaceSubrange(start..<end, with: (start..<end).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
        return bytes
    }

    @Test func `a vault stores each certificate chain once`() async throws {
        let vault = try await open()
        var lengths: [Int] = []
        for id in 1...3 {
            let transaction = try await transaction(TransactionID("\(id)"))
            let before = file.bytes?.count ?? 0
            try await vault.record(transaction)
            lengths.append((file.bytes?.count ?? 0) - before)
            let header = transaction.original.compact.prefix { $0 != "." }.utf8.count
            #expect(id == 1 ? lengths[0] > header : lengths[id - 1] < header, "\(lengths)")
        }
        let signed = await vault.purchases.map(\.original)
        #expect(try await open().purchases.map(\.original) == signed)
    }

    @Test func `an entry that this version of the app does not know keeps the file`() throws {
        var codec = VaultCodec()
        var entries: [VaultEntry] = []
        for bytes in [[99, 0], [18, 1, 0], [2, 1, 128]] as [[UInt8]] {
            #expect(throws: VaultError.unsupportedVersion, "\(bytes)") { try codec.decode(Data(bytes), into: &entries) }
        }
        for bytes in [[0], [0, 5], [2, 1], [2, 1, 0], [1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80], [4, 1, 200], [16, 3, 1, 2, 3]] as [[UInt8]] {
            #expect(throws: VaultError.tampered, "\(bytes)") { try codec.decode(Data(bytes), into: &entries) }
        }
    }

    @Test func `a keychain whose files other users can read is refused`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("keychain").path(percentEncoded: false)
        let files = try FileKeychain(folder: path)
        _ = try await Vault(file, keychain: files, bundleID: .test)
        for name in ["vault-secret", "device-key", "vault-position"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: "\(path)/\(name)")
            let error = try await #require(throws: VaultError.self) { _ = try await Vault(file, keychain: files, bundleID: .test) }
            #expect(error.description.contains("chmod 600") && error.description.contains(name))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "\(path)/\(name)")
        }
        _ = try await Vault(file, keychain: files, bundleID: .test)
    }
}

/// Vaults on a new phone to which the backup of another one was restored.
@Suite struct NewPhoneVaultTests {
    private let keychain = MemoryKeychain()
    private let file = MemoryFile()
    private let verifier: SignedDataVerifier

    init() throws { verifier = try TestAuthority.shared.verifier() }

    private func open(_ file: MemoryFile, _ keychain: MemoryKeychain) async throws -> Vault {
        try await Vault(file, keychain: keychain, bundleID: .test)
    }

    private func transaction(_ id: TransactionID, product: ProductID = "p") async throws -> VerifiedTransaction {
        let signed = try TestAuthority.shared.signedData.sign(TransactionPayload.sample(id: id, product: product))
        return try await TestAuthority.shared.verifier().verify(signed)
    }

    /// A copy of the file on another phone.
    private func copy() -> MemoryFile {
        let copy = MemoryFile()
        copy.bytes = file.bytes
        return copy
    }

    @Test func `an encrypted backup opens on a new phone with its purchases, and debits wait`() async throws {
        let vault = try await open(file, keychain)
        try await vault.record(transaction("1"), credits: 10)
        let (copy, newKeychain) = (copy(), keychain.onNewDevice())
        #expect(Set(newKeychain.secrets.keys) == ["vault-secret"])
        let moved = try await open(copy, newKeychain)
        #expect(await moved.owns("p"))
        #expect(await moved.balance(of: .credits) == 10)
        #expect(moved.deviceKey != vault.deviceKey)
        try await moved.verifyMovedProofs(verifier, for: nil)
        for _ in 1...2 {
            let again = try await open(copy, newKeychain)
            #expect(await again.isRestoredFromBackup)
            #expect(await again.owns("p"))
            #expect(await again.contents.isVerified)
            await #expect(throws: DebitError.notReconciled) { try await again.spend(10, spending: "a") }
        }
        // The old phone goes on.
        try await open(file, keychain).spend(10, spending: "a")
    }

    @Test func `a backup without encryption does not open on a new phone, and the message says what to do`() async throws {
        try await open(file, keychain).record(transaction("1"), credits: 10)
        let (copy, empty) = (copy(), MemoryKeychain())
        let error = try await #require(throws: VaultError.self) { _ = try await open(copy, empty) }
        #expect(error == .missingKey && error.requiresReset)
        #expect(error.description.contains("not encrypted") && error.description.contains("restore the purchases or import an export"))
        #expect(copy.bytes == file.bytes)
        try await Vault(copy, keychain: empty, bundleID: .test, resetting: true).record(transaction("1"))
        #expect(try await open(copy, empty).owns("p"))
    }

    @Test func `a keychain from a backup without the vault's file begins an empty vault`() async throws {
        try await open(file, keychain).record(transaction("1"), credits: 10)
        let (new, newKeychain) = (MemoryFile(), keychain.onNewDevice())
        for name in ["vault-position", "device-key"] {
            newKeychain.fail([name])
            await #expect(throws: VaultError.self) { _ = try await open(new, newKeychain) }
        }
        newKeychain.fail([])
        try await open(new, newKeychain).record(transaction("2", product: "q"))
        #expect(try await open(new, newKeychain).purchases.map(\.payload.transactionId) == ["2"])
    }

    @Test(arguments: ["device-key", "vault-position"])
    func `a first launch on the new phone that ends is repeated, and forgets neither the restore nor the verification`(
        _ name: String
    ) async throws {
        try await open(file, keychain).record(transaction("1"), credits: 10)
        let (copy, newKeychain) = (copy(), keychain.onNewDevice())
        newKeychain.fail([name])
        await #expect(throws: VaultError.self) { _ = try await open(copy, newKeychain) }
        newKeychain.fail([])
        for _ in 1...2 {
            let moved = try await open(copy, newKeychain)
            #expect(await moved.isRestoredFromBackup)
            #expect(await moved.owns("p"))
            #expect(await !moved.contents.isVerified)
        }
    }

    @Test func `two phones with one backup do not accept each other's files`() async throws {
        try await open(file, keychain).record(transaction("1"), credits: 10)
        let (copy, newKeychain) = (copy(), keychain.onNewDevice())
        _ = try await open(copy, newKeychain)
        let old = file.bytes
        (file.bytes, copy.bytes) = (copy.bytes, old)
        await #expect(throws: VaultError.tampered) { _ = try await open(file, keychain) }
        await #expect(throws: VaultError.tampered) { _ = try await open(copy, newKeychain) }
    }

    /// How somebody who has read the secret in a backup edits a purchase.
    enum Edit: CaseIterable {
        case unsigned, otherProduct
        /// A purchase that the App Store signed for another customer is assigned to the person.
        case attributed
    }

    @Test(arguments: Edit.allCases)
    func `a file that was written with the secret of a backup gives nothing that the App Store did not sign for the person`(
        _ edit: Edit
    ) async throws {
        try await open(file, keychain).record(transaction("1"), credits: 10)
        // Another device can read and write its copy.
        let (copy, other) = (copy(), keychain.onNewDevice())
        let customer = CustomerID(UUID())
        var payload = TransactionPayload.sample(id: "2", product: "q")
        if edit == .attributed { payload.appAccountToken = CustomerID(UUID()) }
        let signed = try TestAuthority.shared.signedData.sign(payload)
        let genuine = try StoredProof(VerifiedProof(transaction: try await verifier.verify(signed)))
        var parts = genuine.transaction
        if edit == .unsigned { parts.signature = genuine.transaction.signature.dropFirst() + [0] }
        let facts = genuine.facts
        let forged = StoredProof(
            facts: ProofFacts(
                id: facts.id, original: facts.original, product: edit == .otherProduct ? "r" : "q", isConsumable: facts.isConsumable,
                isRevoked: false, appAccountToken: nil, charge: facts.charge, addsCredits: true, purchaseDate: facts.purchaseDate,
                signedDate: facts.signedDate, signature: StoredProof.prefix(parts.signature), renewalSignature: nil),
            transaction: parts, renewal: nil)
        let edited: [VaultEntry] =
            if edit == .attributed {
                [.verified(refused: []), .proof(genuine), .attributed(facts.original, true)]
            } else {
                [.verified(refused: []), .proof(forged), .delivered(facts.id, [DeliveredCredits(currency: .credits, amount: 1_000)])]
            }
        try await open(copy, other).change { _ throws(VaultError) in edited }
        // The phone of the backup refuses the file.
        let original = file.bytes
        file.bytes = copy.bytes
        await #expect(throws: VaultError.tampered) { _ = try await open(file, keychain) }
        file.bytes = original
        // A new phone verifies each signature, and the store's account decides about purchases without the customer's token.
        let moved = try await open(copy, keychain.onNewDevice())
        try await moved.verifyMovedProofs(verifier, for: customer)
        let known: Set<TransactionID> = edit == .attributed ? ["1", "2"] : ["1"]
        #expect(Set(await moved.purchases.map(\.payload.transactionId)) == known)
        #expect(await moved.balance(of: .credits) == 10)
        #expect(await moved.contents.unconfirmed == known)
        #expect(await !moved.contents.belongs("2", to: customer))
    }
}

/// App sessions after the backup of a phone was restored.
@Suite struct PhoneRestoreTests {
    private let credits = SampleProduct.credits5
    private let phone: Phone

    init() async throws {
        phone = try await Phone()
    }

    /// The app's file, without its keychain.
    private func vault() throws -> URL { phone.folder.file("vault") }

    @Test func `after a restore the purchases are there offline, and the balance counts once the server has confirmed it`() async throws {
        let customer = CustomerID(UUID())
        let database = StubPurchaseService.Database(verifier: phone.harness.verifier)
        let server = StubPurchaseService(database, customer: customer)
        func debit(_ amount: Int64, _ key: String, in app: KitApp) async throws -> DebitOutcome {
            try await app.onDevice { try await app.purchases.debit(amount, of: "coins", idempotencyKey: key) }
        }
        let app = try await KitApp.launch(phone, server: server, customer: customer)
        await app.buy(SampleProduct.sepia)
        await app.buy(credits)
        let backup = try Data(contentsOf: vault())
        #expect(try await debit(4, "hat", in: app) == .confirmed)
        await app.close()

        try backup.write(to: vault())
        server.set(offline: true)
        let offline = try await KitApp.launch(phone, server: server, customer: customer)
        #expect(await offline.state.status(of: "sepia").isOwned)
        #expect(await offline.state.problems.map(\.kind).contains(.restoredFromBackup))
        await #expect(throws: DebitError.notReconciled) { _ = try await debit(5, "banana", in: offline) }
        server.set(offline: false)
        await #expect(throws: DebitError.insufficientBalance(available: 1)) { _ = try await debit(5, "banana", in: offline) }
        #expect(try await debit(1, "rope", in: offline) == .confirmed)
        await offline.waitUntilIdle()
        #expect(await offline.state.problems.isEmpty)
        await offline.close()
        let again = try await KitApp.launch(phone, server: server, customer: customer)
        #expect(await again.coins() == 0)
        #expect(await again.vault.isRestoredFromBackup == false)
        #expect(database.debited(by: customer) == 5)
    }

    @Test(arguments: [true, false])
    func `a new phone shows the purchases of an encrypted backup at once, and two phones do not spend credits twice`(
        isEncrypted: Bool
    ) async throws {
        let customer = CustomerID(UUID())
        let database = StubPurchaseService.Database(verifier: phone.harness.verifier)
        let app = try await KitApp.launch(phone, server: StubPurchaseService(database, customer: customer), customer: customer)
        await app.buy(SampleProduct.sepia)
        await app.buy(credits)

        // A backup has the app's files, and the items of the keychain that migrate if it is encrypted.
        let newPhone = try await Phone(account: phone.account, at: phone.harness)
        try FileManager.default.copyItem(at: vault(), to: newPhone.folder.file("vault"))
        let keychain = newPhone.folder.file("keychain")
        try FileManager.default.createDirectory(at: keychain, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let server = StubPurchaseService(database, customer: customer)
        guard isEncrypted else {
            await #expect(throws: VaultError.missingKey) { _ = try await KitApp.launch(newPhone, server: server, customer: customer) }
            return
        }
        try FileManager.default.copyItem(
            at: phone.folder.file("keychain/vault-secret"), to: keychain.appending(path: "vault-secret"))
        server.set(offline: true)
        newPhone.transport.set(offline: true)
        let moved = try await KitApp.launch(newPhone, server: server, customer: customer)
        #expect(await moved.state.status(of: "sepia").isOwned)
        #expect(await moved.coins() == 5)
        #expect(await moved.state.problems.map(\.kind).contains(.restoredFromBackup))
        func debit(_ amount: Int64, _ key: String, in app: KitApp) async throws -> DebitOutcome {
            try await app.onDevice { try await app.purchases.debit(amount, of: "coins", idempotencyKey: key) }
        }
        await #expect(throws: DebitError.notReconciled) { _ = try await debit(5, "hat", in: moved) }
        server.set(offline: false)
        newPhone.transport.set(offline: false)
        // The old phone spends credits that the new one still shows.
        #expect(try await debit(4, "banana", in: app) == .confirmed)
        await #expect(throws: DebitError.insufficientBalance(available: 1)) { _ = try await debit(5, "hat", in: moved) }
        #expect(try await debit(1, "rope", in: moved) == .confirmed)
        #expect(database.debited(by: customer) == 5)
        await moved.close()
        await app.close()
    }

    @Test(arguments: [(RestoredCredits.keep, 5), (.clear, 0)] as [(RestoredCredits, Int64)])
    func `an app without a server decides about the credits of a backup`(_ decision: RestoredCredits, _ balance: Int64) async throws {
        let app = try await KitApp.launch(phone)
        await app.buy(credits)
        let backup = try Data(contentsOf: vault())
        await app.close()
        let spending = try await KitApp.launch(phone)
        _ = try await spending.onDevice { try await spending.purchases.debit(5, of: "coins", idempotencyKey: "hat") }
        await spending.close()

        try backup.write(to: vault())
        let restored = try await KitApp.launch(phone)
        #expect(await restored.coins() == 5)
        #expect(await restored.state.problems.map(\.kind) == [.restoredFromBackup])
        for _ in 1...2 { try await restored.purchases.resolveRestoredCredits(decision) }
        #expect(await restored.coins() == balance)
        #expect(await restored.state.problems.isEmpty)
        await restored.close()
        #expect(try await KitApp.launch(phone).coins() == balance)
    }
}

/// A vault's file in memory.
private final class MemoryFile: VaultStorage {
    private let contents = Mutex<Data?>(nil)

    var bytes: Data? {
        get { contents.withLock { $0 } }
        set { contents.withLock { $0 = newValue } }
    }

    func read() throws -> Data? { bytes }
    func exists() -> Bool { bytes != nil }
    func create(_ new: Data) throws { bytes = new }
    func replace(with new: Data, of length: Int?) throws { bytes = new }
    func append(_ new: Data, at offset: Int) throws {
        try contents.withLock { contents in
            guard (contents ?? Data()).count == offset else { throw VaultFileConflict() }
            contents = (contents ?? Data()) + new
        }
    }
    func truncate(at offset: Int, of length: Int) throws { contents.withLock { $0 = $0?.prefix(offset) } }
}
