import PurchaseModel
import PurchaseProof

/// Why a transaction was not recorded.
enum TransactionRefusal: Error, Equatable {
    /// It could not be verified.
    case unverified(VerificationFailure)
    /// It names no customer, so nobody could be given anything.
    case noCustomer
    /// It is about a product that is not in the list.
    case unknownProduct(ProductID)
    /// Its quantity is outside of what the store sells.
    case quantity
}
