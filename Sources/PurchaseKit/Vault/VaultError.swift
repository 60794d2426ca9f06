/// The error of a vault that can't be opened or changed.
public enum VaultError: Error, Equatable, Sendable {
    /// The file was changed outside of the vault, or belongs to another app or device; reset the vault and restore the purchases.
    case tampered
    /// The file was replaced by an older copy; reset the vault and restore the purchases.
    case rolledBack
    /// The file was deleted; reset the vault and restore the purchases.
    case missing
    /// A purchase in the vault can't be verified.
    case unproven(reason: String)
    /// The balance is less than the requested debit.
    case tooFewCredits(balance: Int)
    /// A number of credits, or the vault's generation, is out of range.
    case outOfRange
    /// The file system failed.
    case storage(reason: String)
}

extension VaultError: CustomStringConvertible {
    /// A sentence that describes the error, with a remedy.
    public var description: String {
        switch self {
        case .tampered:
            "The vault was changed by another program, or belongs to another app or device. Reset the vault and restore the purchases."
        case .rolledBack: "The vault was replaced by an older copy. Reset the vault and restore the purchases."
        case .missing: "The vault's file was deleted. Reset the vault and restore the purchases."
        case .unproven(let reason): "A purchase in the vault can't be verified (\(reason)). Reset the vault and restore the purchases."
        case .tooFewCredits(let balance): "The balance of \(balance) credits is not sufficient."
        case .outOfRange: "A number of credits, or the vault's generation, is out of range."
        case .storage(let reason): "The vault can't be used: \(reason)."
        }
    }
}
