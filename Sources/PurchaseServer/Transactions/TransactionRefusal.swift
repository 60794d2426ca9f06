import PurchaseModel
import PurchaseProof

/// The refusal of a transaction.
enum TransactionRefusal: Error, Equatable {
    /// The transaction is not verified.
    case unverified(VerificationFailure)
    /// The transaction has no customer who could receive the credits.
    case noCustomer
    /// The product of the transaction is not in the catalog.
    case unknownProduct(ProductID)
    /// The quantity is outside the range that the store permits.
    case quantity
}
