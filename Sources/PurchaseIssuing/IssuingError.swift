/// An error of signing or certifying.
package enum IssuingError: Error, Equatable, Sendable {
    /// The identifier is not a UUID; a receipt is bound to the 16 bytes of a device's UUID.
    case deviceIsNoUUID
    /// The text is not the archive of an authority.
    case notAnArchive
    /// The authority lacks the key: it was restored from an archive of an earlier version, or does not keep its root's key.
    case noKey
    /// The text is neither a host name in ASCII nor an address, or there is no host.
    case notAHost
    /// A receipt can't have the fault.
    case notForReceipts
}
