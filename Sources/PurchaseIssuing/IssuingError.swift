/// An error of signing or certifying.
package enum IssuingError: Error, Equatable, Sendable {
    /// The identifier is not a UUID; a receipt is bound to the 16 bytes of a device's UUID.
    case deviceIsNotUUID
    /// The text is not the archive of an authority.
    case invalidArchive
    /// The authority lacks the key: it was restored from an archive of an earlier version, or does not keep its root's key.
    case missingKey
    /// The text is neither a host name in ASCII nor an address, or there is no host.
    case invalidHost
    /// A receipt cannot have the fault.
    case unsupportedForReceipts
}
