public import Foundation

/// The reason why a vault can't be opened or changed.
public enum VaultError: Error, Equatable, Sendable {
    /// The file was changed outside of the vault, or belongs to another app or device; reset the vault and restore the purchases.
    case tampered
    /// The file was replaced by an older copy; reset the vault and restore the purchases.
    case rolledBack
    /// The file was deleted; reset the vault and restore the purchases.
    case missing
    /// The signature of a purchase in the vault is refused; `reason` describes the cause.
    case unverified(reason: String)
    /// The verification of a purchase in the vault could not be completed, such as without a network that it needs; open the vault again
    /// later.
    case verificationUnavailable(reason: String)
    /// The balance is less than the amount to debit, or the amount is not positive.
    case insufficientBalance(Int64)
    /// A refund of spent credits has frozen the balance.
    case frozen
    /// The app's own value with this name has another type than the app expects.
    case value(name: String)
    /// A number of credits, or the number of the vault's writes, is out of range.
    case outOfRange
    /// The vault's file or the keychain can't be read or written.
    case storage(reason: String)
}

extension VaultError {
    /// Whether the contents of the vault can't be trusted, so that the app has to reset it and the person has to restore the purchases.
    public var requiresReset: Bool {
        switch self {
        case .tampered, .rolledBack, .missing, .unverified: true
        case .verificationUnavailable, .insufficientBalance, .frozen, .value, .outOfRange, .storage: false
        }
    }
}

extension VaultError: LocalizedError {
    /// The sentence that describes the error, for `localizedDescription`.
    public var errorDescription: String? { description }
}

extension VaultError: CustomStringConvertible {
    /// A sentence that describes the error, with a remedy.
    public var description: String {
        switch self {
        case .tampered:
            "The vault was changed by another program, or belongs to another app or device. Reset the vault and restore the purchases."
        case .rolledBack: "The vault was replaced by an older copy. Reset the vault and restore the purchases."
        case .missing: "The vault's file was deleted. Reset the vault and restore the purchases."
        case .unverified(let reason): "A purchase in the vault can't be verified (\(reason)). Reset the vault and restore the purchases."
        case .verificationUnavailable(let reason):
            "A purchase in the vault could not be verified now (\(reason)). Check the network connection, and try again."
        case .insufficientBalance(let balance): "The balance of \(balance) credits is not sufficient for this debit."
        case .frozen: "The balance is frozen, because a refund revoked spent credits. Contact support."
        case .value(let name): "The value \(name) in the vault can't be read. Update the app."
        case .outOfRange: "A number of credits, or the number of the vault's writes, is out of range."
        case .storage(let reason): "The vault can't be read or written: \(reason). Check the free space and the permissions."
        }
    }
}
