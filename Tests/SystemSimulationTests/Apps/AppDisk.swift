import Foundation
import PurchaseModel
import Synchronization

@testable import PurchaseKit

/// What an app stores on its device besides the device's own files; it outlives the app's sessions.
final class AppDisk: Sendable {
    fileprivate struct Contents {
        var vault: Data?
        var secrets: [String: Data] = [:]
        var debits: [String: Int64] = [:]
        var performed: Set<TransactionID> = []
    }

    fileprivate let contents = Mutex(Contents())

    /// The debits of a plain app that are not at an end, by their keys.
    var debits: [String: Int64] { contents.withLock { $0.debits } }

    /// The purchases whose effect the app has performed.
    var performed: Set<TransactionID> { contents.withLock { $0.performed } }

    /// Performs the effect of a purchase, unless the session has ended.
    func perform(_ purchase: TransactionID, in fuse: SessionFuse) {
        guard !fuse.step() else { return }
        contents.withLock { _ = $0.performed.insert(purchase) }
        fuse.step()
    }

    /// Stores a debit, or removes it for nil; an app session can end before and after.
    ///
    /// - Throws: ``SessionFuse/Ended`` after the end of the session.
    func set(_ debit: Int64?, for key: String, in fuse: SessionFuse) throws {
        guard !fuse.step() else { throw SessionFuse.Ended() }
        contents.withLock { $0.debits[key] = debit }
        guard !fuse.step() else { throw SessionFuse.Ended() }
    }
}

/// The vault's file on a simulated disk; a session can end before, in the middle of, and after a write.
struct SimulatedFile: VaultStorage {
    let disk: AppDisk
    let fuse: SessionFuse

    func read() throws -> Data? { disk.contents.withLock { $0.vault } }

    func exists() -> Bool { disk.contents.withLock { $0.vault != nil } }

    func create(_ contents: Data) throws { try replace(with: contents, of: nil) }

    func replace(with data: Data, of length: Int?) throws {
        guard !fuse.step() else { throw SessionFuse.Ended() }
        disk.contents.withLock { $0.vault = data }
        guard !fuse.step() else { throw SessionFuse.Ended() }
    }

    func append(_ bytes: Data, at offset: Int) throws {
        guard !fuse.step() else { throw SessionFuse.Ended() }
        let isTorn = fuse.step()
        disk.contents.withLock { contents in
            contents.vault = (contents.vault ?? Data()).prefix(offset) + (isTorn ? bytes.prefix(bytes.count / 2) : bytes)
        }
        guard !isTorn, !fuse.step() else { throw SessionFuse.Ended() }
    }

    func truncate(at offset: Int, of length: Int) throws {
        guard !fuse.hasEnded else { throw SessionFuse.Ended() }
        disk.contents.withLock { $0.vault = $0.vault?.prefix(offset) }
    }
}

/// The keychain of a simulated device.
struct SimulatedKeychain: Keychain {
    let disk: AppDisk
    let fuse: SessionFuse

    func secret(_ name: String) throws(VaultError) -> Data? { disk.contents.withLock { $0.secrets[name] } }

    func set(_ secret: Data, for name: String, scope: KeychainScope) throws(VaultError) {
        guard !fuse.step() else { throw .storage(reason: "the session has ended") }
        disk.contents.withLock { $0.secrets[name] = secret }
        guard !fuse.step() else { throw .storage(reason: "the session has ended") }
    }
}
