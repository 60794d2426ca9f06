import Foundation
import MessageSignatures
import PurchaseModel
import PurchaseProof

/// One entry of the vault's log.
///
/// The file contains entries with a ``SignedProof``, and the open vault has those with a ``VerifiedProof``.
enum VaultEntry<Proof: Sendable>: Sendable {
    /// Begins the log of a vault that was created, compacted or reset.
    case began
    /// A signed transaction that the device holds; it determines entitlements and gives no credits by itself.
    case proof(Proof)
    /// The customer of the app to whom the following entries about the server's statements belong; nil for an app without customers.
    case customer(CustomerID?)
    /// The purchase of a transaction was delivered, and its credits are added.
    case delivered(TransactionID, [DeliveredCredits])
    /// The server's statement whether a purchase, named by its original transaction, belongs to the app's customer.
    case attributed(TransactionID, Bool)
    /// The purchases that the server listed last for the app's customer, by their original transactions.
    case listed([TransactionID])
    /// The server has the refund or the revocation of this transaction.
    case refundSubmitted(TransactionID)
    /// Credits were debited.
    case debited(VaultDebit)
    /// The server accepted or refused the debit with this idempotency key.
    case debitEnded(String, isAccepted: Bool)
    /// The server's balances.
    case statement(CreditStatement)
    /// A purchase that needs an approval or another action outside of the app.
    case pending(PendingPurchase)
    /// The purchase with this identifier is no longer pending.
    case pendingEnded(UUID)
    /// The content of a product is installed on the device.
    case content(ProductID, InstalledContent)
    /// The app's own data under a name.
    case value(String, Data)
    /// The server's latest lease.
    case lease(SignedLease)
    /// The customer's purchases were read completely.
    case checked(Timestamp)
    /// The latest date that a signature or the server has stated.
    case time(Timestamp)
}

extension VaultEntry: Codable where Proof: Codable {}

extension VaultEntry {
    /// The signed data of the entry; nil for an entry without it.
    var proof: Proof? {
        if case .proof(let proof) = self { proof } else { nil }
    }

    /// Returns the entry with another form of its proof; nil if the closure returns nil for the proof.
    func map<Other>(_ transform: (Proof) -> Other?) -> VaultEntry<Other>? {
        switch self {
        case .proof(let proof): transform(proof).map { .proof($0) }
        case .began: .began
        case .customer(let customer): .customer(customer)
        case .delivered(let id, let credits): .delivered(id, credits)
        case .attributed(let id, let isOwn): .attributed(id, isOwn)
        case .listed(let ids): .listed(ids)
        case .refundSubmitted(let id): .refundSubmitted(id)
        case .debited(let debit): .debited(debit)
        case .debitEnded(let key, let isAccepted): .debitEnded(key, isAccepted: isAccepted)
        case .statement(let statement): .statement(statement)
        case .pending(let purchase): .pending(purchase)
        case .pendingEnded(let id): .pendingEnded(id)
        case .content(let product, let content): .content(product, content)
        case .value(let name, let data): .value(name, data)
        case .lease(let lease): .lease(lease)
        case .checked(let date): .checked(date)
        case .time(let date): .time(date)
        }
    }
}

/// Signed data in the vault's file.
struct SignedProof: Codable, Sendable {
    var transaction: SignedTransaction
    var renewal: SignedRenewalInfo?
}

/// Verified signed data in the open vault.
struct VerifiedProof: Hashable, Sendable {
    var transaction: VerifiedTransaction
    var renewal: VerifiedRenewalInfo?

    init(transaction: VerifiedTransaction, renewal: VerifiedRenewalInfo? = nil) {
        self.transaction = transaction
        self.renewal = renewal
    }

    /// Verifies signed data.
    init(_ proof: SignedProof, verifier: SignedDataVerifier) async throws(VerificationFailure) {
        transaction = try await verifier.verify(proof.transaction)
        renewal = if let signed = proof.renewal { try await verifier.verify(signed) } else { nil }
    }

    var signed: SignedProof { SignedProof(transaction: transaction.original, renewal: renewal?.original) }

    /// The later of the dates of the signatures.
    var signedDate: Timestamp {
        max(transaction.payload.signedDate, renewal?.payload.signedDate ?? transaction.payload.signedDate)
    }

    var event: SignedEvent {
        SignedEvent(transaction: transaction.payload, renewal: renewal?.payload, source: "app")
    }

    /// Returns whether the proof states the same as another one, apart from the dates of the signatures and the device.
    func hasSameFacts(as other: VerifiedProof) -> Bool {
        transaction.payload.facts == other.transaction.payload.facts && renewal?.payload.facts == other.renewal?.payload.facts
    }
}

/// The credits of a delivered purchase.
struct DeliveredCredits: Codable, Hashable, Sendable {
    var currency: CurrencyID
    var amount: Int64
}

/// A debit of credits.
struct VaultDebit: Codable, Hashable, Sendable {
    /// The idempotency key.
    var key: String
    var currency: CurrencyID
    var amount: Int64
    /// Whether the server still has to accept the debit; false for a vault whose credits are on the device only.
    var isForServer: Bool
}

/// The customer's balances on the server.
struct CreditStatement: Codable, Hashable, Sendable {
    struct Balance: Codable, Hashable, Sendable {
        var amount: Int64
        var isFrozen: Bool
    }

    var balances: [CurrencyID: Balance]
}
