import Crypto
import Foundation
import PrivateFiles
import PurchaseModel

/// An append-only file of frames that are encrypted with AES-256-GCM; the file's key depends on a secret and the bundle ID.
///
/// Frames are appended, because replacing the file would write all earlier purchases again for each purchase.
///
/// The file begins with a header: 8 bytes `TILLVLT5`, whose last byte is the version of the format; the epoch in 8 bytes, which increases
/// with each replacement of the contents; the number of frames written with the header in 8 bytes; and the mark of the replaced file in 32
/// bytes. The frames follow the header. A frame contains its length in 4 bytes, the nonce, the ciphertext and the tag. The bundle ID, the
/// header and the number of the frame are authenticated data, so that the file of another app can't be opened, and frames can't be moved,
/// removed or repeated. Integers are big-endian.
///
/// With a backup that contains the secret, the file opens on another device. An HMAC in the ciphertext, whose key depends on the device's
/// key, shows that this device has written the frame: the secret is not enough to write frames for this device.
///
/// A frame is written in one piece, and is valid after the file's synchronization. A crash can leave an incomplete frame at the end, which
/// the next opening removes unless the frame was acknowledged before.
struct SealedLog: Sendable {
    /// A state of the file: the epoch, and the number of frames in the epoch.
    struct Position: Hashable, Sendable {
        var epoch: UInt64 = 0
        var frames: UInt64 = 0
    }

    /// A state of the file, with the tag of the last frame, which identifies the contents.
    ///
    /// The position alone does not identify a state: after a crash, an unacknowledged state can have the same number of frames as a later
    /// state. If the older file could replace the later file, credits could be spent twice.
    struct Mark: Hashable, Sendable {
        var position = Position()
        /// The tag of the last frame; zeros without a frame.
        var tag = Data(count: SealedLog.tagLength)

        fileprivate var bytes: Data { SealedLog.bytes(position.epoch) + SealedLog.bytes(position.frames) + tag }
    }

    static let tagLength = 16
    private static let name = Data("TILLVLT".utf8)
    private static let magic = name + Data("5".utf8)
    /// The length of the header in bytes.
    private static let headerLength = magic.count + 8 + 8 + 32
    /// The length of the HMAC of a frame in bytes.
    private static let codeLength = SHA256.byteCount
    /// The length of the nonce, the tag and the HMAC of a frame in bytes.
    private static let overhead = 28 + codeLength
    /// The maximum length of a frame in bytes, more than the vault writes in one frame.
    private static let maximumFrameLength = 64 << 20

    private let storage: any VaultStorage
    private let key: SymmetricKey
    /// The key of the HMAC, which only this device has.
    private let deviceKey: SymmetricKey
    private let binding: Data
    private(set) var mark = Mark()
    private var header = header(epoch: 0, frames: 0, after: Mark())
    private var length = headerLength

    /// Derives the file's key, without accessing the file.
    ///
    /// - Parameters:
    ///   - secret: At least 32 random bytes that only this app has, on this device and on each device with its restored backup.
    ///   - deviceKey: At least 32 random bytes that only this app on this device has.
    init(_ storage: any VaultStorage, secret: Data, bundleID: BundleID, deviceKey: Data) {
        self.storage = storage
        binding = Self.magic + Data("\(bundleID)\u{0}".utf8)
        key = VaultKeys.fileKey(from: secret, purpose: "Tillroll vault", binding)
        self.deviceKey = VaultKeys.fileKey(from: deviceKey, purpose: "Tillroll vault device", binding)
    }

    var exists: Bool { storage.exists() }

    /// Reads the frames of the file, and removes an incomplete frame that was not acknowledged.
    ///
    /// - Parameter acknowledged: The latest mark in the keychain; nil if the keychain has no mark; the file then has an unknown age.
    /// - Returns: The frames, and their origin. A copy must be replaced before frames are appended. Nil if another session has changed the
    ///   file during the reading.
    /// - Throws: ``VaultError/tampered`` for a damaged file, ``VaultError/unsupportedVersion``, ``VaultError/storage(reason:)``.
    mutating func open(acknowledged: Mark?) throws(VaultError) -> (frames: [Data], origin: Origin)? {
        guard let file = try? storage.read() else { throw .storage(reason: "the file can't be read") }
        guard file.count >= Self.headerLength, file.starts(with: Self.name) else { throw .tampered }
        guard file.starts(with: Self.magic) else { throw .unsupportedVersion }
        header = Data(file[0..<Self.headerLength])
        mark = Mark(position: Position(epoch: Self.integer(header[8..<16])))
        length = Self.headerLength
        var (frames, marks): ([Data], [Mark]) = ([], [mark])
        var isOwn: Bool?
        while let frame = Self.frame(at: length, of: file), let plain = unsealed(frame) {
            // Stop at a frame of another device, because one device has written all frames of a file.
            guard isOwn ?? plain.isOwn == plain.isOwn else { break }
            isOwn = plain.isOwn
            frames.append(plain.bytes)
            mark.position.frames += 1
            mark.tag = Data(frame.suffix(Self.tagLength))
            marks.append(mark)
            length += 4 + frame.count
        }
        let isComplete = length == file.count
        // Refuse fewer frames than the header states, because the header and these frames are written in one step. Each epoch but the
        // first has such frames, and a frame authenticates the header.
        guard mark.position.epoch == 0 || !frames.isEmpty, mark.position.frames >= Self.integer(header[16..<24]) else { throw .tampered }
        if isOwn == false {
            // Refuse another device's file if the keychain has a mark, which shows that this device has written a file.
            guard isComplete, acknowledged == nil else { throw .tampered }
            return (frames, .otherDevice)
        }
        guard let acknowledged, isContinuation(of: acknowledged, marks) else {
            // Refuse an incomplete last frame, because a copy of the file ends with a complete frame.
            guard isComplete, !frames.isEmpty else { throw .tampered }
            return (frames, .olderCopy)
        }
        // Remove an incomplete last frame, which was not acknowledged.
        do {
            if !isComplete { try storage.truncate(at: length, of: file.count) }
        } catch is VaultFileConflict {
            return nil
        } catch {
            throw .storage(reason: "the file can't be truncated (\(error))")
        }
        return (frames, .current)
    }

    enum Origin {
        /// This device wrote the contents, which include or directly replace the recorded state.
        case current
        /// This device wrote the contents, which are older than the recorded mark, or of unknown age.
        case olderCopy
        /// Another device wrote the contents, and its backup was restored on this device.
        case otherDevice
    }

    /// Returns whether the file contains the acknowledged frames, or is the direct replacement of the acknowledged file.
    private func isContinuation(of acknowledged: Mark, _ marks: [Mark]) -> Bool {
        if acknowledged.position.epoch == mark.position.epoch {
            guard let frames = Int(exactly: acknowledged.position.frames), marks.indices.contains(frames) else { return false }
            return marks[frames] == acknowledged
        }
        return acknowledged.position.epoch < mark.position.epoch && header.suffix(32) == acknowledged.bytes
    }

    private static func frame(at start: Int, of file: Data) -> Data? {
        guard file.count - start >= 4 else { return nil }
        let length = file[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        guard (overhead...maximumFrameLength).contains(length), file.count - start - 4 >= length else { return nil }
        return file[start + 4..<start + 4 + length]
    }

    /// Returns the contents of the next frame, and whether this device has written it; nil for any other bytes.
    private func unsealed(_ frame: Data) -> (bytes: Data, isOwn: Bool)? {
        let authenticated = authenticated(header, mark.position.frames)
        guard let box = try? AES.GCM.SealedBox(combined: frame),
            let plain = try? AES.GCM.open(box, using: key, authenticating: authenticated),
            plain.count >= Self.codeLength
        else { return nil }
        let bytes = Data(plain.dropFirst(Self.codeLength))
        // Compare the HMACs in constant time.
        return (bytes, code(of: bytes, authenticated) == plain.prefix(Self.codeLength))
    }

    private func code(of plain: Data, _ authenticated: Data) -> HMAC<SHA256>.MAC {
        var code = HMAC<SHA256>(key: deviceKey)
        code.update(data: authenticated)
        code.update(data: plain)
        return code.finalize()
    }

    private func authenticated(_ header: Data, _ frame: UInt64) -> Data { binding + header + Self.bytes(frame) }

    private static func header(epoch: UInt64, frames: UInt64, after mark: Mark) -> Data {
        magic + bytes(epoch) + bytes(frames) + mark.bytes
    }

    private static func bytes(_ value: some FixedWidthInteger) -> Data {
        withUnsafeBytes(of: value.bigEndian) { Data($0) }
    }

    private static func integer(_ bytes: Data) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    /// Encrypts a frame, and returns its bytes in the file, with the length.
    private func sealed(_ plain: Data, _ header: Data, at frame: UInt64) throws(VaultError) -> Data {
        guard plain.count <= Self.maximumFrameLength - Self.overhead, frame < .max else { throw .outOfRange }
        do {
            let authenticated = authenticated(header, frame)
            let box = try AES.GCM.seal(Data(code(of: plain, authenticated)) + plain, using: key, authenticating: authenticated)
            let bytes = Data(box.nonce) + box.ciphertext + box.tag
            return Self.bytes(UInt32(bytes.count)) + bytes
        } catch {
            throw .storage(reason: "the contents can't be encrypted")
        }
    }

    /// Appends frames, which are on the disk when the method returns.
    ///
    /// - Returns: False if another session has changed the file, which is then not written.
    mutating func append(_ frames: [Data]) throws(VaultError) -> Bool {
        var next = mark
        var bytes = Data()
        for frame in frames {
            bytes += try sealed(frame, header, at: next.position.frames)
            next.position.frames += 1
            next.tag = Data(bytes.suffix(Self.tagLength))
        }
        guard exists || length == Self.headerLength else { throw .missing }
        do {
            if !exists { try storage.create(header) }
            try storage.append(bytes, at: length)
        } catch is VaultFileConflict {
            return false
        } catch {
            throw .storage(reason: "the file can't be written (\(error))")
        }
        mark = next
        length += bytes.count
        return true
    }

    /// Replaces the contents of the file by other frames, at least one, with the next epoch.
    ///
    /// - Parameters:
    ///   - acknowledged: The latest mark in the keychain; nil if the keychain has no mark.
    ///   - discarding: Whether a file with unknown contents is also replaced.
    mutating func replace(with frames: [Data], after acknowledged: Mark?, discarding: Bool = false) throws(VaultError) -> Replacement {
        let epoch = max(acknowledged?.position.epoch ?? 0, mark.position.epoch)
        guard epoch < .max else { throw .outOfRange }
        let header = Self.header(epoch: epoch + 1, frames: UInt64(frames.count), after: acknowledged ?? Mark())
        var next = Mark(position: Position(epoch: epoch + 1))
        var file = header
        for frame in frames {
            file += try sealed(frame, header, at: next.position.frames)
            next.position.frames += 1
            next.tag = Data(file.suffix(Self.tagLength))
        }
        var replacement = Replacement.durable
        do {
            try storage.replace(with: file, of: discarding ? nil : length)
        } catch let error as DurableFile.Failure where error == .synchronize {
            replacement = .volatile
        } catch is VaultFileConflict {
            return .conflict
        } catch {
            throw .storage(reason: "the file can't be written (\(error))")
        }
        (mark, self.header, length) = (next, header, file.count)
        return replacement
    }

    /// The outcome of a replacement of the file.
    enum Replacement {
        case durable
        /// The file was replaced, but a crash can restore the old file.
        case volatile
        /// Another session has changed the file, which is not replaced.
        case conflict
    }
}
