import Foundation
import PurchaseKit

/// A file that is replaced in one step: the new contents are written to a second file, which is then renamed.
private enum Replacement {
    /// Leaves half of the new contents in the second file.
    static func leaveHalf(of contents: Data, for path: String) throws {
        try contents.prefix(contents.count / 2).write(to: URL(filePath: path + ".new"))
    }
}

/// The vault's file, with steps before, in the middle of and after each write.
struct CutStorage: VaultStorage {
    let path: String
    let points: KillPoints

    private var file: VaultFile { VaultFile(path: path) }

    func read() throws -> Data? { try file.read() }

    func exists() -> Bool { file.exists() }

    func create(_ contents: Data) throws {
        try replace(contents) { try file.create(contents) }
    }

    func replace(with contents: Data, of length: Int?) throws {
        try replace(contents) { try file.replace(with: contents, of: length) }
    }

    private func replace(_ contents: Data, _ body: () throws -> Void) throws {
        points.reach("vault replacing")
        if points.isCut("vault half-replaced") {
            try Replacement.leaveHalf(of: contents, for: path)
            points.end()
        }
        try body()
        points.reach("vault replaced")
    }

    func append(_ bytes: Data, at offset: Int) throws {
        points.reach("vault appending")
        // Nothing that depends on this write may happen before it.
        if points.isCut("vault held") { points.endLater() }
        if points.isCut("vault half-appended") {
            try file.append(bytes.prefix(bytes.count / 2), at: offset)
            points.end()
        }
        try file.append(bytes, at: offset)
        points.reach("vault appended")
    }

    func truncate(at offset: Int, of length: Int) throws {
        points.reach("vault truncating")
        try file.truncate(at: offset, of: length)
        points.reach("vault truncated")
    }
}

/// A keychain in files, with steps before, in the middle of and after each write.
struct CutKeychain: Keychain {
    let keychain: FileKeychain
    let folder: String
    let points: KillPoints

    init(folder: String, points: KillPoints) throws(VaultError) {
        keychain = try FileKeychain(folder: folder)
        self.folder = folder
        self.points = points
    }

    func secret(_ name: String) throws(VaultError) -> Data? { try keychain.secret(name) }

    func set(_ secret: Data, for name: String, scope: KeychainScope) throws(VaultError) {
        reachHalf(of: secret, name)
        try keychain.set(secret, for: name, scope: scope)
        points.reach("keychain set \(name)")
    }

    func add(_ secret: Data, for name: String, scope: KeychainScope) throws(VaultError) -> Data {
        if let stored = try self.secret(name) { return stored }
        reachHalf(of: secret, name)
        let stored = try keychain.add(secret, for: name, scope: scope)
        points.reach("keychain set \(name)")
        return stored
    }

    /// Reaches the steps before the end of a write.
    private func reachHalf(of secret: Data, _ name: String) {
        points.reach("keychain setting \(name)")
        if points.isCut("keychain half-set \(name)") {
            try? Replacement.leaveHalf(of: secret, for: "\(folder)/\(name)")
            points.end()
        }
    }
}
