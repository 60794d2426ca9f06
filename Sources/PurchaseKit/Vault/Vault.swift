import Crypto
import Foundation
public import PurchaseModel
public import PurchaseProof

/// An app's encrypted store of purchases, bound to the app and the device, which detects tampering and rollback.
///
/// The vault accepts only verified transactions. The file contains the signed originals, which are verified again when the vault is
/// opened. Every change is durable when the call returns. Cost of a change: the whole file, some kilobytes, is written.
public actor Vault {
    private let file: SealedFile
    private let keychain: any Keychain
    private var contents: VaultContents
    private var verified: [TransactionID: VerifiedTransaction]

    /// Opens the vault, or creates an empty one when none exists.
    ///
    /// - Parameters:
    ///   - path: The vault's file.
    ///   - keychain: The keychain with the vault's secret and generation, apart from the file.
    ///   - bundleID: The app to which the vault is bound.
    ///   - device: The device to which the vault is bound.
    ///   - verifier: The verifier of the purchases in the vault.
    ///   - startingAnew: Whether existing contents are discarded, as the user decides when the vault can't be trusted. Older copies of
    ///     the file are still detected, because the generation continues to increase.
    /// - Throws: ``VaultError/tampered``, ``VaultError/rolledBack``, ``VaultError/missing``, or ``VaultError/unproven(reason:)``
    ///   when the existing vault can't be trusted; the file is then unchanged.
    public init(
        path: String,
        keychain: any Keychain,
        bundleID: BundleID,
        device: String,
        verifier: SignedDataVerifier,
        startingAnew: Bool = false
    ) async throws(VaultError) {
        let secret: Data
        if let known = try keychain.secret("vault-secret") {
            secret = known
        } else {
            secret = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
            try keychain.set(secret, for: "vault-secret")
        }
        let file = SealedFile(path: path, secret: secret, bundleID: bundleID, device: device)
        let generation = try keychain.generation()
        let contents = startingAnew ? try Self.startAnew(file, after: generation) : try Self.open(file, generation: generation)
        var verified: [TransactionID: VerifiedTransaction] = [:]
        for (id, signed) in contents.purchases {
            do {
                let transaction = try await verifier.verify(signed)
                guard transaction.payload.transactionId == id else {
                    throw VerificationFailure.refused(Refusal(.malformed, at: "transactionId"))
                }
                verified[id] = transaction
            } catch {
                throw .unproven(reason: "\(error)")
            }
        }
        self.file = file
        self.keychain = keychain
        self.contents = contents
        self.verified = verified
        try keychain.set(generation: contents.generation)
    }

    private static func startAnew(_ file: SealedFile, after generation: UInt64) throws(VaultError) -> VaultContents {
        var contents = VaultContents()
        contents.generation = try Self.generation(after: generation)
        try seal(contents, file)
        return contents
    }

    private static func generation(after generation: UInt64) throws(VaultError) -> UInt64 {
        guard generation < .max else { throw .outOfRange }
        return generation + 1
    }

    private static func seal(_ contents: VaultContents, _ file: SealedFile) throws(VaultError) {
        let plain: Data
        do {
            plain = try JSONEncoder().encode(contents)
        } catch {
            throw .storage(reason: "the contents can't be encoded")
        }
        try file.seal(plain)
    }

    private static func open(_ file: SealedFile, generation: UInt64) throws(VaultError) -> VaultContents {
        guard file.exists else {
            guard generation == 0 else { throw .missing }
            return VaultContents()
        }
        let contents: VaultContents
        do {
            contents = try JSONDecoder().decode(VaultContents.self, from: file.open())
        } catch let error as VaultError {
            throw error
        } catch {
            throw .tampered
        }
        // A generation after the keychain's results from a crash between the two writes, and is valid.
        guard contents.generation >= generation else { throw .rolledBack }
        return contents
    }

    /// The purchases, oldest first.
    public var purchases: [VerifiedTransaction] {
        verified.values.sorted { ($0.payload.purchaseDate, $0.payload.transactionId) < ($1.payload.purchaseDate, $1.payload.transactionId) }
    }

    /// The remaining credits.
    public var balance: Int { contents.balance ?? 0 }

    /// Whether the vault contains an unrevoked purchase of a product.
    public func owns(_ product: ProductID) -> Bool {
        verified.values.contains { $0.payload.productId == product && !$0.payload.isRevoked }
    }

    /// The content of a product that is installed on this device.
    public func content(of product: ProductID) -> InstalledContent? {
        contents.contents[product]
    }

    /// Records a purchase and its credits, once; returns whether the purchase is new.
    @discardableResult
    public func record(_ transaction: VerifiedTransaction, credits: Int = 0) throws(VaultError) -> Bool {
        let id = transaction.payload.transactionId
        guard contents.purchases[id] == nil else { return false }
        guard credits >= 0 else { throw .outOfRange }
        // The purchase is recorded once the file is written, even when the keychain then can't be written.
        defer { if contents.purchases[id] != nil { verified[id] = transaction } }
        try change { contents in
            contents.purchases[id] = transaction.original
            if credits != 0 {
                contents.credited[id] = credits
            }
        }
        return true
    }

    /// Debits credits, once for each `spending` key; a repeated call has no effect.
    public func spend(_ amount: Int, spending: String) throws(VaultError) {
        guard contents.spent[spending] == nil else { return }
        guard amount > 0, CreditRule.balance(balance, adding: -amount) != nil else { throw .tooFewCredits(balance: balance) }
        try change { $0.spent[spending] = amount }
    }

    /// Records installed content of a product.
    public func install(_ content: InstalledContent, of product: ProductID) throws(VaultError) {
        guard contents.contents[product] != content else { return }
        try change { $0.contents[product] = content }
    }

    /// Writes the file and then the keychain's generation; the next opening accepts a file after a crash between the two.
    private func change(_ body: (inout VaultContents) -> Void) throws(VaultError) {
        var changed = contents
        body(&changed)
        guard changed.balance != nil else { throw .outOfRange }
        changed.generation = try Self.generation(after: changed.generation)
        try Self.seal(changed, file)
        contents = changed
        try keychain.set(generation: changed.generation)
    }
}

extension Keychain {
    fileprivate func generation() throws(VaultError) -> UInt64 {
        guard let data = try secret("vault-generation") else { return 0 }
        guard let generation = UInt64(String(decoding: data, as: UTF8.self)) else { throw .tampered }
        return generation
    }

    fileprivate func set(generation: UInt64) throws(VaultError) {
        try set(Data(String(generation).utf8), for: "vault-generation")
    }
}
