import ArgumentParser
import Foundation
import PurchaseProof

/// The options for the developer's key.
struct OfferKeyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The key's .p8 file from App Store Connect; a public key in PEM will do for checking.", valueName: "file"),
        transform: givenPath)
    var key: String

    @Option(help: "The key's id in App Store Connect; taken from the file's name, AuthKey_ID.p8, unless given.")
    var keyID: String?

    /// The key id from the option, or the end of the file's name.
    var identifier: String? {
        if let keyID { return keyID }
        let parts = URL(filePath: key).deletingPathExtension().lastPathComponent.split(separator: "_")
        return parts.count > 1 ? parts.last.map(String.init) : nil
    }

    /// The key that signs.
    ///
    /// - Throws: A usage error if the file holds no private key, or if neither the option nor the file's name states the key id.
    func privateKey() throws -> BackendKey {
        guard let identifier else {
            throw ValidationError("Give --key-id: the name of \(key) does not tell the key's id, as AuthKey_ABC123.p8 does.")
        }
        do { return try BackendKey(pem: text(), id: identifier) } catch is BackendKeyError {
            throw ValidationError("\(key) holds no private key. Give the .p8 file that App Store Connect handed out.")
        }
    }

    /// The key that verifies.
    ///
    /// - Throws: A usage error if the file holds no public key.
    func publicKey() throws -> BackendPublicKey {
        do { return try BackendPublicKey(pem: text(), id: identifier) } catch is BackendKeyError {
            throw ValidationError("\(key) holds no P-256 key. Give a .p8 file, or its public key in PEM.")
        }
    }

    private func text() throws -> String {
        String(decoding: try InputSource.file(key).read(), as: UTF8.self)
    }
}
