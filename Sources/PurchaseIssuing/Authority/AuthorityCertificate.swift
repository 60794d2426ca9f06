/// The leaf and intermediate certificates of a certificate authority, whose revocation status an ``OCSPResponder`` states.
package enum AuthorityCertificate: CaseIterable, Sendable {
    case receiptLeaf
    case receiptIntermediate
    case signedDataLeaf
    case signedDataIntermediate
}
