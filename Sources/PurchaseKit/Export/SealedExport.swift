import Crypto
import Foundation
import PurchaseModel

/// The file of an export: signed data of purchases, encrypted with AES-256-GCM.
///
/// The file contains 8 bytes `TILLEXP1`, of which the last byte is the version of the format, the kind of the seal in one byte, a salt of
/// 32 bytes, the nonce, the ciphertext and the tag. The bytes before the nonce, and the bundle ID, are authenticated data. The ciphertext
/// is a frame of the vault's log with proofs and at most one lease. Anyone with the passphrase can write other entries, so the import
/// verifies each signature, and ignores unsigned entries.
enum SealedExport {
    /// The maximum length of a file in bytes.
    static let maximumLength = 64 << 20

    private static let name = Data("TILLEXP".utf8)
    private static let magic = name + Data("1".utf8)
    private static let saltLength = 32
    private static let headerLength = magic.count + 1 + saltLength

    /// Seals entries of the vault's log.
    @concurrent
    static func seal(_ entries: [VaultEntry], to seal: ExportSeal, bundleID: BundleID) async throws(ExportError) -> Data {
        let salt = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
        let header = magic + [seal.kind] + salt
        let key = try await seal.key(salt: salt, isNew: true)
        var codec = VaultCodec()
        let contents: Data
        do { contents = try codec.frame(entries) } catch { throw .vault(error) }
        guard let box = try? AES.GCM.seal(contents, using: key, authenticating: authenticated(header, bundleID)) else {
            throw .cannotDeriveKey
        }
        let file = header + Data(box.nonce) + box.ciphertext + box.tag
        guard file.count <= maximumLength else { throw .tooLarge(limit: maximumLength) }
        return file
    }

    /// Opens a file, and returns its entries, which are not verified.
    @concurrent
    static func open(_ file: Data, sealedTo seal: ExportSeal, bundleID: BundleID) async throws(ExportError) -> [VaultEntry] {
        guard file.count <= maximumLength else { throw .tooLarge(limit: maximumLength) }
        guard file.starts(with: name) else { throw .notAnExport }
        guard file.starts(with: magic) else { throw .unsupportedVersion }
        guard file.count > headerLength else { throw .cannotBeOpened }
        let header = [UInt8](file.prefix(headerLength))
        guard header[magic.count] == seal.kind else {
            if case .account = seal { throw .needsPassphrase }
            throw .needsAccount
        }
        let key = try await seal.key(salt: Data(header.suffix(saltLength)), isNew: false)
        guard let box = try? AES.GCM.SealedBox(combined: file.dropFirst(headerLength)),
            let contents = try? AES.GCM.open(box, using: key, authenticating: authenticated(Data(header), bundleID))
        else { throw .cannotBeOpened }
        var codec = VaultCodec()
        var entries: [VaultEntry] = []
        do throws(VaultError) {
            // Skip unsigned entries while decoding, so that the entries use no memory.
            try codec.decode(contents, into: &entries) { entry in
                switch entry {
                case .proof, .lease: true
                default: false
                }
            }
        } catch {
            throw error == .unsupportedVersion ? .unsupportedVersion : .cannotBeOpened
        }
        return entries
    }

    private static func authenticated(_ header: Data, _ bundleID: BundleID) -> Data { header + Data(bundleID.rawValue.utf8) }
}
