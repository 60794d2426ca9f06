/// Why something can't be signed.
package enum IssuingError: Error, Equatable, Sendable {
    /// A receipt is bound to the 16 bytes of a device's UUID, and this identifier is none.
    case deviceIsNoUUID
    /// The text is not the archive of an authority.
    case notAnArchive
    /// The authority comes from an archive of an earlier version, which had no key for this.
    case noKey
}
