/// Why something can't be signed.
package enum IssuingError: Error, Equatable, Sendable {
    /// A receipt is bound to the 16 bytes of a device's UUID, and this identifier is none.
    case deviceIsNoUUID
    /// The text is not the archive of an authority.
    case notAnArchive
    /// The authority has no key for this: it comes from an archive of an earlier version, or does not keep its root's key.
    case noKey
    /// The text is neither a host's name in ASCII nor an address, or there is none.
    case notAHost
    /// Receipts can't have that fault.
    case notForReceipts
}
