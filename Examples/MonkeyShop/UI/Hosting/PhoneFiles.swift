import Foundation
import MonkeyShop
import MonkeyShopBackend
import PurchaseKit

/// The files of a phone, as a visitor backs them up, restores, edits and erases them while the app is closed.
struct PhoneFiles {
    /// The path of the folder with the phone's files.
    let folder: String

    private var backup: String { "\(folder).backup" }
    /// The app's keychain, and the settings of the phone, which the restore of a backup on the same phone does not change.
    private static let kept: Set<String> = ["keychain", "settings.json"]

    var hasBackup: Bool { FileManager.default.fileExists(atPath: backup) }

    /// Copies the files of the backup.
    func backUp() throws {
        try? SampleFiles.remove(backup)
        try FileManager.default.createDirectory(atPath: backup, withIntermediateDirectories: true)
        try copy(folder, to: backup)
        try copyKeychain(folder, to: backup)
    }

    /// Replaces the files by those of the backup.
    func restore() throws {
        for name in try names(in: folder) { try SampleFiles.remove("\(folder)/\(name)") }
        try copy(backup, to: folder)
    }

    /// Adds the files of another phone's backup to a new phone, which has none yet.
    ///
    /// - Parameter isEncrypted: Whether the backup is encrypted, so that the items of the keychain that migrate are restored, too.
    func restore(from other: PhoneFiles, isEncrypted: Bool) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try copy(other.backup, to: folder)
        if isEncrypted { try copyKeychain(other.backup, to: folder) }
    }

    /// Changes one bit of the vault.
    func editVault() throws {
        let url = URL(filePath: MonkeyShop.vaultPath(in: folder))
        var bytes = try Data(contentsOf: url)
        guard !bytes.isEmpty else { return }
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: url)
    }

    /// Removes all files, also the keychain; a backup stays.
    func erase() throws {
        try SampleFiles.remove(folder)
    }

    /// Removes the app's own files, as when it is deleted and installed again; its keychain stays, and so does what the system knows.
    func reinstall() throws {
        for name in ["vault", "content", "hosted-content", "StoreKit"] {
            try SampleFiles.remove("\(folder)/\(name)")
        }
    }

    private func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { !Self.kept.contains($0) }
    }

    private func copy(_ source: String, to target: String) throws {
        for name in try names(in: source) { try FileManager.default.copyItem(atPath: "\(source)/\(name)", toPath: "\(target)/\(name)") }
    }

    /// Copies the items of the keychain that an encrypted backup restores on another phone.
    private func copyKeychain(_ source: String, to target: String) throws {
        let files = FileManager.default
        for name in Vault.backedUpItems where files.fileExists(atPath: "\(source)/keychain/\(name)") {
            try files.createDirectory(
                atPath: "\(target)/keychain", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try files.copyItem(atPath: "\(source)/keychain/\(name)", toPath: "\(target)/keychain/\(name)")
        }
    }
}
