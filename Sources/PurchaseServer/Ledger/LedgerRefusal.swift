import HTTPTypes
import PurchaseProtocol
import WireServer

/// The reason why the server refuses a debit; nothing was debited.
enum LedgerRefusal: Error, Equatable {
    /// The amount is not positive.
    case amount
    /// The idempotency key was used before for a debit of another amount.
    case keyReused
    /// The balance, the associated value, is less than the amount; it is negative if a refund revoked spent credits.
    case insufficient(balance: Int64)
    /// A refund of spent credits has frozen the balance.
    case frozen
}

extension LedgerRefusal: WireRefusal {
    var status: HTTPResponse.Status {
        switch self {
        case .amount: .badRequest
        case .keyReused, .insufficient, .frozen: .conflict
        }
    }

    var wireError: WireError {
        switch self {
        case .amount:
            WireError(code: "spending.amount", message: "The amount must be at least 1 credit.")
        case .keyReused:
            WireError(code: "spending.reused", message: "This idempotency key was used with another amount. Use a new key for each debit.")
        case .insufficient(let balance) where balance < 0:
            WireError(
                code: "balance.too-small",
                message: "The balance is \(balance) credits, because a refund revoked spent credits. Nothing was debited.")
        case .insufficient(let balance):
            WireError(code: "balance.too-small", message: "The balance is only \(balance) credits. Nothing was debited.")
        case .frozen:
            WireError(
                code: "balance.frozen",
                message: "The balance is frozen, because a refund revoked spent credits. A backend can lift the freeze.")
        }
    }
}
