import HTTPTypes
import PurchaseModel
import Wire
import WireServer

/// An error of the import of a store or of a transaction history.
enum ImportError: StoreRefusal {
    /// The uploaded file is not a valid database of a store.
    case invalidStoreFile(StoreFileDefect)
    /// The transaction history that an account should import is invalid.
    case invalidHistory(HistoryImportError)

    var status: HTTPResponse.Status { .badRequest }

    var wireError: WireError {
        switch self {
        case .invalidStoreFile(let refusal):
            WireError(code: "store.invalid-file", message: refusal.message)
        case .invalidHistory(let refusal):
            WireError(code: "history.invalid", message: refusal.message)
        }
    }
}
