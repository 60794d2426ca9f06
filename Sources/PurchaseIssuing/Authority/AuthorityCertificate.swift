/// The certificates of an authority that are not self-signed.
package enum AuthorityCertificate: CaseIterable, Sendable {
    case receiptLeaf
    case receiptIntermediate
    case signedDataLeaf
    case signedDataIntermediate
}
