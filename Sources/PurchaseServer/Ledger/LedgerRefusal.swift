import HTTPTypes
import Wire
import WireServer

/// The reason why the server refuses a debit, a grant or a request for a statement; nothing was posted.
enum LedgerRefusal: Error, Hashable {
    /// The amount is not from 1 to 1,000,000,000, or the balance would exceed 64 bits.
    case amount
    /// The idempotency key is empty, longer than 100 bytes, or contains a control character.
    case key
    /// The currency is empty or longer than 100 bytes.
    case currency
    /// No product gives credits in the currency of a grant, and the configuration does not declare the currency.
    case currencyUnknown(UnknownName)
    /// The page of a statement has an invalid limit or position.
    case page
    /// The idempotency key was used before with another amount.
    case keyReused
    /// The balance is less than the amount of a debit; `balance` is negative if a refund revoked spent credits.
    case insufficient(balance: Int64)
    /// A refund of spent credits has frozen the balance.
    case frozen
}

extension LedgerRefusal: WireRefusal {
    var status: HTTPResponse.Status {
        switch self {
        case .amount, .key, .currency, .currencyUnknown, .page: .badRequest
        case .keyReused, .insufficient, .frozen: .conflict
        }
    }

    var wireError: WireError {
        switch self {
        case .amount:
            WireError(code: "debit.amount", message: "The amount must be from 1 to 1000000000 credits.")
        case .key:
            WireError(
                code: "idempotency-key.malformed", message: "The idempotency key must have 1 to 100 bytes without control characters.")
        case .currency:
            WireError(code: "currency.malformed", message: "The currency must have 1 to 100 bytes.")
        case .currencyUnknown(let unknown):
            WireError(
                code: "currency.unknown",
                message: "No product gives credits in the currency \"\(unknown.name)\". The most similar name is "
                    + "\"\(unknown.nearest)\". Correct the name, or list the name in the key currencies of the server's configuration.")
        case .page:
            WireError(code: "statement.page", message: "Set limit from 1 to 200, and before to the nextBefore of the previous page.")
        case .keyReused:
            WireError(
                code: "idempotency-key.reused",
                message: "This idempotency key was used with another amount. Use a new key for each debit or grant.")
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
