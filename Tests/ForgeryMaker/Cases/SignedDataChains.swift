import CryptoExtras
import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import X509

extension ForgeryFactory {
    /// JWS whose certificates are not a chain that may sign.
    func signedDataChains() throws -> [Forgery] {
        let place = "header.x5c"
        return [
            try .jws(
                "stranger", .refused(.untrustedRoot, at: place), what: "A foreign authority with all markers signed the JWS.",
                why: "A verifier that trusts the root in the header accepts any signer."
            ) { try sign(transaction(), by: stranger, ownRoot: true) },
            try .jws(
                "own-root-same-names", .refused(.untrustedRoot, at: place),
                what: "The three certificates of a foreign chain have the store's names.",
                why: "A name does not prove a key."
            ) { try sign(transaction(), by: impostor, ownRoot: true) },
            try .jws(
                "genuine-root-pasted", .refused(.chain, at: "\(place)[1]"),
                what: "A foreign leaf and intermediate have the store's names, and precede the store's genuine root.",
                why: "Comparing the last certificate with the pinned root does not verify the first one."
            ) { try sign(transaction(), by: impostor) },
            try .jws(
                "strangers-leaf", .refused(.chain, at: "\(place)[0]"),
                what: "The leaf names the genuine intermediate as the issuer, but the intermediate's key did not sign it.",
                why: "Verifying only the chain above the leaf and the signature below it leaves the leaf unverified."
            ) { try sign(transaction(), by: defective(.leafSignedByUnknownIssuer)) },
            try .jws(
                "strangers-intermediate", .refused(.chain, at: "\(place)[1]"),
                what: "The intermediate has the genuine name, but the root did not sign it.",
                why: "Verifying only the link below the intermediate leaves the intermediate unverified."
            ) { try sign(transaction(), by: defective(.intermediateSignedByUnknownIssuer)) },
            try .jws(
                "no-leaf-marker", .refused(.marker, at: "\(place)[0]"), what: "The leaf lacks the marker for purchases.",
                why: "The same root issues the certificates of all developers."
            ) { try sign(transaction(), by: defective(.leafWithoutMarker)) },
            try .jws(
                "no-intermediate-marker", .refused(.marker, at: "\(place)[1]"), what: "The intermediate lacks its marker.",
                why: "The root has other intermediates."
            ) { try sign(transaction(), by: defective(.intermediateWithoutMarker)) },
            try .jws(
                "leaf-in-place-of-intermediate", .refused(.chain, at: "\(place)[1]"),
                what: "A genuine leaf replaces the intermediate, and issued the leaf that signed the JWS.",
                why: "All three certificates are linked by signatures, but the middle one is not a CA."
            ) {
                let chain = try signedDataChain(store)
                let evil = try certificate(
                    like: signedDataChain(stranger)[0], for: .init(strangersKeys.signedDataLeaf.publicKey), by: chain[0],
                    key: .init(keys.signedDataLeaf)
                )
                return try sign(
                    transaction(), header: { $0.certificates = [evil, chain[0], chain[2]] },
                    signature: { Array(try strangersKeys.signedDataLeaf.signature(for: Data($0)).rawRepresentation) }
                )
            },
            try .jws(
                "leaf-may-not-sign", .refused(.chain, at: "\(place)[0]"), what: "The leaf's key is for encryption, not for signatures.",
                why: "A key for one purpose must not serve another."
            ) { try sign(transaction(), by: defective(.leafWithoutDigitalSignature)) },
            try .jws(
                "leaf-expired", .refused(.validity, at: "\(place)[0]"), what: "The leaf expired the day before the signing date.",
                why: "Otherwise, a key that leaks after expiration could sign forever."
            ) { try sign(transaction(), by: defective(.expiredLeaf)) },
            try .jws(
                "leaf-not-yet-valid", .refused(.validity, at: "\(place)[0]"),
                what: "The leaf became valid the day after the signing date, and is valid today.",
                why: "A verifier that uses the current date accepts backdated data."
            ) { try sign(transaction(), by: defective(.notYetValidLeaf)) },
            try .jws(
                "root-expired", .refused(.validity, at: "\(place)[2]"),
                what: "The trusted root expired the day before the signing date.",
                why: "The key of an expired root may no longer be protected."
            ) { try sign(transaction(), by: expired, ownRoot: true) }.withVerification { $0.roots = [RootName.expiredSignedData] },
            try .jws(
                "leaf-p384", .refused(.signature, at: "signature"),
                what: "The leaf has a P-384 key. The header has ES256, and the signature has 64 bytes.",
                why: "The key determines the curve, which must match the header."
            ) {
                try sign(
                    transaction(), by: defective(.p384SignedDataLeaf), header: { $0.algorithm = "ES256" },
                    signature: { Array(try ecdsa($0).rawRepresentation) }
                )
            },
            try .jws(
                "x5c-missing", .refused(.malformed, at: place), what: "The header has no certificates.",
                why: "Some code skips verification when there are no certificates."
            ) { try transactionHeaded { $0.certificates = nil } },
            try .jws(
                "x5c-empty", .refused(.chain, at: place), what: "The list of certificates is empty.",
                why: "Code that checks only the presence of the list skips verification."
            ) { try transactionHeaded { $0.certificates = [] } },
            try .jws(
                "x5c-leaf-only", .refused(.chain, at: place), what: "The list has only the genuine leaf.",
                why: "Only Xcode's JWS have a single certificate. All others must have three."
            ) { try transactionHeaded { $0.certificates = [try signedDataChain(store)[0]] } },
            try .jws(
                "x5c-two", .refused(.chain, at: place), what: "The root is missing.",
                why: "Apple sends three certificates, and Apple's libraries require three."
            ) { try transactionHeaded { $0.certificates?.removeLast() } },
            try .jws(
                "x5c-four", .refused(.chain, at: place), what: "The chain has a second intermediate.",
                why: "In a longer chain, an intermediate could issue other intermediates."
            ) { try sign(transaction(), by: defective(.twoIntermediates)) },
            try .jws(
                "x5c-reversed", .refused(.chain, at: "\(place)[0]"),
                what: "The genuine certificates have the order root, intermediate, leaf.",
                why: "The first certificate in x5c is the signer's. Another order names another signer."
            ) { try transactionHeaded { $0.certificates?.reverse() } },
            try .jws(
                "x5c-base64url", .refused(.malformed, at: "\(place)[0]"), what: "The certificates are in base64url without padding.",
                why: "The certificates of a JWS are in standard base64. A verifier accepts one encoding only."
            ) {
                let chain = try signedDataChain(store).map { Base64URL.encode($0) }
                return try transaction(x5c: json(chain))
            },
            try .jws(
                "x5c-pem", .refused(.malformed, at: "\(place)[0]"), what: "The certificates are in PEM, with header lines and line breaks.",
                why: "A decoder that skips unknown characters accepts PEM and any other encoding."
            ) { try transaction(x5c: json(signedDataChain(store).map { pem($0) })) },
            try .jws(
                "x5c-numbers", .refused(.malformed, at: "\(place)[0]"), what: "The list has numbers instead of strings.",
                why: "Code that casts without a type check crashes."
            ) { try transaction(x5c: "[1,2,3]") },
            try .jws(
                "xcode-not-accepted", .refused(.untrustedRoot, at: place),
                what: "A JWS in Xcode's form with a certificate that is not configured, where Xcode's environment is accepted.",
                why: "Anyone can create such a certificate. Apple's libraries verify no signature in this environment."
            ) { try xcodeJWS(by: xcode) }.withVerification { $0.environments = ["Sandbox", "Xcode"] },
            try .jws(
                "xcode-other-certificate", .refused(.chain, at: "\(place)[0]"),
                what: "The certificate has the names of the configured Xcode certificate and another key.",
                why: "Only the configured certificate is trusted, not every certificate with its names."
            ) { try xcodeJWS(by: xcodeImpostor) }.withVerification {
                ($0.roots, $0.environments) = ([RootName.xcodeSignedData], ["Xcode"])
            },
            try .jws(
                "xcode-changed-payload", .refused(.signature, at: "signature"),
                what: "The quantity in a JWS of the configured Xcode certificate was changed after signing.",
                why: "Tests must fail for data that fails in production."
            ) {
                let parts = try xcodeJWS(by: xcode).split(separator: ".").map(String.init)
                let changed = try json(TransactionPayload.sample(quantity: 9, environment: .xcode))
                return [parts[0], Base64URL.encode(Array(changed.utf8)), parts[2]].joined(separator: ".")
            }.withVerification { ($0.roots, $0.environments) = ([RootName.xcodeSignedData], ["Xcode"]) },
            try .jws(
                "xcode-claims-sandbox", .refused(.chain, at: place),
                what: "The configured Xcode certificate signed a JWS that claims the sandbox.",
                why: "A certificate for local tests must not count in the sandbox."
            ) { try xcodeJWS(by: xcode, environment: .sandbox) }.withVerification {
                ($0.roots, $0.environments) = ([RootName.signedData, RootName.xcodeSignedData], ["Sandbox", "Xcode"])
            },
        ]
    }
}
