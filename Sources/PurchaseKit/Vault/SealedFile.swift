import Crypto
import Foundation
import PrivateFiles
import PurchaseModel

/// A file encrypted with AES-256-GCM, whose key depends on a secret, the app and the device.
///
/// The file contains 8 bytes `TILLVLT1`, the nonce, the ciphertext and the tag. The first 8 bytes, the bundle ID and the device are
/// authenticated data, so that the file of another app or device can't be opened.
struct SealedFile: Sendable {
    private static let magic = Data("TILLVLT1".utf8)

    let path: String
    private let key: SymmetricKey
    private let binding: Data

    /// Derives the file's key, without accessing the file.
    ///
    /// - Parameter secret: At least 32 random bytes that only this app on this device knows.
    init(path: String, secret: Data, bundleID: BundleID, device: String) {
        self.path = path
        binding = Self.magic + Data("\(bundleID)\u{0}\(device)".utf8)
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret),
            salt: Data("Tillroll vault".utf8),
            info: binding,
            outputByteCount: 32
        )
    }

    var exists: Bool { FileManager.default.fileExists(atPath: path) }

    func open() throws(VaultError) -> Data {
        let file: Data
        do {
            file = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw .storage(reason: "the file can't be read")
        }
        guard file.starts(with: Self.magic) else { throw .tampered }
        do {
            let box = try AES.GCM.SealedBox(combined: file.dropFirst(Self.magic.count))
            return try AES.GCM.open(box, using: key, authenticating: binding)
        } catch {
            throw .tampered
        }
    }

    func seal(_ plain: Data) throws(VaultError) {
        do {
            let box = try AES.GCM.seal(plain, using: key, authenticating: binding)
            // `open()` reads nonce, ciphertext and tag in this order.
            try DurableFile.replace(path, with: Self.magic + Data(box.nonce) + box.ciphertext + box.tag)
        } catch {
            throw .storage(reason: "the file can't be written (\(error))")
        }
    }
}
