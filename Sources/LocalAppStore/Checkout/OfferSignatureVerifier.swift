import Foundation
import FoundationExtras
import GRDB
import PurchaseModel
import PurchaseProof
import StoreProtocol

/// The service that verifies the signatures with which a developer's server offers prices.
struct OfferSignatureVerifier: Sendable {
    let context: StoreContext

    /// Verifies the developer's signature of an offer, with the App Store Server API key or the key of the `.storekit` file.
    ///
    /// A promotional offer requires a signature. An introductory offer may have a signature, which states whether the account is eligible.
    /// The signature's date is compared with the machine's clock, as in ``LocalAppStore/authorize(_:to:in:)``, because the developer's
    /// server signs by that clock.
    ///
    /// - Throws: ``PurchaseRefusal/missingOfferParameters`` if a required signature is missing, or
    ///   ``PurchaseRefusal/invalidOfferSignature(_:)`` if the signature is invalid.
    func checkOffer(of request: PurchaseRequest, by buyer: Buyer, _ db: Database) throws {
        guard let choice = request.offer else { return }
        switch (choice.kind, choice.signature) {
        case (.promotional, nil): throw PurchaseRefusal.missingOfferParameters
        case (.promotional, let signature?):
            guard let token = signature.compactJWS else { return try check(signature, choice, of: request, by: buyer, db) }
            try check(token, for: .promotionalOffer, of: request, by: buyer, db)
        case (.introductory, let signature?):
            guard let token = signature.compactJWS else { throw PurchaseRefusal.missingOfferParameters }
            try check(token, for: .introductoryOffer, of: request, by: buyer, db)
        case (.introductory, nil), (.code, _), (.winBack, _): return
        // The App Store selects a retention offer; an app can't request one.
        case (.retention, _): throw PurchaseRefusal.invalidOfferIdentifier
        }
    }

    private func check(
        _ signature: OfferSignature, _ choice: OfferChoice, of request: PurchaseRequest, by buyer: Buyer, _ db: Database
    ) throws {
        guard let keyID = signature.keyID, let nonce = signature.nonce, let timestamp = signature.timestamp,
            let bytes = signature.signature, let offerID = choice.id
        else { throw PurchaseRefusal.missingOfferParameters }
        let offer = PromotionalOffer(
            bundleID: buyer.app.bundleID, keyID: keyID, productID: request.productID, offerID: offerID,
            token: request.appAccountToken?.rawValue ?? request.applicationUsername ?? "", nonce: nonce, timestamp: timestamp
        )
        let key = try offerKey(keyID, of: buyer.app, db)
        let findings = offer.check(bytes.base64EncodedString(), with: key, now: context.clock.systemTime)
        if let finding = findings.first { throw PurchaseRefusal.invalidOfferSignature(finding.message) }
        try consumeNonce(nonce, db)
    }

    private func check(
        _ token: String, for audience: OfferToken.Audience, of request: PurchaseRequest, by buyer: Buyer, _ db: Database
    ) throws {
        let key = try offerKey(OfferClaims.keyID(of: token) ?? "", of: buyer.app, db)
        let findings = OfferToken.check(token, for: audience, with: key, bundleID: buyer.app.bundleID, now: context.clock.systemTime)
        if let finding = findings.first { throw PurchaseRefusal.invalidOfferSignature(finding.message) }
        guard let claims = OfferClaims(token), claims.productId == request.productID.rawValue,
            audience == .introductoryOffer || claims.offerIdentifier == request.offer?.id
        else { throw PurchaseRefusal.invalidOfferSignature("The signed product or offer does not match the purchase.") }
        if let id = claims.transactionId, try !owns(id, buyer, db) {
            throw PurchaseRefusal.invalidOfferSignature("The signed transactionId does not belong to the account.")
        }
        try consumeNonce(claims.nonce, db)
    }

    /// Returns whether a `transactionId` or an `appTransactionId` belongs to the buyer's account in the app.
    private func owns(_ id: String, _ buyer: Buyer, _ db: Database) throws -> Bool {
        if id == buyer.appTransactionID { return true }
        guard let row = try TransactionRecord.find(TransactionID(id), db) else { return false }
        return row.account == buyer.account.id && row.bundleID == buyer.app.bundleID
    }

    private func offerKey(_ keyID: String, of app: StoreApp, _ db: Database) throws -> BackendPublicKey {
        var pem: String?
        if let key = app.catalog.offerKey, key.id == keyID {
            pem = "-----BEGIN PRIVATE KEY-----\n\(key.privateKey)\n-----END PRIVATE KEY-----"
        } else if try StoreSettings.apiKeyID.value(db) == keyID {
            pem = try StoreSettings.apiKey.value(db)
        }
        guard let pem, let key = try? BackendKey(pem: pem, id: keyID) else {
            throw PurchaseRefusal.invalidOfferSignature("The store has no key with the signature's key identifier.")
        }
        return key.publicKey
    }

    /// Records the nonce of an offer's signature as used, because each signature is valid for one purchase.
    ///
    /// - Throws: ``PurchaseRefusal/invalidOfferSignature(_:)`` if the nonce was already used.
    private func consumeNonce(_ nonce: String, _ db: Database) throws {
        try db.cachedStatement(sql: "INSERT INTO offerNonces (nonce) VALUES (?) ON CONFLICT DO NOTHING").execute(arguments: [
            nonce.lowercased()
        ])
        guard db.changesCount == 1 else {
            throw PurchaseRefusal.invalidOfferSignature("The nonce was already used; sign each purchase with a new nonce.")
        }
    }
}

/// The claims about an offer in a JWS of the developer's server.
///
/// This type only decodes the claims; it does not verify the signature of the JWS.
struct OfferClaims: Decodable {
    var productId: String?
    var offerIdentifier: String?
    var allowIntroductoryOffer: Bool?
    var transactionId: String?
    var nonce: String

    /// Decodes the claims of a compact JWS; nil if the text is not a JWS with such claims.
    init?(_ token: String) {
        guard let claims = try? WireJSON.decode(OfferClaims.self, from: Data(UnverifiedJWS(token).payload)) else { return nil }
        self = claims
    }

    /// Decodes the claims about the introductory offer that an app requests with a purchase.
    ///
    /// The value is nil if the app requests another offer or sends no JWS; the store then determines the eligibility.
    init?(_ choice: OfferChoice) {
        guard choice.kind == .introductory, let token = choice.signature?.compactJWS else { return nil }
        self.init(token)
    }

    /// Returns the identifier of the signing key (`kid`) in the header of a compact JWS; nil if the header states none.
    static func keyID(of token: String) -> String? {
        (try? WireJSON.decode(Header.self, from: Data(UnverifiedJWS(token).header)))?.kid
    }

    private struct Header: Decodable {
        var kid: String?
    }
}
