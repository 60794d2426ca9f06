import Foundation
import PurchaseIssuing
import PurchaseKit
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Testing

@Suite struct VaultTests {
    private let folder: TemporaryFolder
    private let keychain = MemoryKeychain()
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("vault").path(percentEncoded: false)
    }

    private func open(
        device: String = "device", bundle: BundleID = .test, authority: TestAuthority = .shared, keychain: (any Keychain)? = nil
    ) async throws -> Vault {
        try await Vault(
            path: path, keychain: keychain ?? self.keychain, bundleID: bundle, device: device, verifier: try authority.verifier(for: .test)
        )
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
        #expect(await again.balance == 17)
        #expect(await again.purchases.map(\.payload.transactionId) == ["1", "2"])
        for (product, isOwned) in [("p", true), ("q", true), ("r", false)] as [(ProductID, Bool)] {
            #expect(await again.owns(product) == isOwned)
        }
        #expect(await again.content(of: "q") == content)
        #expect(await again.content(of: "p") == nil)
    }

    @Test func `a vault that starts anew is empty, and older copies of the file are refused`() async throws {
        let first = try await open()
        try await first.record(transaction(), credits: 5)
        let old = try Data(contentsOf: URL(filePath: path))
        try Data("invalid".utf8).write(to: URL(filePath: path))
        await expect(.tampered)

        let verifier = try TestAuthority.shared.verifier(for: .test)
        let newVault = try await Vault(
            path: path, keychain: keychain, bundleID: .test, device: "device", verifier: verifier, startingAnew: true
        )
        #expect(await newVault.purchases.isEmpty)
        #expect(await newVault.balance == 0)
        try await newVault.record(transaction("2"))
        let again = try await open()
        #expect(await again.purchases.map(\.payload.transactionId) == ["2"])

        try old.write(to: URL(filePath: path))
        await expect(.rolledBack)
    }

    @Test func `a transaction is credited once, also after reopening`() async throws {
        let first = try await open()
        #expect(try await first.record(transaction(), credits: 5))
        #expect(try await first.record(transaction(), credits: 5) == false)
        let second = try await open()
        #expect(try await second.record(transaction(), credits: 5) == false)
        #expect(await second.balance == 5)
    }

    @Test func `a repeated debit with the same identifier is applied once`() async throws {
        let vault = try await open()
        try await vault.record(transaction(), credits: 10)
        try await vault.spend(4, spending: "a")
        try await vault.spend(4, spending: "a")
        let again = try await open()
        try await again.spend(4, spending: "a")
        #expect(await again.balance == 6)
    }

    @Test(arguments: [0, -1, 11, Int.max, Int.min])
    func `a debit that is not positive or exceeds the balance is refused`(_ amount: Int) async throws {
        let vault = try await open()
        try await vault.record(transaction(), credits: 10)
        await #expect(throws: VaultError.tooFewCredits(balance: 10)) { try await vault.spend(amount, spending: "a") }
        try await vault.spend(10, spending: "a")
        #expect(await vault.balance == 0)
    }

    @Test(arguments: [-1, Int.min, Int.max])
    func `credits out of range are refused without a change`(_ credits: Int) async throws {
        let vault = try await open()
        try await vault.record(transaction("1"), credits: 10)
        await #expect(throws: VaultError.outOfRange) { try await vault.record(transaction("2", product: "q"), credits: credits) }
        #expect(await vault.balance == 10)
        #expect(await vault.owns("q") == false)
        #expect(try await open().balance == 10)
    }

    @Test func `a change of any byte of the file is detected`() async throws {
        try await open().install(content, of: "p")
        let file = try Data(contentsOf: URL(filePath: path))
        for index in file.indices {
            var changed = file
            changed[index] ^= 1
            try changed.write(to: URL(filePath: path))
            await expect(.tampered, "byte \(index)")
        }
        try file.write(to: URL(filePath: path))
        #expect(try await open().content(of: "p") == content)
    }

    @Test func `any truncation of the file is detected, and so is an appended byte`() async throws {
        try await open().install(content, of: "p")
        let file = try Data(contentsOf: URL(filePath: path))
        for length in file.indices {
            try file.prefix(length).write(to: URL(filePath: path))
            await expect(.tampered, "\(length) bytes")
        }
        try (file + [0]).write(to: URL(filePath: path))
        await expect(.tampered)
    }

    @Test func `an old copy of the file is refused`() async throws {
        let vault = try await open()
        try await vault.record(transaction(), credits: 10)
        let old = try Data(contentsOf: URL(filePath: path))
        try await vault.spend(10, spending: "a")
        try old.write(to: URL(filePath: path))
        await expect(.rolledBack)
    }

    @Test func `a missing file is detected`() async throws {
        try await open().record(transaction())
        try FileManager.default.removeItem(atPath: path)
        await expect(.missing)
    }

    @Test(arguments: [("other device", BundleID.test), ("device", "com.example.other")])
    func `a file of another device or app does not open`(_ device: String, _ bundle: BundleID) async throws {
        try await open().record(transaction())
        await #expect(throws: VaultError.tampered) { _ = try await open(device: device, bundle: bundle) }
    }

    @Test func `a file without its keychain does not open`() async throws {
        try await open().record(transaction())
        await #expect(throws: VaultError.tampered) { _ = try await open(keychain: MemoryKeychain()) }
    }

    @Test func `a purchase without a trusted signature is unproven`() async throws {
        try await open().record(transaction())
        do {
            _ = try await open(authority: .other)
            Issue.record("The vault opened.")
        } catch VaultError.unproven {
        }
    }

    @Test func `a crash between the writes to file and keychain loses no purchase`() async throws {
        let vault = try await open()
        try await vault.record(transaction("1"), credits: 5)
        keychain.fail(["vault-generation"])
        await #expect(throws: VaultError.self) { try await vault.record(transaction("2", product: "q"), credits: 7) }
        // The open vault has the contents of its file.
        #expect(await vault.owns("q"))
        #expect(await vault.balance == 12)
        #expect(try await vault.record(transaction("2", product: "q"), credits: 7) == false)
        keychain.fail([])
        let again = try await open()
        #expect(await again.balance == 12)
        #expect(await again.purchases.count == 2)
        try await again.spend(12, spending: "a")
        #expect(try await open().balance == 0)
    }

    @Test func `a write that fails before the file is replaced changes nothing`() async throws {
        let vault = try await open()
        try FileManager.default.createDirectory(atPath: path + ".new", withIntermediateDirectories: true)
        await #expect(throws: VaultError.self) { try await vault.record(transaction(), credits: 5) }
        #expect(await vault.balance == 0)
        #expect(await vault.purchases.isEmpty)
    }

    @Test func `the vault's secret is created once`() async throws {
        _ = try await open()
        let secret = keychain.secrets["vault-secret"]
        #expect(secret?.count == 32)
        _ = try await open()
        #expect(keychain.secrets["vault-secret"] == secret)
        #expect(keychain.writes.count { $0 == "vault-secret" } == 1)
    }

    @Test func `an invalid generation in the keychain is tampering`() async throws {
        _ = try await open()
        keychain.secrets["vault-generation"] = Data("-1".utf8)
        await expect(.tampered)
    }

    @Test func `the vault's files are accessible by their owner only`() async throws {
        let files = try FileKeychain(folder: folder.file("keychain").path(percentEncoded: false))
        try await open(keychain: files).record(transaction())
        for name in ["vault", "keychain/vault-secret", "keychain/vault-generation"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name).path(percentEncoded: false))
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("keychain").path(percentEncoded: false))
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        #expect(try await open(keychain: files).purchases.count == 1)
    }
}
