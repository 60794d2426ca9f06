public import Crypto
import Foundation
import GRDB

/// The key with which developers' servers sign their tokens for the store's App Store Server API.
///
/// The App Store lets developers make it and keeps its public half; a local store makes it and gives the private one away.
public struct StoreAPIKey: Sendable {
    /// The key as a `.p8` file has it: PKCS #8 in PEM.
    public let privateKeyPEM: String
    /// The key's name, `kid` of a token.
    public let keyID: String
    /// The issuer, `iss` of a token.
    public let issuerID: String
    /// What verifies tokens.
    public let publicKey: P256.Signing.PublicKey

    /// The key that the database holds, made when there is none.
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
