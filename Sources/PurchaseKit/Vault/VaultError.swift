/// Why a vault can't be opened or changed.
public enum VaultError: Error, Equatable, Sendable {
    /// The file was changed by somebody else, or was made for another app or device. Nothing in it counts; restore the purchases.
    case tampered
    /// The file is older than the last one written: somebody put an old copy back. Nothing in it counts; restore the purchases.
    case rolledBack
    /// The file is gone although there was one. Restore the purchases.
    case missing
    /// A purchase in the vault is not vouched for by a trusted store.
    case unproven(reason: String)
    /// There are not as many credits as should be spent.
    case tooFewCredits(balance: Int)
    /// A number does not fit.
    case outOfRange
    /// The file system failed.
    case storage(reason: String)
}

extension VaultError: CustomStringConvertible {
    /// What happened, and what to do next.
    public var description: String {
        switch self {
        case .tampered: "The vault was changed from outside, or belongs to another device. Start anew and restore the purchases."
        case .rolledBack: "The vault was replaced by an older copy. Start anew and restore the purchases."
        case .missing: "The vault is gone. Start anew and restore the purchases."
        case .unproven(let reason): "A purchase in the vault is not proven (\(reason)). Start anew and restore the purchases."
        case .tooFewCredits(let balance): "Only \(balance) credits are left."
        case .outOfRange: "A number of credits is out of range."
        case .storage(let reason): "The vault can't be used: \(reason)."
        }
    }
}
