import Crypto
import Foundation
public import PurchaseModel
public import PurchaseProof

/// An encrypted file with an app's purchases on a device, which detects tampering and rollback to an older copy.
///
/// The vault accepts only verified transactions. The file contains the signed transactions, which are verified again when the vault is
/// opened. Each change writes the whole file, some kilobytes, and is durable when the call returns.
public actor Vault {
    private let file: SealedFile
    private let keychain: any Keychain
    private var contents: VaultContents
    private var verified: [TransactionID: VerifiedTransaction]

    /// Opens the vault, or creates an empty vault if there is none.
    ///
    /// - Parameters:
    ///   - path: The path of the vault's file.
    ///   - keychain: The keychain with the vault's secret and its generation, a counter of the writes that identifies older copies.
    ///   - bundleID: The bundle ID of the app to which the vault is bound.
    ///   - device: The identifier of the device to which the vault is bound.
    ///   - verifier: The verifier of the purchases in the vault.
    ///   - startingAnew: Whether the existing contents are discarded, for example because they can't be trusted. Older copies of the file
    ///     are still detected, because the generation continues to increase.
    /// - Throws: ``VaultError/tampered``, ``VaultError/rolledBack``, ``VaultError/missing``, or ``VaultError/unproven(reason:)`` if the
    ///   existing vault can't be trusted; the file is then unchanged. ``VaultError/storage(reason:)`` if a file can't be read or written.
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
        // A generation higher than the keychain's is valid: it results from a crash between the writes of the file and of the keychain.
        guard contents.generation >= generation else { throw .rolledBack }
        return contents
    }

    /// The verified transactions in the vault, oldest first.
    public var purchases: [VerifiedTransaction] {
        verified.values.sorted { ($0.payload.purchaseDate, $0.payload.transactionId) < ($1.payload.purchaseDate, $1.payload.transactionId) }
    }

    /// The credits that remain after all debits.
    public var balance: Int { contents.balance ?? 0 }

    /// Returns whether the vault contains a purchase of a product that is not revoked.
    public func owns(_ product: ProductID) -> Bool {
        verified.values.contains { $0.payload.productId == product && !$0.payload.isRevoked }
    }

    /// Returns the content of a product that is installed on this device; nil if there is none.
    public func content(of product: ProductID) -> InstalledContent? {
        contents.contents[product]
    }

    /// Records a transaction and its credits; returns false without an effect if the transaction is already recorded.
    @discardableResult
    public func record(_ transaction: VerifiedTransaction, credits: Int = 0) throws(VaultError) -> Bool {
        let id = transaction.payload.transactionId
        guard contents.purchases[id] == nil else { return false }
        guard credits >= 0 else { throw .outOfRange }
        // If the file is written, the purchase is recorded, even if writing the keychain then fails.
        defer { if contents.purchases[id] != nil { verified[id] = transaction } }
        try change { contents in
            contents.purchases[id] = transaction.original
            if credits != 0 {
                contents.credited[id] = credits
            }
        }
        return true
    }

    /// Debits credits; a repeated call with the same idempotency key `spending` has no effect.
    ///
    /// - Throws: ``VaultError/tooFewCredits(balance:)`` if the balance is less than `amount`, or `amount` is not positive.
    public func spend(_ amount: Int, spending: String) throws(VaultError) {
        guard contents.spent[spending] == nil else { return }
        guard amount > 0, CreditRule.balance(balance, adding: -amount) != nil else { throw .tooFewCredits(balance: balance) }
        try change { $0.spent[spending] = amount }
    }

    /// Records the installed content of a product.
    public func install(_ content: InstalledContent, of product: ProductID) throws(VaultError) {
        guard contents.contents[product] != content else { return }
        try change { $0.contents[product] = content }
    }

    /// Changes the contents, and writes the file and then the keychain's generation.
    ///
    /// After a crash between the two writes, the vault can still be opened.
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
