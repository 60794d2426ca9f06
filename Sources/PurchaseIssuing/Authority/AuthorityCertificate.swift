/// The certificates of an authority that somebody else than themselves vouches for.
package enum AuthorityCertificate: CaseIterable, Sendable {
    case receiptLeaf
    case receiptIntermediate
    case signedDataLeaf
    case signedDataIntermediate
}
