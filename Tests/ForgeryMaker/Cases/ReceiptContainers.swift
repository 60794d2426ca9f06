import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import SwiftASN1

extension ForgeryFactory {
    /// Receipts whose container is not the one that receipts have.
    func receiptContainers() throws -> [Forgery] {
        [
            try .receipt(
                "no-signer", .refused(.malformed, at: "SignerInfo"), what: "The set of signers is empty.",
                why: "CMS allows an empty set, for which the statement 'every signature is valid' is true."
            ) { try receipt { $0.signers = [] } },
            try .receipt(
                "hidden-second-signer", .refused(.malformed, at: "SignedData.signerInfos"),
                what: "A second, foreign signer signed the receipt, too, and its certificate is included.",
                why: "Code that verifies any signer, or verifies one and reports another, trusts the foreign signer."
            ) {
                try receipt { container in
                    container.signers.append(try ReceiptIssuer(authority: stranger).signerInfo(of: container.payload ?? []))
                    container.certificates?.append(try receiptChain(stranger)[0])
                }
            },
            try .receipt(
                "stranger-signed-first", .refused(.malformed, at: "SignedData.signerInfos"),
                what: "A foreign signer is first. The genuine signer, with an invalid signature, is second.",
                why: "Code that verifies only the chain of the last signer accepts the receipt."
            ) {
                try receipt { container in
                    container.signers.insert(try ReceiptIssuer(authority: stranger).signerInfo(of: container.payload ?? []), at: 0)
                    container.certificates?.append(try receiptChain(stranger)[0])
                    container.signers[1].signature[0] ^= 1
                }
            },
            try .receipt(
                "signed-attributes", .refused(.malformed, at: "SignerInfo.signatureAlgorithm"),
                what: "The signature covers signed attributes with the digest. This is valid CMS, but receipts have no signed attributes.",
                why: "With attributes, the signature covers other bytes than the content, and two parsers can disagree about them."
            ) { try receipt { $0.signers = [try ReceiptIssuer(authority: store).signerInfo(of: $0.payload ?? [], hasAttributes: true)] } },
            try .receipt(
                "attributes-of-other-content", .refused(.malformed, at: "SignerInfo.signatureAlgorithm"),
                what: "The signed attributes are genuine, but have the digest of other content.",
                why: "Code that verifies the signature over the attributes and does not compare the digest accepts any content."
            ) {
                let other = try ReceiptIssuer(authority: store).payload(of: Self.content)
                return try receipt { $0.signers = [try ReceiptIssuer(authority: store).signerInfo(of: other, hasAttributes: true)] }
            },
            try .receipt(
                "attributes-as-content", .refused(.malformed, at: "receipt"),
                what: "The content is a set of signed attributes, and the signature is the one over these attributes.",
                why: "A signature does not distinguish attributes from content, so one genuine signature would be valid for both."
            ) {
                try receipt { container in
                    let signer = try ReceiptIssuer(authority: store).signerInfo(of: container.payload ?? [], hasAttributes: true)
                    container.payload = signer.signedAttributes
                    container.signers = [signer]
                    container.signers[0].signedAttributes = nil
                }
            },
            try .receipt(
                "unsigned-attributes", .refused(.malformed, at: "SignerInfo"), what: "Unsigned attributes follow a genuine signature.",
                why: "No signature covers unsigned attributes. Code that shows them shows an attacker's data from a verified file."
            ) {
                try receipt { container in
                    let attribute = BER.element(
                        0x30, try BER.encoded([1, 2, 840, 113549, 1, 9, 3] as ASN1ObjectIdentifier) + [0x31, 0x00])
                    container.signers[0].unsignedAttributes = BER.element(0x31, attribute)
                }
            },
            try .receipt(
                "detached", .refused(.malformed, at: "SignedData.encapContentInfo.eContent"),
                what: "The content is missing. The signature is that of detached content.",
                why: "Code that then verifies the signature over empty or supplied content is misled."
            ) { try receipt { $0.payload = nil } },
            try .receipt(
                "nested", .refused(.malformed, at: "SignedData.encapContentInfo.eContentType"),
                what: "The content is a whole genuine receipt, declared as signed data. The store signed the outer container.",
                why: "Code that unwraps until it finds attributes verifies the inner or the outer signature, but not both."
            ) {
                var container = try container(receipt())
                container.payloadType = [1, 2, 840, 113549, 1, 7, 2]
                return try container.encoded
            },
            try .receipt(
                "enveloped-type", .refused(.malformed, at: "ContentInfo.contentType"),
                what: "The container states the type of encrypted data.",
                why: "Only signed data has a signature."
            ) { try receipt { $0.contentType = [1, 2, 840, 113549, 1, 7, 3] } },
            try .receipt(
                "digest-names-differ", .refused(.malformed, at: "SignerInfo.digestAlgorithm"),
                what: "The list of digests has SHA-1, and the signer has SHA-256.",
                why: "A streaming parser computes the digests of the list, and compares that of the signer."
            ) { try receipt { $0.digests = [ReceiptDigest.sha1.identifier] } },
            try .receipt(
                "digest-sha512", .refused(.malformed, at: "SignerInfo.digestAlgorithm"), what: "The receipt is valid, but uses SHA-512.",
                why: "SHA-512 is strong, but no receipt uses it. A verifier accepts only the algorithms that the store uses."
            ) { try container(digest: .sha512).encoded },
            try .receipt(
                "digest-md5", .refused(.malformed, at: "SignerInfo.digestAlgorithm"), what: "The receipt names MD5 as the digest.",
                why: "An MD5 collision takes seconds to compute: a signature over one content is valid for the other."
            ) {
                try receipt { container in
                    let md5: ASN1ObjectIdentifier = [1, 2, 840, 113549, 2, 5]
                    container.digests = [md5]
                    container.signers[0].digest = md5
                }
            },
            try .receipt(
                "algorithm-names-other-digest", .refused(.malformed, at: "SignerInfo.signatureAlgorithm"),
                what: "The signature algorithm is SHA-1 with RSA, and the digest is SHA-256.",
                why: "The parser decides which of the two applies."
            ) { try receipt { $0.signers[0].signatureAlgorithm = ReceiptDigest.sha1.signatureIdentifier } },
            try .receipt(
                "version-3", .refused(.malformed, at: "SignedData.version"), what: "The container has version 3.",
                why: "Version 3 has other fields in other positions."
            ) { try receipt { $0.version = 3 } },
            try .receipt(
                "trailing-bytes", .refused(.malformed, at: "ContentInfo"), what: "Four bytes follow the end of the container.",
                why: "Code that identifies receipts by their bytes counts one receipt any number of times."
            ) { try receipt { $0.tail = [0, 0, 0, 0] } },
            try .receipt(
                "truncated", .refused(.malformed, at: "ContentInfo"), what: "The last hundred bytes are missing.",
                why: "A parser that reads past the end of an interrupted download is vulnerable."
            ) { Array(try receipt().dropLast(100)) },
            try .receipt(
                "empty-file", .refused(.malformed, at: "ContentInfo"), what: "The file has no bytes.",
                why: "An empty file is a common result of an earlier failure."
            ) { [] },
            try .receipt(
                "indefinite-without-end", .refused(.malformed, at: "SignedData"),
                what: "The lengths are indefinite, and the zeros at the end are missing.",
                why: "A parser that searches for the end reads other memory."
            ) { Array(try rawReceipt(layer: BER.indefinite) { _ in }.dropLast(6)) },
            try .receipt(
                "huge-length", .refused(.malformed, at: "ContentInfo"), what: "The first length claims 2^63 - 1 bytes.",
                why: "Adding the length to a position overflows, a signed conversion is negative, and an allocation ends the process."
            ) { [0x30, 0x88, 0x7F] + [UInt8](repeating: 0xFF, count: 7) + Array(try receipt().dropFirst(4)) },
            try .receipt(
                "deep-nesting", .refused(.tooLarge(limit: 16), at: "SignedData.encapContentInfo.eContent"),
                what: "The content is nested in 200 constructed strings.",
                why: "A recursive parser exhausts the stack."
            ) {
                try rawReceipt { container in
                    for _ in 0..<200 { container.string = BER.element(0x24, container.string) }
                }
            },
            try .receipt(
                "wrong-string-type", .refused(.malformed, at: "SignedData.encapContentInfo.eContent"),
                what: "The content is in a BIT STRING instead of an OCTET STRING.",
                why: "A BIT STRING starts with a byte that is not content, so parsers disagree about the signed bytes."
            ) { try rawReceipt { $0.string[0] = 0x03 } },
            try .receipt(
                "not-a-receipt", .refused(.malformed, at: "ContentInfo"), what: "The file is an HTML page with the status 503.",
                why: "A proxy may send such a page in place of a receipt."
            ) { Array("<html><body><b>Http/1.1 Service Unavailable</b></body> </html>".utf8) },
        ]
    }
}
