import Foundation
import MessageSignatures
import PurchaseModel
import PurchaseProof

/// One entry of the vault's log.
enum VaultEntry: Sendable {
    /// Begins the log of a vault that was created, compacted or reset.
    case began
    /// A signed transaction, which determines entitlements and adds no credits by itself.
    case proof(StoredProof)
    /// The customer of the app to whom the following entries with data from the server belong; nil for an app without customers.
    case customer(CustomerID?)
    /// The purchase of this transaction was delivered, and these credits were added.
    case delivered(TransactionID, [DeliveredCredits])
    /// Whether a purchase, identified by its original transaction, belongs to the app's customer according to the server.
    case attributed(TransactionID, Bool)
    /// The original transaction IDs of the purchases that the server listed last for the app's customer.
    case listed([TransactionID])
    /// The server has the refund or the revocation of this transaction.
    case refundSubmitted(TransactionID)
    /// A debit of credits, which the server may not have accepted yet.
    case debited(VaultDebit)
    /// The server accepted or refused the debit with this idempotency key.
    case debitEnded(String, isAccepted: Bool)
    /// The customer's balances according to the server.
    case statement(CreditStatement)
    /// A purchase that needs an approval or another action outside of the app.
    case pending(PendingPurchase)
    /// The purchase with this identifier is no longer pending.
    case pendingEnded(UUID)
    /// The content of a product is installed on the device.
    case content(ProductID, InstalledContent)
    /// The person's request about the content of a product; nil when the request has ended.
    case download(ProductID, DownloadRequest?)
    /// The app's own data under a name.
    case value(String, Data)
    /// The server's latest lease.
    case lease(SignedLease)
    /// The customer's purchases were read completely.
    case checked(Timestamp)
    /// The latest date that a signature or the server has stated.
    case time(Timestamp)
    /// The file was restored from a backup, and debits after the backup are missing.
    case restored
    /// The customer's balances were confirmed after the restore.
    case reconciled
    /// The original transaction IDs of the purchases that only an export assigns to the person, until the store's account is known.
    case unconfirmed([TransactionID])
    /// The original transaction IDs of imported purchases that belong to another App Store account.
    case foreign([TransactionID])
    /// The balances of the customer came from an export, and later debits are missing.
    case balancesImported
    /// The file came from another device, and the signatures before this entry were not verified on this device.
    case moved
    /// The signatures were verified after the move to this device; the value contains the original transactions of the refused purchases.
    case verified(refused: [TransactionID])
}

/// A person's request about the content of a product, which is kept for later app sessions.
enum DownloadRequest: UInt8, Sendable {
    /// Download the content of a purchase that was delivered without content.
    case requested = 1
    /// Do not download the content until the person resumes the download.
    case paused = 2
}

/// The credits of a delivered purchase.
struct DeliveredCredits: Codable, Hashable, Sendable {
    var currency: CurrencyID
    var amount: Int64
}

struct VaultDebit: Codable, Hashable, Sendable {
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
