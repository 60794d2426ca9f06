public import Foundation
import MessageSignatures
public import PurchaseModel
public import PurchaseProof

/// Stores an app's purchases in an encrypted file on a device, and detects tampering and rollback to an older version of the file.
///
/// The vault accepts only verified transactions, and stores the bytes that the App Store signed. The file is authenticated; the opening
/// verifies no signatures, decodes no payloads, and costs about four microseconds for each transaction. A change is appended to the file,
/// and is durable when the call returns; changes that are made at the same time are written together. The contents are in memory: about a
/// kilobyte for each transaction.
///
/// An older copy of the file, as after a restore of the device's backup, opens as ``isRestoredFromBackup``: entitlements stay active, and
/// debits are refused until the balance is confirmed. The file of another device with its secret, as after the restore of an encrypted
/// backup on a new phone, also opens as ``isRestoredFromBackup``, and ``Purchases`` verifies the signatures again before the purchases
/// unlock entitlements.
public actor Vault {
    private let writer: VaultWriter
    /// The app to which the vault is bound.
    nonisolated let bundleID: BundleID
    private let refundPolicy: RefundPolicy
    private var codec: VaultCodec
    private var entries: [VaultEntry]
    /// The state that results from the entries, including those that are being written to the file.
    private(set) var contents: VaultContents
    private var requests: [Request] = []
    private var isWriting = false

    private struct Request {
        let decide: @Sendable (VaultContents) throws(VaultError) -> [VaultEntry]
        let answer: CheckedContinuation<Result<Bool, VaultError>, Never>
    }

    /// The names of the keychain's items with the scope ``KeychainScope/backup``.
    public static let backedUpItems: Set<String> = [VaultKeys.secretName]
    /// The number of entries above which the log is compacted at opening, if compaction removes half of the entries.
    private static let compactionThreshold = 1_000
    /// The maximum number of changes that are written together.
    private static let batchLimit = 256
    /// The maximum number of attempts to make a change while other sessions change the file.
    private static let conflictLimit = 8

    /// Opens the vault, or creates an empty vault if there is none.
    ///
    /// - Parameters:
    ///   - path: The path of the vault's file.
    ///   - keychain: The keychain with the vault's secret, with the device's key, and with the mark of the last write, which identifies
    ///     older copies of the file.
    ///   - bundleID: The bundle ID of the app to which the vault is bound.
    ///   - refundPolicy: The effect of a refund of spent credits, in an app without a server.
    ///   - resetting: Whether the existing contents are discarded, for example after tampering. Older copies of the file are still
    ///     detected.
    /// - Throws: ``VaultError/tampered``, ``VaultError/missingKey``, ``VaultError/missing`` or ``VaultError/unsupportedVersion`` if the
    ///   existing vault can't be used; the file is then unchanged. ``VaultError/storage(reason:)`` if a file can't be read or written.
    public init(
        path: String,
        keychain: any Keychain,
        bundleID: BundleID,
        refundPolicy: RefundPolicy = .debt,
        resetting: Bool = false
    ) async throws(VaultError) {
        try await self.init(
            VaultFile(path: path), keychain: keychain, bundleID: bundleID, refundPolicy: refundPolicy, resetting: resetting)
    }

    /// Opens a vault in the given storage.
    package init(
        _ storage: any VaultStorage, keychain: any Keychain, bundleID: BundleID, refundPolicy: RefundPolicy = .debt,
        resetting: Bool = false
    ) async throws(VaultError) {
        var conflicts = 0
        while true {
            do throws(VaultWriter.Failure) {
                (writer, entries, codec) = try await Self.open(storage, keychain, bundleID, resetting)
                break
            } catch {
                // Open again if another session has rewritten the file since the reading.
                guard error.isConflict, conflicts < Self.conflictLimit else { throw error.error }
                conflicts += 1
            }
        }
        self.bundleID = bundleID
        self.refundPolicy = refundPolicy
        contents = VaultContents(entries, refundPolicy: refundPolicy)
    }

    private static func open(
        _ storage: any VaultStorage, _ keychain: any Keychain, _ bundleID: BundleID, _ resetting: Bool
    ) async throws(VaultWriter.Failure) -> (VaultWriter, [VaultEntry], VaultCodec) {
        let found: VaultWriter.Opened?
        var (entries, codec) = ([VaultEntry](), VaultCodec())
        do throws(VaultError) {
            found = try VaultWriter.open(storage, keychain: keychain, bundleID: bundleID, resetting: resetting)
            for frame in found?.frames ?? [] { try codec.decode(frame, into: &entries) }
        } catch {
            throw VaultWriter.Failure(error: error, isWritten: false)
        }
        guard let opened = found else { throw .conflict }
        if opened.origin != .current {
            // Begin a new epoch, which distinguishes the restored copy from later states of the file.
            entries = VaultContents.compacted(entries + (opened.origin == .otherDevice ? [.restored, .moved] : [.restored]))
            codec = try await replace(entries, opened.writer)
        } else if entries.count > compactionThreshold {
            let compacted = VaultContents.compacted(entries)
            // Ignore a failed compaction, for example on a full disk, because the contents were read completely.
            if compacted.count < entries.count / 2 {
                do {
                    (entries, codec) = (compacted, try await replace(compacted, opened.writer))
                } catch {
                    if error.isWritten { throw error }
                }
            }
        }
        return (opened.writer, entries, codec)
    }

    /// Replaces the contents of the file, and returns the codec for further frames.
    private static func replace(_ entries: [VaultEntry], _ writer: VaultWriter) async throws(VaultWriter.Failure) -> VaultCodec {
        var codec = VaultCodec()
        let frames: [Data]
        do { frames = try codec.frames(entries) } catch { throw VaultWriter.Failure(error: error, isWritten: false) }
        try await writer.replace(with: frames)
        return codec
    }

    /// Whether the balances are unconfirmed since the restore of a backup, or since the import of an export with balances.
    ///
    /// While the value is true, debits are refused if there are restored credits. The next answer of the server confirms the balances.
    /// Without a server, ``Purchases/resolveRestoredCredits(_:)`` confirms the balances.
    public var isRestoredFromBackup: Bool { !contents.isReconciled }

    /// Verifies the signatures of a vault that came from another device, and removes purchases whose signatures are refused.
    ///
    /// Anyone with a backup can read the secret and edit the file, so a purchase stays unconfirmed, as after an import, unless the App
    /// Store has signed the customer as `appAccountToken`. An unavailable revocation status of a certificate removes no purchase.
    ///
    /// - Parameter customer: The app's customer; nil for an app without customers.
    func verifyMovedProofs(_ verifier: SignedDataVerifier, for customer: CustomerID?) async throws(VaultError) {
        guard !contents.isVerified else { return }
        var refused: Set<TransactionID> = []
        for case .proof(let stored) in entries {
            do throws(VerificationFailure) {
                let verified = try await VerifiedProof(stored.signedProof, verifier: verifier)
                if (try? StoredProof(verified))?.facts != stored.facts { refused.insert(stored.facts.original) }
            } catch {
                if case .refused = error { refused.insert(stored.facts.original) }
            }
        }
        try await change { [refused] (contents) throws(VaultError) in
            guard !contents.isVerified else { return [] }
            // Ignore the customer in the file, because an edited file can name any customer.
            let unassigned = contents.proofs.map(\.facts).filter { $0.appAccountToken == nil || $0.appAccountToken != customer }
            let unconfirmed = contents.unconfirmed.union(unassigned.map(\.original)).subtracting(refused)
            return [.verified(refused: refused.sorted()), .unconfirmed(unconfirmed.sorted())]
        }
    }

    /// The verified transactions in the vault, oldest first.
    public var purchases: [VerifiedTransaction] { contents.purchases }

    /// Returns the credits of a currency that remain after all debits; negative after a refund of spent credits.
    public func balance(of currency: CurrencyID) -> Int64 { contents.balances[currency]?.amount ?? 0 }

    /// Returns whether the vault contains an unrevoked purchase of a product.
    public func owns(_ product: ProductID) -> Bool {
        contents.proofs.contains { $0.facts.product == product && !$0.facts.isRevoked }
    }

    /// Returns the content of a product that is installed on this device; nil if there is none.
    public func content(of product: ProductID) -> InstalledContent? { contents.contents[product] }

    /// Returns the app's own data that a fulfillment stored under a name; nil if there is none.
    public func value(_ name: String) -> Data? { contents.values[OpaqueText(name)] }

    /// The thumbprint of this device's key, to which the server binds leases.
    nonisolated var deviceKey: KeyThumbprint { writer.deviceKey }

    // MARK: - Changes

    /// Appends the entries that a closure returns; the entries are on the disk when the method returns.
    ///
    /// Closures are called one after the other, each with the contents after the previous one.
    ///
    /// - Returns: Whether the closure returned entries.
    /// - Throws: The error of the closure, or ``VaultError/storage(reason:)`` if the entries can't be written.
    @discardableResult
    func change(
        _ decide: @escaping @Sendable (VaultContents) throws(VaultError) -> [VaultEntry]
    ) async throws(VaultError) -> Bool {
        let result = await withCheckedContinuation { continuation in
            requests.append(Request(decide: decide, answer: continuation))
            guard !isWriting else { return }
            isWriting = true
            Task { await writeRequests() }
        }
        return try result.get()
    }

    private func writeRequests() async {
        var conflicts = 0
        while !requests.isEmpty {
            let batch = requests.prefix(Self.batchLimit)
            requests.removeFirst(batch.count)
            var results: [Result<Bool, VaultError>] = []
            var frames: [Data] = []
            let (count, knownCodec) = (entries.count, codec)
            for request in batch {
                do throws(VaultError) {
                    let decided = try request.decide(contents)
                    if !decided.isEmpty {
                        // Copy the codec, so that a frame that can't be encoded adds no header.
                        var nextCodec = codec
                        frames.append(try nextCodec.frame(decided))
                        codec = nextCodec
                        for entry in decided { contents.apply(entry) }
                        entries += decided
                    }
                    results.append(.success(!decided.isEmpty))
                } catch {
                    results.append(.failure(error))
                }
            }
            if !frames.isEmpty {
                do throws(VaultWriter.Failure) {
                    try await writer.append(frames)
                } catch {
                    if !error.isWritten {
                        entries.removeSubrange(count...)
                        (contents, codec) = (VaultContents(entries, refundPolicy: refundPolicy), knownCodec)
                    }
                    if error.isConflict, conflicts < Self.conflictLimit, await reload() {
                        conflicts += 1
                        requests.insert(contentsOf: batch, at: 0)
                        continue
                    }
                    results = results.map { if case .success = $0 { .failure(error.error) } else { $0 } }
                }
            }
            conflicts = 0
            for (request, result) in zip(batch, results) { request.answer.resume(returning: result) }
        }
        isWriting = false
    }

    /// Adopts the entries that another session has written to the file; returns false if the file can't be read.
    private func reload() async -> Bool {
        var (codec, entries) = (VaultCodec(), [VaultEntry]())
        do throws(VaultError) {
            // If another session changes the file at the same time, the next write detects the change, and calls this method again.
            guard let frames = try await writer.reload() else { return true }
            for frame in frames { try codec.decode(frame, into: &entries) }
        } catch {
            return false
        }
        (self.codec, self.entries) = (codec, entries)
        contents = VaultContents(entries, refundPolicy: refundPolicy)
        return true
    }
}
