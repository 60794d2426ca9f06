public import Crypto
import Foundation
import GRDB

/// The key with which a developer's server signs its tokens for the store's App Store Server API.
///
/// A developer creates the key in App Store Connect, and the App Store keeps the public key. A local store creates the key itself and
/// gives the private key to the developer.
public struct StoreAPIKey: Sendable {
    /// The private key as in a `.p8` file: PKCS #8 in PEM.
    public let privateKeyPEM: String
    /// The key's identifier, which tokens state as `kid`.
    public let keyID: String
    /// The issuer identifier, which tokens state as `iss`.
    public let issuerID: String
    /// The public key with which the store verifies the tokens.
    public let publicKey: P256.Signing.PublicKey

    /// Loads the key from the store's database, or creates and saves a key if the database has none.
    init(_ db: Database) throws {
        if let pem = try StoreSettings.apiKey.value(db), let keyID = try StoreSettings.apiKeyID.value(db),
            let issuerID = try StoreSettings.issuerID.value(db)
        {
            (privateKeyPEM, self.keyID, self.issuerID) = (pem, keyID, issuerID)
            publicKey = try P256.Signing.PrivateKey(pemRepresentation: pem).publicKey
            return
        }
        let key = P256.Signing.PrivateKey()
        privateKeyPEM = key.pemRepresentation + "\n"
        publicKey = key.publicKey
        keyID = String((0..<10).compactMap { _ in "ABCDEFGHJKLMNPQRSTUVWXYZ23456789".randomElement() })
        issuerID = UUID().uuidString.lowercased()
        try StoreSettings.apiKey.set(privateKeyPEM, db)
        try StoreSettings.apiKeyID.set(keyID, db)
        try StoreSettings.issuerID.set(issuerID, db)
    }
}
