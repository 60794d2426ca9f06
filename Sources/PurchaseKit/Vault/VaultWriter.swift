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
    /// The epoch that the keychain had recorded at the opening.
    private let acknowledgedEpoch: UInt64
    /// The thumbprint of the device's key, to which the file and the server's leases are bound.
    let deviceKey: KeyThumbprint

    private init(_ log: SealedLog, _ keychain: any Keychain, _ deviceKey: KeyThumbprint, acknowledged: UInt64) {
        self.log = log
        self.keychain = keychain
        self.deviceKey = deviceKey
        acknowledgedEpoch = acknowledged
    }

    /// The vault's file after its opening.
    struct Opened {
        let writer: VaultWriter
        let frames: [Data]
        /// Whether the file is an older copy, which must be replaced before anything is appended to it.
        let isOlderCopy: Bool
    }

    /// Opens the vault's file, or begins a new one.
    ///
    /// The keychain has the device's key, the position and the secret, which are created in this order, so that a keychain with a secret and
    /// without a position was changed.
    static func open(
        _ storage: any VaultStorage, keychain: any Keychain, bundleID: BundleID, resetting: Bool
    ) throws(VaultError) -> Opened {
        let (known, acknowledged) = (try keychain.secret(secretName), try keychain.position(positionName))
        let hasDeviceKey = try keychain.secret(deviceKeyName) != nil
        if !resetting {
            guard known != nil && hasDeviceKey || !storage.exists() else { throw .missingKey }
            // The keychain remembers a file that was deleted.
            guard storage.exists() || acknowledged.map({ $0 == SealedLog.Position() }) ?? (known == nil) else { throw .missing }
        }
        let deviceKey = try deviceKey(in: keychain)
        if acknowledged == nil, known == nil { try keychain.set(SealedLog.Position(), for: positionName) }
        let secret = known ?? SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
        if known == nil { try keychain.set(secret, for: secretName) }
        var log = SealedLog(storage, secret: secret, bundleID: bundleID, deviceKey: deviceKey)
        var (frames, isOlderCopy): ([Data], Bool) = ([], false)
        if resetting {
            var codec = VaultCodec()
            try log.replace(with: [try codec.frame([.began])], after: acknowledged?.epoch ?? 0)
        } else if log.exists {
            (frames, isOlderCopy) = try log.open(acknowledged: acknowledged)
        }
        if !isOlderCopy, acknowledged != log.position { try keychain.set(log.position, for: positionName) }
        return Opened(
            writer: VaultWriter(log, keychain, deviceKey, acknowledged: acknowledged?.epoch ?? 0), frames: frames, isOlderCopy: isOlderCopy)
    }

    /// Returns the thumbprint of the device's key, which the first call creates.
    private static func deviceKey(in keychain: any Keychain) throws(VaultError) -> KeyThumbprint {
        if let known = try keychain.secret(deviceKeyName) {
            let key = try? P256SigningKey(pem: String(decoding: known, as: UTF8.self), id: deviceKeyName)
            guard let key else { throw .storage(reason: "the device's key in the keychain is invalid") }
            return key.verificationKey.thumbprint
        }
        guard let key = try? P256SigningKey(newWithID: deviceKeyName) else { throw .storage(reason: "no key can be created") }
        try keychain.set(Data(key.pem.utf8), for: deviceKeyName)
        return key.verificationKey.thumbprint
    }

    /// Appends frames, which are on the disk when the method returns.
    func append(_ frames: [Data]) throws(Failure) {
        do { try log.append(frames) } catch { throw Failure(error: error, isWritten: false) }
        do { try keychain.set(log.position, for: Self.positionName) } catch { throw Failure(error: error, isWritten: true) }
    }

    /// Replaces the contents of the file.
    func replace(with frames: [Data]) throws(VaultError) {
        try log.replace(with: frames, after: acknowledgedEpoch)
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
