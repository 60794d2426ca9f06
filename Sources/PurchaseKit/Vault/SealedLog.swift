import Crypto
import Foundation
import MessageSignatures
import PurchaseModel

/// An append-only file of frames, each encrypted with AES-256-GCM, whose key depends on a secret, the app and the device's key.
///
/// The file contains 8 bytes `TILLVLT3`, of which the last one is the version of the format, the epoch in 8 bytes, and the frames. A frame
/// contains its length in 4 bytes, the nonce, the ciphertext and the tag. The bundle ID, the device's key, the epoch and the number of the
/// frame are authenticated data, so that the file of another app or device can't be opened, and frames can't be moved, removed or repeated.
/// Integers are big-endian.
///
/// A frame is written in one piece and counts once the file is synchronized. A crash can leave an incomplete frame at the end, which the
/// next opening removes unless the frame was acknowledged before.
struct SealedLog: Sendable {
    /// A state of the file: the number of times that the file was compacted, and the number of frames since then.
    struct Position: Hashable, Comparable, Sendable {
        var epoch: UInt64 = 0
        var frames: UInt64 = 0

        static func < (lhs: Position, rhs: Position) -> Bool { (lhs.epoch, lhs.frames) < (rhs.epoch, rhs.frames) }
    }

    private static let name = Data("TILLVLT".utf8)
    private static let magic = name + Data("3".utf8)
    private static let headerLength = 16
    /// The nonce and the tag of a frame.
    private static let overhead = 28
    /// The maximum length of a frame, which exceeds everything that the vault writes in one frame.
    private static let maximumFrameLength = 64 << 20

    private let storage: any VaultStorage
    private let key: SymmetricKey
    private let binding: Data
    private(set) var position = Position()
    private var length = headerLength

    /// Derives the file's key, without accessing the file.
    ///
    /// - Parameter secret: At least 32 random bytes that only this app on this device knows.
    init(_ storage: any VaultStorage, secret: Data, bundleID: BundleID, deviceKey: KeyThumbprint) {
        self.storage = storage
        binding = Self.magic + Data("\(bundleID)\u{0}\(deviceKey.rawValue)\u{0}".utf8)
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret),
            salt: Data("Tillroll vault".utf8),
            info: binding,
            outputByteCount: 32
        )
    }

    var exists: Bool { storage.exists() }

    /// Reads the frames of the file, and removes an incomplete frame that was not acknowledged.
    ///
    /// - Parameter acknowledged: The latest position that the keychain recorded; nil if it has no record, so that the age of the file is
    ///   unknown.
    /// - Returns: The frames, and whether the file is an older copy, or of unknown age. An older copy must be replaced before anything is
    ///   appended to it.
    /// - Throws: ``VaultError/tampered`` for a damaged file, ``VaultError/unsupportedVersion``, ``VaultError/storage(reason:)``.
    mutating func open(acknowledged: Position?) throws(VaultError) -> (frames: [Data], isOlderCopy: Bool) {
        guard let file = try? storage.read() else { throw .storage(reason: "the file can't be read") }
        guard file.count >= Self.headerLength, file.starts(with: Self.name) else { throw .tampered }
        guard file.starts(with: Self.magic) else { throw .unsupportedVersion }
        position = Position(epoch: file[8..<16].reduce(0) { $0 << 8 | UInt64($1) })
        length = Self.headerLength
        var frames: [Data] = []
        while let frame = Self.frame(at: length, of: file), let plain = unsealed(frame) {
            frames.append(plain)
            position.frames += 1
            length += 4 + frame.count
        }
        let isComplete = length == file.count
        guard let acknowledged, position >= acknowledged else {
            // A copy of the file ends with a complete frame.
            guard isComplete, !frames.isEmpty else { throw .tampered }
            return (frames, true)
        }
        if position.epoch > acknowledged.epoch {
            // A compaction writes the whole file in one step, with at least one frame, which nobody can create without the secret.
            guard isComplete, !frames.isEmpty else { throw .tampered }
        } else if !isComplete {
            // Only the frame after the acknowledged ones can be incomplete.
            try truncate()
        }
        return (frames, false)
    }

    private static func frame(at start: Int, of file: Data) -> Data? {
        guard file.count - start >= 4 else { return nil }
        let length = file[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        guard (overhead...maximumFrameLength).contains(length), file.count - start - 4 >= length else { return nil }
        return file[start + 4..<start + 4 + length]
    }

    private func unsealed(_ frame: Data) -> Data? {
        guard let box = try? AES.GCM.SealedBox(combined: frame) else { return nil }
        return try? AES.GCM.open(box, using: key, authenticating: authenticated(position))
    }

    private func authenticated(_ position: Position) -> Data {
        binding + Self.bytes(position.epoch) + Self.bytes(position.frames)
    }

    private static func bytes(_ value: some FixedWidthInteger) -> Data {
        withUnsafeBytes(of: value.bigEndian) { Data($0) }
    }

    private func sealed(_ plain: Data, at position: Position) throws(VaultError) -> Data {
        guard plain.count <= Self.maximumFrameLength - Self.overhead, position.frames < .max else { throw .outOfRange }
        do {
            let box = try AES.GCM.seal(plain, using: key, authenticating: authenticated(position))
            let frame = Data(box.nonce) + box.ciphertext + box.tag
            return Self.bytes(UInt32(frame.count)) + frame
        } catch {
            throw .storage(reason: "the contents can't be encrypted")
        }
    }

    /// Appends frames, which are on the disk when the method returns; after an error the file is unchanged.
    mutating func append(_ frames: [Data]) throws(VaultError) {
        var next = position
        var bytes = Data()
        for frame in frames {
            bytes += try sealed(frame, at: next)
            next.frames += 1
        }
        guard exists || length == Self.headerLength else { throw .missing }
        do {
            if !exists { try storage.replace(with: Self.magic + Self.bytes(position.epoch)) }
            try storage.append(bytes, at: length)
        } catch {
            try? truncate()
            throw .storage(reason: "the file can't be written (\(error))")
        }
        position = next
        length += bytes.count
    }

    /// Replaces the contents of the file by other frames, at least one, with the next epoch.
    ///
    /// - Parameter epoch: An epoch that the new one must exceed.
    mutating func replace(with frames: [Data], after epoch: UInt64) throws(VaultError) {
        guard max(epoch, position.epoch) < .max else { throw .outOfRange }
        var next = Position(epoch: max(epoch, position.epoch) + 1)
        let header = Self.magic + Self.bytes(next.epoch)
        var file = header
        for frame in frames {
            file += try sealed(frame, at: next)
            next.frames += 1
        }
        do { try storage.replace(with: file) } catch { throw .storage(reason: "the file can't be written (\(error))") }
        position = next
        length = file.count
    }

    /// Removes what follows the last complete frame.
    private func truncate() throws(VaultError) {
        do { try storage.truncate(at: length) } catch { throw .storage(reason: "the file can't be truncated (\(error))") }
    }
}
