import PurchaseModel
import PurchaseProof

/// The reason why the server refuses a signed transaction.
enum TransactionRefusal: Error, Equatable {
    /// The verification of the transaction failed.
    case unverified(VerificationFailure)
    /// The transaction has no valid `appAccountToken`, so no customer can receive the credits.
    case noCustomer
    /// The product of the transaction is not in the server's catalog.
    case unknownProduct(ProductID)
    /// The quantity is not from 1 to 10, or the credits overflow.
    case quantity
}
