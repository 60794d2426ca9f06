import HTTPTypes
import PurchaseModel
import Wire
import WireServer

/// An error of an operation with an account or with a sign-in.
enum AccountError: StoreRefusal {
    /// The account does not exist, or the password is wrong.
    case signInRefused
    /// The request has no valid sign-in token of this store.
    case signedOut
    /// An account with the requested name exists, but its password or its Ask to Buy setting differs.
    case taken
    /// The account does not exist.
    case unknown
    /// The account can't be removed, because other accounts have purchases that it shared through Family Sharing.
    case shared

    var status: HTTPResponse.Status {
        switch self {
        case .signInRefused, .signedOut: .unauthorized
        case .taken, .shared: .conflict
        case .unknown: .notFound
        }
    }

    var wireError: WireError {
        switch self {
        case .signInRefused:
            WireError(code: "account.sign-in-refused", message: "The account does not exist, or the password is wrong.")
        case .signedOut:
            WireError(code: "account.signed-out", message: "The sign-in token is missing or invalid; sign in first.")
        case .taken:
            WireError(
                code: "account.taken", message: "An account with this name and a different configuration exists; choose another name.")
        case .shared:
            WireError(
                code: "account.shared",
                message: "Other accounts have purchases that this account shared. Remove these accounts first.")
        case .unknown:
            WireError(code: "account.unknown", message: "The account does not exist; create the account first.")
        }
    }
}
