/// An error of issuing receipts, signed data or certificates.
package enum IssuingError: Error, Equatable, Sendable {
    /// The device identifier of a receipt's content is not a UUID, whose 16 bytes the receipt's device hash covers.
    case deviceIsNotUUID
    /// A text is not the archive of a certificate authority, or the archive is damaged.
    case invalidArchive
    /// The certificate authority lacks a required key, because it was restored from an archive of an earlier version, or because an
    /// authority of its kind does not keep the keys of its roots.
    case missingKey
    /// The hosts for a TLS certificate are empty, or one of them is neither a host name in ASCII nor an IP address.
    case invalidHost
    /// The requested ``SigningFault`` cannot occur in a receipt.
    case unsupportedForReceipts
}
