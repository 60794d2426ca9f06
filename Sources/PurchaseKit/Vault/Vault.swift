import Crypto
public import Foundation
import MessageSignatures
public import PurchaseModel
public import PurchaseProof

/// An encrypted file with an app's purchases on a device, which detects tampering and rollback to an older copy.
///
/// The vault accepts only verified transactions. The file contains the signed transactions, which are verified again when the vault is
/// opened. A change is appended to the file, and is durable when the call returns; changes that are made at the same time are written
/// together. The contents are in memory: some kilobytes for each transaction.
public actor Vault {
    private let writer: VaultWriter
    private let refundPolicy: RefundPolicy
    /// The entries of the file.
    private var entries: [VaultEntry<VerifiedProof>]
    /// The state after the entries of the file, and after those that are being written.
    private(set) var contents: VaultContents
    private var requests: [Request] = []
    private var isWriting = false

    private struct Request {
        let decide: @Sendable (VaultContents) throws(VaultError) -> [VaultEntry<VerifiedProof>]
        let answer: CheckedContinuation<Result<Bool, VaultError>, Never>
    }

    /// The number of entries above which the log is compacted at opening, if that removes half of them.
    private static let compactionThreshold = 1_000
    /// The maximum number of changes that are written together.
    private static let batchLimit = 256

    /// Opens the vault, or creates an empty vault if there is none.
    ///
    /// - Parameters:
    ///   - path: The path of the vault's file.
    ///   - keychain: The keychain with the vault's secret, and with the number of its writes, which identifies older copies.
    ///   - bundleID: The bundle ID of the app to which the vault is bound.
    ///   - device: An identifier that never changes while the app is installed, such as `identifierForVendor`. A vault of another device is
    ///     refused as ``VaultError/tampered``.
    ///   - verifier: The verifier of the purchases in the vault.
    ///   - refundPolicy: What a refund of credits does that were spent, in an app without a server.
    ///   - resetting: Whether the existing contents are discarded, for example because they can't be trusted. Older copies of the file
    ///     are still detected.
    /// - Throws: ``VaultError/tampered``, ``VaultError/rolledBack``, ``VaultError/missing``, or ``VaultError/unverified(reason:)`` if the
    ///   existing vault can't be trusted; the file is then unchanged. ``VaultError/storage(reason:)`` if a file can't be read or written.
    public init(
        path: String,
        keychain: any Keychain,
        bundleID: BundleID,
        device: String,
        verifier: SignedDataVerifier,
        refundPolicy: RefundPolicy = .debt,
        resetting: Bool = false
    ) async throws(VaultError) {
        try await self.init(
            VaultFile(path: path), keychain: keychain, bundleID: bundleID, device: device, verifier: verifier,
            refundPolicy: refundPolicy, resetting: resetting)
    }

    /// Opens a vault in another storage than a file.
    package init(
        _ storage: any VaultStorage, keychain: any Keychain, bundleID: BundleID, device: String, verifier: SignedDataVerifier,
        refundPolicy: RefundPolicy = .debt, resetting: Bool = false
    ) async throws(VaultError) {
        let (writer, frames) = try VaultWriter.open(
            storage, keychain: keychain, bundleID: bundleID, device: device, resetting: resetting)
        var entries: [VaultEntry<VerifiedProof>] = []
        for frame in frames {
            let stored: [VaultEntry<SignedProof>]
            do { stored = try JSONDecoder().decode([VaultEntry<SignedProof>].self, from: frame) } catch { throw .tampered }
            for entry in stored {
                var verified: VerifiedProof?
                if let proof = entry.proof {
                    verified = try await Self.verify(proof, verifier)
                }
                if let entry = entry.map({ _ in verified }) { entries.append(entry) }
            }
        }
        let compacted = VaultContents.compacted(entries)
        if entries.count > Self.compactionThreshold, compacted.count < entries.count / 2 {
            // The vault is read completely, so that a full disk must not keep it from opening.
            let frames = try stride(from: 0, to: compacted.count, by: Self.compactionThreshold).map { (start) throws(VaultError) in
                try Self.frame(Array(compacted[start..<min(start + Self.compactionThreshold, compacted.count)]))
            }
            if (try? await writer.replace(with: frames)) != nil { entries = compacted }
        }
        self.writer = writer
        self.refundPolicy = refundPolicy
        self.entries = entries
        contents = VaultContents(entries, refundPolicy: refundPolicy)
    }

    private static func verify(_ proof: SignedProof, _ verifier: SignedDataVerifier) async throws(VaultError) -> VerifiedProof {
        do throws(VerificationFailure) {
            return try await VerifiedProof(proof, verifier: verifier)
        } catch {
            switch error {
            case .refused: throw .unverified(reason: "\(error)")
            case .indeterminate: throw .verificationUnavailable(reason: "\(error)")
            }
        }
    }

    private static func frame(_ entries: [VaultEntry<VerifiedProof>]) throws(VaultError) -> Data {
        do {
            return try JSONEncoder().encode(entries.compactMap { $0.map(\.signed) })
        } catch {
            throw .storage(reason: "the contents can't be encoded")
        }
    }

    /// The verified transactions in the vault, oldest first.
    public var purchases: [VerifiedTransaction] { contents.purchases }

    /// Returns the credits of a currency that remain after all debits; negative after a refund of spent credits.
    public func balance(of currency: CurrencyID) -> Int64 { contents.balances[currency]?.amount ?? 0 }

    /// Returns whether the vault contains a purchase of a product that is not revoked.
    public func owns(_ product: ProductID) -> Bool {
        contents.proofs.values.contains { $0.transaction.payload.productId == product && !$0.transaction.payload.isRevoked }
    }

    /// Returns the content of a product that is installed on this device; nil if there is none.
    public func content(of product: ProductID) -> InstalledContent? { contents.contents[product] }

    /// Returns the app's own data that a fulfillment stored under a name; nil if there is none.
    public func value(_ name: String) -> Data? { contents.values[name] }

    /// Returns the thumbprint of this device's key, to which the server binds leases; the first call creates the key in the keychain.
    func deviceKey() async throws(VaultError) -> KeyThumbprint { try await writer.deviceKey() }

    // MARK: - Changes

    /// Appends the entries that a closure decides on; they are on the disk when the method returns.
    ///
    /// Closures are called one after the other, each with the contents after the previous one.
    ///
    /// - Returns: Whether the closure returned entries.
    /// - Throws: The error of the closure, or ``VaultError/storage(reason:)`` if the entries can't be written.
    @discardableResult
    func change(
        _ decide: @escaping @Sendable (VaultContents) throws(VaultError) -> [VaultEntry<VerifiedProof>]
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
        while !requests.isEmpty {
            let batch = requests.prefix(Self.batchLimit)
            requests.removeFirst(batch.count)
            var results: [Result<Bool, VaultError>] = []
            var frames: [Data] = []
            let before = entries.count
            for request in batch {
                do throws(VaultError) {
                    let decided = try request.decide(contents)
                    if !decided.isEmpty {
                        frames.append(try Self.frame(decided))
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
                        entries.removeSubrange(before...)
                        contents = VaultContents(entries, refundPolicy: refundPolicy)
                    }
                    results = results.map { if case .success = $0 { .failure(error.error) } else { $0 } }
                }
            }
            for (request, result) in zip(batch, results) { request.answer.resume(returning: result) }
        }
        isWriting = false
    }
}
