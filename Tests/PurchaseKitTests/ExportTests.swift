import Crypto
import Foundation
import MessageSignatures
import OpenStoreKit
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreKit
import StoreTestSupport
import Testing

@testable import PurchaseKit

/// Purchases that move to a new phone in an export.
@Suite struct ExportTests {
    private static let seal = ExportSeal.passphrase("correct horse")

    private let credits = SampleProduct.credits5
    private let sepia = SampleProduct.sepia
    private let customer = CustomerID(UUID())
    private let phone: Phone
    private let database: StubPurchaseService.Database
    private let server: StubPurchaseService

    init() async throws {
        phone = try await Phone()
        database = StubPurchaseService.Database(verifier: phone.harness.verifier)
        server = StubPurchaseService(database, customer: customer)
        database.grant("beta", until: SystemWallClock().now.adding(days: 3))
    }

    /// Launches the app with the server and its leases, without a network if asked for.
    private func launch(_ phone: Phone, offline: Bool = false) async throws -> KitApp {
        set(offline, phone)
        let leases = try database.leaseVerifier()
        return try await KitApp.launch(phone, server: server, customer: customer) { $0.leaseVerifier = leases }
    }

    private func set(_ offline: Bool, _ phone: Phone) {
        server.set(offline: offline)
        phone.transport.set(offline: offline)
    }

    /// Exports what the app of a phone with purchases has: sepia, and 3 of 5 credits.
    private func export(to seal: ExportSeal = seal) async throws -> Data {
        let app = try await launch(phone)
        await app.buy(sepia)
        await app.buy(credits)
        try await debit(2, "hat", in: app)
        let export = try await app.onDevice { try await app.purchases.exportPurchases(sealedTo: seal) }
        await app.close()
        return export
    }

    @discardableResult
    private func debit(_ amount: Int64, _ key: String, in app: KitApp) async throws -> DebitOutcome {
        try await app.onDevice { try await app.purchases.debit(amount, of: "coins", idempotencyKey: key) }
    }

    @discardableResult
    private func add(_ export: Data, to app: KitApp, _ seal: ExportSeal = seal) async throws -> PurchaseImport {
        let result = try await app.onDevice { try await app.purchases.importPurchases(export, sealedTo: seal) }
        await app.waitUntilIdle()
        return result
    }

    @Test func `a new phone without a network has what signatures prove, and spends nothing before the server confirms it`() async throws {
        let export = try await export()
        let new = try await Phone(account: phone.account)
        let app = try await launch(new, offline: true)
        #expect(await !app.state.status(of: "sepia").isOwned)
        let result = try await add(export, to: app)
        #expect(result.added == 1 && result.foreign == 0 && result.unverified == 0 && result.balancesDate != nil)
        #expect(await app.state.status(of: "sepia").isOwned)
        #expect(await app.coins() == 3)
        // A lease is usable on its device only.
        #expect(await !app.state.status(of: "beta").isOwned)
        #expect(await app.state.problems.map(\.kind).contains(.restoredFromBackup))
        await #expect(throws: DebitError.notReconciled) { try await debit(3, "banana", in: app) }
        // What the old phone has spent meanwhile is missing in the export.
        let old = try await launch(phone)
        try await debit(2, "banana", in: old)
        await old.close()

        set(false, new)
        await #expect(throws: DebitError.insufficientBalance(available: 1)) { try await debit(3, "rope", in: app) }
        #expect(try await debit(1, "rope", in: app) == .confirmed)
        await app.close()
        let again = try await launch(new, offline: true)
        #expect(await again.state.status(of: "sepia").isOwned)
        #expect(await again.coins() == 0)
        #expect(try await add(export, to: again) == PurchaseImport())
        #expect(await again.coins() == 0)
    }

    @Test func `an import delivers and counts nothing twice`() async throws {
        let export = try await export()
        let app = try await launch(try await Phone(account: phone.account))
        let before = await app.state
        for _ in 1...2 { try await add(export, to: app) }
        let after = await app.state
        #expect(after.entitlements == before.entitlements && after.balances == before.balances)
        #expect(after.problems.isEmpty)
        #expect(database.balance(of: customer) == 3)
    }

    @Test func `the purchases of another account count until the account is known only`() async throws {
        let owner = try await KitApp.launch(phone)
        await owner.buy(sepia)
        let export = try await owner.onDevice { try await owner.purchases.exportPurchases(sealedTo: Self.seal) }

        let other = try await Phone()
        let stranger = try await KitApp.launch(other)
        try await stranger.device.signIn(other.credentials)
        let refused = try await add(export, to: stranger)
        #expect(refused.foreign == 1 && refused.added == 0)
        #expect(await !stranger.state.status(of: "sepia").isOwned)

        let phones = [(try await Phone(account: phone.account), true), (try await Phone(), false)]
        for (phone, isOwner) in phones {
            phone.transport.set(offline: true)
            let app = try await KitApp.launch(phone)
            #expect(try await add(export, to: app).added == 1)
            #expect(await app.state.status(of: "sepia").isOwned)
            phone.transport.set(offline: false)
            try await app.device.signIn(phone.credentials)
            await app.onDevice { await app.purchases.retry() }
            #expect(await app.state.status(of: "sepia").isOwned == isOwner)
            await app.close()
            let again = try await KitApp.launch(phone)
            #expect(await again.state.status(of: "sepia").isOwned == isOwner)
            #expect(await again.vault.contents.unconfirmed.isEmpty)
            await again.close()
            // Nor does the purchase belong to another customer of the app on this phone.
            let second = try await KitApp.launch(phone, customer: CustomerID(UUID()))
            #expect(await second.state.status(of: "sepia").isOwned == isOwner)
        }
    }

    @Test func `a purchase that an import has refused is owned when the account of the store has it`() async throws {
        let owner = try await KitApp.launch(phone)
        await owner.buy(sepia)
        let export = try await owner.onDevice { try await owner.purchases.exportPurchases(sealedTo: Self.seal) }
        let new = try await Phone()
        new.transport.set(offline: true)
        let app = try await KitApp.launch(new)
        try await add(export, to: app)
        // An import alone delivers nothing.
        #expect(await app.purchases.restorable().isEmpty)
        new.transport.set(offline: false)
        try await app.device.signIn(new.credentials)
        await app.onDevice { await app.purchases.retry() }
        #expect(await !app.state.status(of: "sepia").isOwned)
        try await app.device.signIn(phone.credentials)
        await app.onDevice { await app.purchases.retry() }
        #expect(await app.state.status(of: "sepia").isOwned)
        #expect(await app.vault.contents.foreign.isEmpty)
    }

    @Test func `repeated and unsigned entries of an export take no space, and balances need a server`() async throws {
        let seal = ExportSeal.account(MemoryKeychain())
        let entries = try await SealedExport.open(export(to: seal), sealedTo: seal, bundleID: .test)
        let file = try await SealedExport.seal(
            entries + entries + Array(repeating: .began, count: 1_000), to: seal, bundleID: .test)
        let opened = try await SealedExport.open(file, sealedTo: seal, bundleID: .test)
        #expect(opened.count == 2 * entries.count)
        let leases = try database.leaseVerifier()
        let new = try await Phone(account: phone.account)
        new.transport.set(offline: true)
        let app = try await KitApp.launch(new, customer: customer) { $0.leaseVerifier = leases }
        let result = try await add(file, to: app, seal)
        #expect(result.added == 1 && result.balancesDate == nil)
        #expect(await app.coins() == 0)
        #expect(await app.vault.purchases.count == 1)
    }

    @Test func `editing an export and sealing it again with its key gains nothing`() async throws {
        let seal = ExportSeal.account(MemoryKeychain())
        let export = try await export(to: seal)
        let entries = try await SealedExport.open(export, sealedTo: seal, bundleID: .test)
        let proof = try #require(entries.compactMap { if case .proof(let proof) = $0 { proof } else { nil } }.first)
        let lease = try #require(entries.compactMap { if case .lease(let lease) = $0 { lease } else { nil } }.first)
        let stranger = StubPurchaseService(database, customer: CustomerID(UUID()))
        let strangers = try await launch(phone: try await Phone(), stranger)
        await strangers.buy(SampleProduct.moonlight)
        await strangers.buy(credits, quantity: 10)
        let foreign = await strangers.vault.contents
        let foreignProofs = foreign.proofs.map { VaultEntry.proof($0) }
        let foreignLease = try #require(foreign.lease)

        let edited: [(String, [VaultEntry])] = [
            ("credits", [.delivered(proof.facts.id, [DeliveredCredits(currency: "coins", amount: 1_000)])]),
            ("balance", [.statement(CreditStatement(balances: ["coins": CreditStatement.Balance(amount: 1_000, isFrozen: false)]))]),
            ("debits", [.debitEnded("hat", isAccepted: false), .reconciled]),
            ("attribution", foreignProofs + [.attributed("1", true), .listed(foreign.proofs.map(\.facts.original))]),
            ("app data", [.value("tillroll.products", Data("[]".utf8)), .value("unlocked", Data("moonlight".utf8))]),
            ("customer", [.customer(stranger.customer)] + foreignProofs + [.lease(foreignLease)]),
            (
                "product",
                [.proof(proof.replacing("\(sepia)", with: "\(SampleProduct.moonlight)").replacing("\(proof.facts.id)", with: "9"))]
            ),
            ("lease", [.lease(SignedLease(lease.compact.replacing(#"."#, with: ".e30", maxReplacements: 1)))]),
        ]
        let new = try await Phone(account: phone.account)
        let app = try await launch(new, offline: true)
        try await add(export, to: app, seal)
        let honest = await app.state
        for (name, added) in edited {
            let file = try await SealedExport.seal(entries + added, to: seal, bundleID: .test)
            let other = try await launch(try await Phone(account: phone.account), offline: true)
            try await add(file, to: other, seal)
            let state = await other.state
            #expect(state.entitlements == honest.entitlements, "\(name)")
            #expect(state.balances == honest.balances, "\(name)")
            #expect(await other.vault.value("unlocked") == nil)
            await #expect(throws: DebitError.notReconciled, "\(name)") { try await debit(1, "rope", in: other) }
        }
    }

    private func launch(phone: Phone, _ server: StubPurchaseService) async throws -> KitApp {
        let leases = try database.leaseVerifier()
        return try await KitApp.launch(phone, server: server, customer: server.customer) { $0.leaseVerifier = leases }
    }

    @Test func `the renewal info of another subscription does not extend one`() async throws {
        let authority = TestAuthority.shared
        let expired = TransactionPayload.sample(id: "1", product: "magazine", type: .autoRenewable)
        var renewal = RenewalInfoPayload.sample(original: "2", product: "magazine")
        renewal.gracePeriodExpiresDate = expired.purchaseDate.adding(days: 400)
        let signed = SignedProof(
            transaction: try authority.signedData.sign(expired), renewal: try authority.signedData.sign(renewal))
        #expect(try await VerifiedProof(signed, verifier: authority.verifier()).renewal == nil)
        renewal.originalTransactionId = "1"
        let own = SignedProof(transaction: signed.transaction, renewal: try authority.signedData.sign(renewal))
        #expect(try await VerifiedProof(own, verifier: authority.verifier()).renewal != nil)
    }

    @Test func `an export opens with its passphrase only`() async throws {
        let export = try await export()
        #expect(!export.contains("sepia".utf8) && export.count > 1_000)
        let app = try await launch(try await Phone(account: phone.account), offline: true)
        let keychain = MemoryKeychain()
        let cases: [(Data, ExportSeal, ExportError)] = [
            (export, .passphrase("wrong horse"), .cannotBeOpened), (export, .passphrase("short"), .passphraseTooShort),
            (export, .account(keychain), .needsPassphrase), (Data("photo".utf8), Self.seal, .notAnExport),
            (Data(), Self.seal, .notAnExport),
            (export.prefix(20), Self.seal, .cannotBeOpened), (export.prefix(60), Self.seal, .cannotBeOpened),
            (Data("TILLEXP2".utf8) + export.dropFirst(8), Self.seal, .unsupportedVersion),
            (Data(count: SealedExport.maximumLength + 1), Self.seal, .tooLarge(limit: SealedExport.maximumLength)),
        ]
        for (file, seal, error) in cases {
            await #expect(throws: error) { try await add(file, to: app, seal) }
            #expect(!error.description.isEmpty)
        }
        #expect(await app.vault.purchases.isEmpty)
        // Another keyboard can compose the same characters differently.
        let composed = try await SealedExport.seal([], to: .passphrase("caf\u{e9} noir"), bundleID: .test)
        #expect(try await SealedExport.open(composed, sealedTo: .passphrase("cafe\u{301} noir"), bundleID: .test).isEmpty)
        await #expect(throws: ExportError.cannotBeOpened) {
            _ = try await SealedExport.open(composed, sealedTo: .passphrase("caf\u{e9} noir"), bundleID: "com.example.other")
        }
    }

    @Test func `an export that is sealed to the account opens with the account's keychain`() async throws {
        let shared = MemoryKeychain()
        let export = try await export(to: .account(shared))
        let app = try await launch(try await Phone(account: phone.account), offline: true)
        await #expect(throws: ExportError.missingAccountKey) { try await add(export, to: app, .account(MemoryKeychain())) }
        await #expect(throws: ExportError.needsAccount) { try await add(export, to: app) }
        #expect(try await add(export, to: app, .account(shared)).added == 1)
        for index in stride(from: 0, to: export.count, by: 7) {
            var damaged = export
            damaged[index] ^= 1 << UInt8(index % 8)
            await #expect(throws: ExportError.self, "byte \(index)") {
                _ = try await SealedExport.open(damaged, sealedTo: .account(shared), bundleID: .test)
            }
        }
    }
}

extension StoredProof {
    /// Returns the proof with an edited payload and the signature of the original.
    fileprivate func replacing(_ text: String, with other: String) -> StoredProof {
        let payload = String(decoding: transaction.payload, as: UTF8.self).replacing(text, with: other)
        return StoredProof(
            facts: facts,
            transaction: Parts(header: transaction.header, payload: Array(payload.utf8)[...], signature: transaction.signature),
            renewal: nil)
    }
}
