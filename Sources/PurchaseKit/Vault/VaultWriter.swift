import Foundation
import MessageSignatures
import PurchaseModel
import PurchaseProof

/// Writes the vault's file, and then its mark to the keychain, outside of the vault's actor.
actor VaultWriter {
    struct Failure: Error {
        let error: VaultError
        /// Whether the file contains the frames although the write failed, for example in the keychain.
        let isWritten: Bool
        /// Whether another session has changed the file, which can be read again.
        var isConflict = false

        static let conflict = Failure(
            error: .storage(reason: "another app session has changed the file"), isWritten: false, isConflict: true)
    }

    private static let positionName = "vault-position"

    private var log: SealedLog
    private let keychain: any Keychain
    /// The latest mark in the keychain; nil if the keychain has no mark.
    private var acknowledged: SealedLog.Mark?
    /// The thumbprint of the device's key, to which the server's leases are bound.
    let deviceKey: KeyThumbprint

    private init(_ log: SealedLog, _ keychain: any Keychain, _ deviceKey: KeyThumbprint, acknowledged: SealedLog.Mark?) {
        self.log = log
        self.keychain = keychain
        self.deviceKey = deviceKey
        self.acknowledged = acknowledged
    }

    /// The opened file of a vault.
    struct Opened {
        let writer: VaultWriter
        let frames: [Data]
        /// The origin of the frames; a copy must be replaced before anything is appended to the file.
        let origin: SealedLog.Origin
    }

    /// Opens the vault's file, or begins a new one.
    ///
    /// The keychain has the mark of the file, the device's key and the secret, which are created in this order; see ``VaultKeys``.
    ///
    /// A missing item is added to the keychain without replacing an existing item. If another session opens the new vault at the same time,
    /// both sessions use the items that were added first.
    ///
    /// The method holds no lock, because a system can end an app that holds a lock while the app is suspended.
    ///
    /// - Returns: Nil if another session has changed the file or the keychain during the reading.
    static func open(
        _ storage: any VaultStorage, keychain: any Keychain, bundleID: BundleID, resetting: Bool
    ) throws(VaultError) -> Opened? {
        let secret = try keychain.secret(VaultKeys.secretName)
        var (acknowledged, isReadable): (SealedLog.Mark?, Bool) = (nil, true)
        do {
            acknowledged = try keychain.mark(positionName)
        } catch {
            // Replace a mark that can't be read if the vault is reset.
            guard error == .tampered, resetting else { throw error }
            isReadable = false
        }
        if !resetting {
            let hasDeviceKey = try keychain.secret(VaultKeys.deviceKeyName) != nil
            let hasKeys = secret != nil && (hasDeviceKey || acknowledged == nil) || !storage.exists()
            // Conclude from the items in this device's keychain that a file existed, even if the file was deleted.
            let hasFile = storage.exists() || acknowledged.map({ $0 == SealedLog.Mark() }) ?? (secret == nil || !hasDeviceKey)
            guard hasKeys && hasFile else {
                // Return nil if another session has created the items and the file since the items were read.
                guard try keychain.secret(VaultKeys.secretName) == secret, try keychain.mark(positionName) == acknowledged,
                    try (keychain.secret(VaultKeys.deviceKeyName) != nil) == hasDeviceKey
                else { return nil }
                throw hasKeys ? VaultError.missing : VaultError.missingKey
            }
        }
        if acknowledged == nil, secret == nil || !storage.exists() {
            if !isReadable { try keychain.set(SealedLog.Mark(), for: positionName) }
            acknowledged = try keychain.add(SealedLog.Mark(), for: positionName)
        }
        let (deviceKey, thumbprint) = try VaultKeys.deviceKey(in: keychain, resetting: resetting)
        let vaultSecret = try VaultKeys.secret(after: secret, in: keychain, resetting: resetting)
        var log = SealedLog(storage, secret: vaultSecret, bundleID: bundleID, deviceKey: deviceKey)
        var (frames, origin): ([Data], SealedLog.Origin) = ([], .current)
        if resetting {
            var codec = VaultCodec()
            let frames = [try codec.frame([.began])]
            guard try log.replace(with: frames, after: acknowledged, discarding: true) == .durable else { throw Self.notDurable }
            // Return nil if another session has replaced the device's key at the same time.
            guard try keychain.secret(VaultKeys.deviceKeyName) == deviceKey else { return nil }
        } else if log.exists {
            guard let file = try read(&log, keychain, acknowledged: acknowledged) else { return nil }
            (frames, origin) = file
        }
        if origin == .current, acknowledged != log.mark {
            try keychain.set(log.mark, for: positionName)
            acknowledged = log.mark
        }
        return Opened(
            writer: VaultWriter(log, keychain, thumbprint, acknowledged: acknowledged), frames: frames, origin: origin)
    }

    /// Reads the frames of the vault's file, and compares the file's state with the mark in the keychain to detect a rollback.
    ///
    /// - Returns: Nil if another session has changed the file during the reading.
    private static func read(
        _ log: inout SealedLog, _ keychain: any Keychain, acknowledged: SealedLog.Mark?
    ) throws(VaultError) -> (frames: [Data], origin: SealedLog.Origin)? {
        do throws(VaultError) {
            guard let file = try log.open(acknowledged: acknowledged) else { return nil }
            guard file.origin != .current else { return file }
            // Read the mark again: a file that another session compacted after the first reading of the mark looks like an older copy.
            return try keychain.mark(positionName) == acknowledged ? file : nil
        } catch {
            guard error == .tampered, try keychain.mark(positionName) != acknowledged else { throw error }
            return nil
        }
    }

    private static let notDurable = VaultError.storage(reason: "the new file can't be synchronized")

    /// Appends frames, which are on the disk when the method returns.
    func append(_ frames: [Data]) throws(Failure) {
        let isAppended: Bool
        do { isAppended = try log.append(frames) } catch { throw Failure(error: error, isWritten: false) }
        guard isAppended else { throw .conflict }
        do { try acknowledge() } catch { throw Failure(error: error, isWritten: true) }
    }

    /// Reads the frames of the file again after a change by another session.
    ///
    /// - Returns: Nil if another session has changed the file during the reading.
    func reload() throws(VaultError) -> [Data]? {
        // Read the keychain's mark before the file: another session writes the file first and then updates the mark.
        let mark = try keychain.mark(Self.positionName)
        var changed = log
        guard let file = try Self.read(&changed, keychain, acknowledged: mark) else { return nil }
        guard file.origin == .current else { throw Failure.conflict.error }
        (log, acknowledged) = (changed, mark)
        return file.frames
    }

    func replace(with frames: [Data]) throws(Failure) {
        let replacement: SealedLog.Replacement
        do { replacement = try log.replace(with: frames, after: acknowledged) } catch { throw Failure(error: error, isWritten: false) }
        switch replacement {
        case .durable: break
        case .volatile: throw Failure(error: Self.notDurable, isWritten: true)
        case .conflict: throw .conflict
        }
        do { try acknowledge() } catch { throw Failure(error: error, isWritten: true) }
    }

    private func acknowledge() throws(VaultError) {
        try keychain.set(log.mark, for: Self.positionName)
        acknowledged = log.mark
    }
}

extension Keychain {
    /// Returns the mark in the keychain: the epoch, frame count and last tag of the vault's file; nil if none was recorded.
    fileprivate func mark(_ name: String) throws(VaultError) -> SealedLog.Mark? {
        guard let data = try secret(name) else { return nil }
        return try SealedLog.Mark(item: data)
    }

    fileprivate func set(_ mark: SealedLog.Mark, for name: String) throws(VaultError) {
        try set(mark.item, for: name, scope: .device)
    }

    /// Records a mark unless a mark is recorded already, and returns the recorded mark.
    fileprivate func add(_ mark: SealedLog.Mark, for name: String) throws(VaultError) -> SealedLog.Mark {
        try SealedLog.Mark(item: add(mark.item, for: name, scope: .device))
    }
}

extension SealedLog.Mark {
    /// The keychain's item with the mark.
    fileprivate var item: Data { Data("\(position.epoch).\(position.frames).\(tag.base64EncodedString())".utf8) }

    /// Reads the mark in an item of the keychain.
    fileprivate init(item: Data) throws(VaultError) {
        let parts = String(decoding: item, as: UTF8.self).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let epoch = UInt64(parts[0]), let frames = UInt64(parts[1]),
            let tag = Data(base64Encoded: String(parts[2])),
            tag.count == SealedLog.tagLength
        else { throw .tampered }
        self.init(position: SealedLog.Position(epoch: epoch, frames: frames), tag: tag)
    }
}
