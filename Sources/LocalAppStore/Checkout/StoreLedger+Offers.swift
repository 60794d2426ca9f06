import Foundation
import GRDB
import PurchaseModel
import PurchaseProof

extension StoreLedger {
    /// Looks at what the developer's server signed for a promotional offer: by the key of the API, or by that of the `.storekit` file.
    func check(
        _ choice: OfferChoice, of request: PurchaseRequest, by buyer: Buyer, at now: Timestamp, _ db: Database
    ) throws {
        guard let signature = choice.signature else { throw PurchaseRefusal.offerUnsigned }
        if let token = signature.compactJWS {
            return try check(token, choice, of: request, by: buyer, at: now, db)
        }
        guard let keyID = signature.keyID, let nonce = signature.nonce, let timestamp = signature.timestamp,
            let bytes = signature.signature, let offerID = choice.id
        else { throw PurchaseRefusal.offerUnsigned }
        let offer = PromotionalOffer(
            bundleID: buyer.app.bundleID, keyID: keyID, productID: request.productID, offerID: offerID,
            token: request.appAccountToken?.rawValue ?? "", nonce: nonce, timestamp: timestamp
        )
        let findings = offer.check(bytes.base64EncodedString(), with: try offerKey(keyID, of: buyer.app, db), now: now)
        if let finding = findings.first { throw PurchaseRefusal.offerSignature(finding.sentence) }
        try use(nonce, db)
    }

    private func check(
        _ token: String, _ choice: OfferChoice, of request: PurchaseRequest, by buyer: Buyer, at now: Timestamp, _ db: Database
    ) throws {
        let keyID = OfferClaims.keyID(of: token)
        let key = try offerKey(keyID ?? "", of: buyer.app, db)
        let findings = OfferToken.check(token, for: .promotionalOffer, with: key, bundleID: buyer.app.bundleID, now: now)
        if let finding = findings.first { throw PurchaseRefusal.offerSignature(finding.sentence) }
        guard let claims = OfferClaims(token), claims.productId == request.productID.rawValue, claims.offerIdentifier == choice.id else {
            throw PurchaseRefusal.offerSignature("It is for another product or another offer.")
        }
        try use(claims.nonce, db)
    }

    private func offerKey(_ keyID: String, of app: StoreApp, _ db: Database) throws -> BackendPublicKey {
        var pem: String?
        if let key = app.catalogue.offerKey, key.id == keyID {
            pem = "-----BEGIN PRIVATE KEY-----\n\(key.privateKey)\n-----END PRIVATE KEY-----"
        } else if try StoreSettings.apiKeyID.value(db) == keyID {
            pem = try StoreSettings.apiKey.value(db)
        }
        guard let pem, let key = try? BackendKey(pem: pem, id: keyID) else {
            throw PurchaseRefusal.offerSignature("The store knows no key of that name.")
        }
        return key.publicKey
    }

    /// A nonce is good for one purchase.
    private func use(_ nonce: String, _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT INTO offerNonces (nonce) VALUES (?) ON CONFLICT DO NOTHING").execute(arguments: [
            nonce.lowercased()
        ])
        guard db.changesCount == 1 else { throw PurchaseRefusal.offerSignature("Its nonce was used before.") }
    }
}
