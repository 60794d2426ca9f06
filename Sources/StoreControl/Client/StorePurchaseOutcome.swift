import Foundation
import FoundationExtras
public import PurchaseModel
import StoreProtocol

/// The outcome of a purchase that a ``StoreClient`` made for an account.
public enum StorePurchaseOutcome: Hashable, Sendable {
    /// The account has the transaction.
    ///
    /// A change to a lower level of service begins at the next renewal. Its transaction is that of the current period.
    ///
    /// - Parameters:
    ///   - transaction: The payload of the signed transaction; its signature is not verified.
    ///   - signed: The transaction, as the store signs it for devices and servers.
    case purchased(TransactionPayload, signed: SignedTransaction)
    /// The purchase awaits a parent's approval; ``StoreClient/approve(_:)`` and ``StoreClient/decline(_:)`` decide it.
    case deferred(PaymentID)
    /// The store refused the purchase, with the code of an `SKError`.
    ///
    /// - Parameters:
    ///   - code: The code of the `SKError`, such as 5 for a product that the store does not sell.
    ///   - message: A sentence that states the reason.
    case refused(code: Int, message: String)

    /// The payload of the transaction; nil for a purchase that is deferred or refused.
    public var transaction: TransactionPayload? {
        guard case .purchased(let transaction, _) = self else { return nil }
        return transaction
    }

    /// The transaction, as the store signs it for devices and servers; nil for a purchase that is deferred or refused.
    public var signedTransaction: SignedTransaction? {
        guard case .purchased(_, let signed) = self else { return nil }
        return signed
    }

    /// Creates the outcome from the store's reply; nil for a signed transaction without a payload.
    init?(_ reply: PurchaseReply, _ payment: PaymentID) {
        switch reply {
        case .purchased(let signed, _):
            guard let transaction = signed.unverifiedPayload else { return nil }
            self = .purchased(transaction, signed: signed)
        case .deferred, .askToBuyConfirmationRequired: self = .deferred(payment)
        case .refused(let code, let message): self = .refused(code: code, message: message)
        }
    }
}

/// The offer that a purchase requests; an eligible customer gets an introductory offer without a request.
public enum StoreOffer: Hashable, Sendable {
    /// A promotional offer with this identifier, for which the store needs no signature.
    case promotional(String)
    /// An offer code with this reference name.
    case code(String)
    /// A win-back offer with this identifier.
    case winBack(String)

    var choice: OfferChoice {
        switch self {
        case .promotional(let id): OfferChoice(kind: .promotional, id: id)
        case .code(let id): OfferChoice(kind: .code, id: id)
        case .winBack(let id): OfferChoice(kind: .winBack, id: id)
        }
    }
}

extension Signed where Payload: Decodable {
    /// The payload, without a verification of the signature; nil if the text is not a JWS with such a payload.
    ///
    /// `UnverifiedJWS` also refuses ambiguous JSON, which matters for a device and not for the reply of the developer's own store. The module
    /// decodes the payload by itself, because `PurchaseProof` would add the cryptography of its verifiers to the client.
    var unverifiedPayload: Payload? {
        let parts = compact.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let text = parts[1].replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text + padding).flatMap { try? WireJSON.decode(Payload.self, from: $0) }
    }
}
