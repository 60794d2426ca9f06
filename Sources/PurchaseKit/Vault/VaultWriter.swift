import Crypto
import Foundation
import MessageSignatures
import PurchaseModel
import PurchaseProof

/// Writes the vault's file, and then the number of its frames to the keychain, outside of the vault's actor.
actor VaultWriter {
    /// The error of a write.
    struct Failure: Error {
        let error: VaultError
        /// Whether the file has the frames, and only the keychain could not be written.
        let isWritten: Bool
    }

    private static let secretName = "vault-secret"
    private static let deviceKeyName = "device-key"
    private static let positionName = "vault-position"

    private var log: SealedLog
    private let keychain: any Keychain

    private init(_ log: SealedLog, _ keychain: any Keychain) {
        self.log = log
        self.keychain = keychain
    }

    /// Opens the vault's file, or begins a new one, and returns its frames.
    static func open(
        _ storage: any VaultStorage, keychain: any Keychain, bundleID: BundleID, device: String, resetting: Bool
    ) throws(VaultError) -> (VaultWriter, [Data]) {
        let known = try keychain.secret(secretName)
        let secret = known ?? SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
        var log = SealedLog(storage, secret: secret, bundleID: bundleID, device: device)
        if known == nil {
            guard resetting || !log.exists else { throw .tampered }
            try keychain.set(secret, for: secretName)
        }
        let acknowledged = try keychain.position(positionName)
        var frames: [Data] = []
        if resetting {
            let began: [VaultEntry<SignedProof>] = [.began]
            guard let frame = try? JSONEncoder().encode(began) else { throw .storage(reason: "the contents can't be encoded") }
            try log.replace(with: [frame], after: acknowledged?.epoch ?? 0)
        } else if log.exists {
            // Without its number of writes, an older copy of the file would not be noticed.
            guard let acknowledged else { throw .tampered }
            frames = try log.open(acknowledged: acknowledged)
        } else {
            guard acknowledged.map({ $0 == SealedLog.Position() }) ?? true else { throw .missing }
        }
        if acknowledged != log.position { try keychain.set(log.position, for: positionName) }
        return (VaultWriter(log, keychain), frames)
    }

    /// Returns the thumbprint of the device's key, which the first call creates.
    func deviceKey() throws(VaultError) -> KeyThumbprint {
        do throws(SigningKeyError) {
            if let known = try? keychain.secret(Self.deviceKeyName) {
                return try P256SigningKey(pem: String(decoding: known, as: UTF8.self), id: Self.deviceKeyName).verificationKey.thumbprint
            }
        } catch {
            throw .storage(reason: "the device's key in the keychain is invalid")
        }
        guard let key = try? P256SigningKey(newWithID: Self.deviceKeyName) else { throw .storage(reason: "no key can be created") }
        try keychain.set(Data(key.pem.utf8), for: Self.deviceKeyName)
        return key.verificationKey.thumbprint
    }

    /// Appends frames, which are on the disk when the method returns.
    func append(_ frames: [Data]) throws(Failure) {
        do { try log.append(frames) } catch { throw Failure(error: error, isWritten: false) }
        do { try keychain.set(log.position, for: Self.positionName) } catch { throw Failure(error: error, isWritten: true) }
    }

    /// Replaces the contents of the file.
    func replace(with frames: [Data]) throws(VaultError) {
        try log.replace(with: frames, after: 0)
        try keychain.set(log.position, for: Self.positionName)
    }
}

extension Keychain {
    /// Returns the recorded position of the vault's file; nil if none was recorded.
    fileprivate func position(_ name: String) throws(VaultError) -> SealedLog.Position? {
        guard let data = try secret(name) else { return nil }
        let parts = String(decoding: data, as: UTF8.self).split(separator: ".", omittingEmptySubsequences: false).map { UInt64($0) }
        guard parts.count == 2, let epoch = parts[0], let frames = parts[1] else { throw .tampered }
        return SealedLog.Position(epoch: epoch, frames: frames)
    }

    fileprivate func set(_ position: SealedLog.Position, for name: String) throws(VaultError) {
        try set(Data("\(position.epoch).\(position.frames)".utf8), for: name)
    }
}
