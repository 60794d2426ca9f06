import Foundation
import MonkeyShop
import MonkeyShopBackend
import PurchaseKit

/// Backs up, restores, edits and erases the files of a phone while the app is closed.
struct PhoneFiles {
    let folder: String

    private var backup: String { "\(folder).backup" }
    /// The files that a restore on the same phone does not change: the app's keychain, and the settings of the phone.
    private static let kept: Set<String> = ["keychain", "settings.json"]

    var hasBackup: Bool { FileManager.default.fileExists(atPath: backup) }

    /// Replaces the backup with a copy of the phone's files.
    func backUp() throws {
        try? SampleFiles.remove(backup)
        try FileManager.default.createDirectory(atPath: backup, withIntermediateDirectories: true)
        try copy(folder, to: backup)
        try copyKeychain(folder, to: backup)
    }

    /// Replaces the phone's files with the files of the backup.
    func restore() throws {
        for name in try names(in: folder) { try SampleFiles.remove("\(folder)/\(name)") }
        try copy(backup, to: folder)
    }

    /// Copies the files of another phone's backup to a new phone without files.
    ///
    /// - Parameter isEncrypted: Whether to restore the keychain items that an encrypted backup contains.
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

    /// Removes all files of the phone, including the keychain, except the backup.
    func erase() throws {
        try SampleFiles.remove(folder)
    }

    /// Removes the files that a reinstallation of the app removes; the keychain and the files of the system are kept.
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

    /// Copies the keychain items that an encrypted backup restores on another phone.
    private func copyKeychain(_ source: String, to target: String) throws {
        let files = FileManager.default
        for name in Vault.backedUpItems where files.fileExists(atPath: "\(source)/keychain/\(name)") {
            try files.createDirectory(
                atPath: "\(target)/keychain", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try files.copyItem(atPath: "\(source)/keychain/\(name)", toPath: "\(target)/keychain/\(name)")
        }
    }
}
