public import Foundation

/// The reason why a vault can't be opened or changed.
public enum VaultError: Error, Equatable, Sendable {
    /// The file was changed outside of the vault, or belongs to another app or device; reset the vault and restore the purchases.
    case tampered
    /// The keychain has no key for the file, as on a new device with a backup that was not encrypted; reset the vault, and restore the
    /// purchases or import an export.
    case missingKey
    /// The file was deleted; reset the vault and restore the purchases.
    case missing
    /// The file was written by another version of the app, which this version can't read; update the app.
    case unsupportedVersion
    /// The balance is less than the amount to debit, or the amount is not positive.
    case insufficientBalance(Int64)
    /// A refund of spent credits has frozen the balance.
    case frozen
    /// The vault was restored from a backup, and debits may be missing; see ``Purchases/resolveRestoredCredits(_:)``.
    case notReconciled
    /// The session of ``Purchases`` has ended, for example after a sign-out.
    case sessionEnded
    /// The app's own value with this name has a type other than the app expects.
    case value(name: String)
    /// A number of credits, or the number of the vault's writes, is out of range.
    case outOfRange
    /// The vault's file or the keychain can't be read or written.
    case storage(reason: String)
}

extension VaultError {
    /// Whether the app must reset the vault, because its contents can't be trusted; the person then restores the purchases.
    public var requiresReset: Bool {
        switch self {
        case .tampered, .missingKey, .missing: true
        case .unsupportedVersion, .insufficientBalance, .frozen, .notReconciled, .sessionEnded, .value, .outOfRange, .storage: false
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
        case .missingKey:
            """
            This device has no key for the vault, which came from another device with a backup that was not encrypted, or with one in \
            iCloud. Reset the vault, and restore the purchases or import an export.
            """
        case .missing: "The vault's file was deleted. Reset the vault and restore the purchases."
        case .unsupportedVersion: "The vault was written by another version of the app. Update the app."
        case .insufficientBalance(let balance): "The balance of \(balance) credits is not sufficient for this debit."
        case .frozen: "The balance is frozen, because a refund revoked spent credits. Contact support."
        case .notReconciled:
            "The vault was restored from a backup, and the balance is not confirmed yet. Connect to the network, and try again."
        case .sessionEnded: "The customer has changed, or the app has ended. Try again."
        case .value(let name): "The value \(name) in the vault can't be read. Update the app."
        case .outOfRange: "A number of credits, or the number of the vault's writes, is out of range."
        case .storage(let reason): "The vault can't be read or written: \(reason). Check the free space and the permissions."
        }
    }
}
