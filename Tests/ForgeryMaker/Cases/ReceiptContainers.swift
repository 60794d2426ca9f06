import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import SwiftASN1

extension Workshop {
    /// Receipts whose container is not the one that receipts have.
    func receiptContainers() throws -> [Forgery] {
        [
            try .receipt(
                "no-signer", .refused(.malformed, at: "SignerInfo"), what: "The set of signers is empty.",
                why: "CMS allows it, and 'every signer's signature is right' is true of none."
            ) { try receipt { $0.signers = [] } },
            try .receipt(
                "hidden-second-signer", .refused(.malformed, at: "SignedData.signerInfos"),
                what: "A second signer, a stranger whose certificate is there too, signed as well.",
                why: "Code that checks one signer and shows another, or any of them, believes the stranger."
            ) {
                try receipt { container in
                    container.signers.append(try ReceiptIssuer(authority: stranger).signer(of: container.payload ?? []))
                    container.certificates?.append(try receiptChain(stranger)[0])
                }
            },
            try .receipt(
                "stranger-signed-first", .refused(.malformed, at: "SignedData.signerInfos"),
                what: "A stranger signed first and the genuine signer, with a wrong signature, second.",
                why: "The same, for code that looks at the chain of the last one."
            ) {
                try receipt { container in
                    container.signers.insert(try ReceiptIssuer(authority: stranger).signer(of: container.payload ?? []), at: 0)
                    container.certificates?.append(try receiptChain(stranger)[0])
                    container.signers[1].signature[0] ^= 1
                }
            },
            try .receipt(
                "signed-attributes", .refused(.malformed, at: "SignerInfo.signatureAlgorithm"),
                what: "Signed attributes carry the digest, and are what is signed: good CMS, and no receipt.",
                why: "With attributes the signature is over other bytes than the content, and two readers can believe two things."
            ) { try receipt { $0.signers = [try ReceiptIssuer(authority: store).signer(of: $0.payload ?? [], hasAttributes: true)] } },
            try .receipt(
                "attributes-of-other-content", .refused(.malformed, at: "SignerInfo.signatureAlgorithm"),
                what: "The signed attributes are genuine, but hold the digest of another content.",
                why: "Whoever checks the signature over the attributes and forgets to compare the digest believes any content."
            ) {
                let other = try ReceiptIssuer(authority: store).payload(of: Self.content)
                return try receipt { $0.signers = [try ReceiptIssuer(authority: store).signer(of: other, hasAttributes: true)] }
            },
            try .receipt(
                "attributes-as-content", .refused(.malformed, at: "receipt"),
                what: "The content is a set of signed attributes, and the signature is the one over them.",
                why: "Signed attributes and content look alike to a signature: one genuine signature would serve for both."
            ) {
                try receipt { container in
                    let signer = try ReceiptIssuer(authority: store).signer(of: container.payload ?? [], hasAttributes: true)
                    container.payload = signer.signedAttributes
                    container.signers = [signer]
                    container.signers[0].signedAttributes = nil
                }
            },
            try .receipt(
                "unsigned-attributes", .refused(.malformed, at: "SignerInfo"), what: "Unsigned attributes follow a genuine signature.",
                why: "Nobody vouches for them; readers that show them show what a stranger wrote, in a file that verifies."
            ) {
                try receipt { container in
                    let attribute = BER.element(
                        0x30, try BER.encoded([1, 2, 840, 113549, 1, 9, 3] as ASN1ObjectIdentifier) + [0x31, 0x00])
                    container.signers[0].unsignedAttributes = BER.element(0x31, attribute)
                }
            },
            try .receipt(
                "detached", .refused(.malformed, at: "SignedData.encapContentInfo.eContent"),
                what: "The content is missing; the signature is that of a content which travels apart.",
                why: "Code that then checks the signature over nothing, or over what the caller hands in, is led astray."
            ) { try receipt { $0.payload = nil } },
            try .receipt(
                "nested", .refused(.malformed, at: "SignedData.encapContentInfo.eContentType"),
                what: "The content is a whole genuine receipt, declared as signed data; the store signed that.",
                why: "Readers that unwrap until they find attributes check the inner or the outer signature, not both."
            ) {
                var container = try container(receipt())
                container.payloadType = [1, 2, 840, 113549, 1, 7, 2]
                return try container.encoded
            },
            try .receipt(
                "enveloped-type", .refused(.malformed, at: "ContentInfo.contentType"),
                what: "The container says that it is encrypted data.",
                why: "The type decides who reads it; what is not signed data has no signature."
            ) { try receipt { $0.contentType = [1, 2, 840, 113549, 1, 7, 3] } },
            try .receipt(
                "digest-names-differ", .refused(.malformed, at: "SignerInfo.digestAlgorithm"),
                what: "The list of digests says SHA-1 where the signer says SHA-256.",
                why: "The list is what streaming readers compute; the other is what they compare."
            ) { try receipt { $0.digests = [ReceiptDigest.sha1.identifier] } },
            try .receipt(
                "digest-sha512", .refused(.malformed, at: "SignerInfo.digestAlgorithm"), what: "Everything is right, with SHA-512.",
                why: "Strong, and never seen in a receipt: what the store does not do is not accepted until it does."
            ) { try container(digest: .sha512).encoded },
            try .receipt(
                "digest-md5", .refused(.malformed, at: "SignerInfo.digestAlgorithm"), what: "It names MD5 as its digest.",
                why: "Two contents with one MD5 are made in seconds: a signature over one is a signature over the other."
            ) {
                try receipt { container in
                    let md5: ASN1ObjectIdentifier = [1, 2, 840, 113549, 2, 5]
                    container.digests = [md5]
                    container.signers[0].digest = md5
                }
            },
            try .receipt(
                "algorithm-names-other-digest", .refused(.malformed, at: "SignerInfo.signatureAlgorithm"),
                what: "The algorithm of the signature is SHA-1 with RSA, beside the digest SHA-256.",
                why: "Which of the two counts depends on the reader."
            ) { try receipt { $0.signers[0].signatureAlgorithm = ReceiptDigest.sha1.signatureIdentifier } },
            try .receipt(
                "version-3", .refused(.malformed, at: "SignedData.version"), what: "The container has version 3.",
                why: "Version 3 has other fields in other places."
            ) { try receipt { $0.version = 3 } },
            try .receipt(
                "trailing-bytes", .refused(.malformed, at: "ContentInfo"), what: "Four bytes follow the end.",
                why: "Whoever keys receipts by their bytes takes one receipt for as many as somebody likes."
            ) { try receipt { $0.tail = [0, 0, 0, 0] } },
            try .receipt(
                "truncated", .refused(.malformed, at: "ContentInfo"), what: "The last hundred bytes are missing.",
                why: "A download that was cut off; reading past the end of memory is how parsers are broken into."
            ) { Array(try receipt().dropLast(100)) },
            try .receipt(
                "empty-file", .refused(.malformed, at: "ContentInfo"), what: "The file has no bytes.",
                why: "The first thing that happens when something else failed."
            ) { [] },
            try .receipt(
                "indefinite-without-end", .refused(.malformed, at: "SignedData"),
                what: "The lengths are indefinite and the zeros that would end them are missing.",
                why: "A reader that looks for the end finds it in somebody else's memory."
            ) { Array(try rawReceipt(layer: BER.indefinite) { _ in }.dropLast(6)) },
            try .receipt(
                "huge-length", .refused(.malformed, at: "ContentInfo"), what: "The first length claims 2^63 - 1 bytes.",
                why: "Adding it to a position overflows; converting it to a signed number makes it negative; allocating it ends the "
                    + "process."
            ) { [0x30, 0x88, 0x7F] + [UInt8](repeating: 0xFF, count: 7) + Array(try receipt().dropFirst(4)) },
            try .receipt(
                "deep-nesting", .refused(.tooLarge(limit: 16), at: "SignedData.encapContentInfo.eContent"),
                what: "The content lies in 200 constructed strings, each in the next.",
                why: "Readers that call themselves for each layer run out of stack."
            ) {
                try rawReceipt { container in
                    for _ in 0..<200 { container.string = BER.element(0x24, container.string) }
                }
            },
            try .receipt(
                "wrong-string-type", .refused(.malformed, at: "SignedData.encapContentInfo.eContent"),
                what: "The content is in a BIT STRING instead of an OCTET STRING.",
                why: "A bit string has a byte in front that is not content: readers differ by one byte on what is signed."
            ) { try rawReceipt { $0.string[0] = 0x03 } },
            try .receipt(
                "not-a-receipt", .refused(.malformed, at: "ContentInfo"), what: "It is a page of HTML that says 503.",
                why: "What a proxy sends in place of a receipt."
            ) { Array("<html><body><b>Http/1.1 Service Unavailable</b></body> </html>".utf8) },
        ]
    }
}
