import CryptoExtras
import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import X509

extension Workshop {
    /// JWS whose certificates are not a chain that may sign.
    func signedDataChains() throws -> [Forgery] {
        let place = "header.x5c"
        return [
            try .jws(
                "stranger", .refused(.untrustedRoot, at: place), what: "A stranger's authority signed it, with markers and all.",
                why: "A verifier that takes the root from the header believes anybody."
            ) { try sign(transaction(), by: stranger, ownRoot: true) },
            try .jws(
                "own-root-same-names", .refused(.untrustedRoot, at: place),
                what: "A stranger's chain whose three certificates have the store's names.",
                why: "Names are not keys."
            ) { try sign(transaction(), by: impostor, ownRoot: true) },
            try .jws(
                "genuine-root-pasted", .refused(.chain, at: "\(place)[1]"),
                what: "A stranger's leaf and intermediate with the store's names, and the store's genuine root behind them.",
                why: "Looking whether the last certificate is the pinned one says nothing about the first."
            ) { try sign(transaction(), by: impostor) },
            try .jws(
                "strangers-leaf", .refused(.chain, at: "\(place)[0]"),
                what: "Intermediate and root are genuine; the leaf names the intermediate, whose key did not sign it.",
                why: "Checking the chain above the leaf and the signature below it leaves a hole in the middle."
            ) { try sign(transaction(), by: defective(.strangersLeaf)) },
            try .jws(
                "strangers-intermediate", .refused(.chain, at: "\(place)[1]"),
                what: "The intermediate has the right name, and somebody else than the root signed it.",
                why: "The same, a step higher."
            ) { try sign(transaction(), by: defective(.strangersIntermediate)) },
            try .jws(
                "no-leaf-marker", .refused(.marker, at: "\(place)[0]"), what: "The leaf lacks the marker for purchases.",
                why: "Under the same root hang the certificates of every developer."
            ) { try sign(transaction(), by: defective(.noLeafMarker)) },
            try .jws(
                "no-intermediate-marker", .refused(.marker, at: "\(place)[1]"), what: "The intermediate lacks its marker.",
                why: "The root has other intermediates."
            ) { try sign(transaction(), by: defective(.noIntermediateMarker)) },
            try .jws(
                "leaf-in-place-of-intermediate", .refused(.chain, at: "\(place)[1]"),
                what: "A genuine leaf certified another leaf, which signed; it stands where the intermediate should.",
                why: "Three certificates, all links signed, and the middle one is no authority."
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
                why: "A key for one thing must not do for another."
            ) { try sign(transaction(), by: defective(.leafMayNotSign)) },
            try .jws(
                "leaf-expired", .refused(.validity, at: "\(place)[0]"), what: "The leaf expired the day before the date of signing.",
                why: "A key that leaked after its time would sign for ever."
            ) { try sign(transaction(), by: defective(.expiredLeaf)) },
            try .jws(
                "leaf-not-yet-valid", .refused(.validity, at: "\(place)[0]"),
                what: "The leaf became valid the day after the date of signing; today it is valid.",
                why: "Whoever judges by today's date misses data that was dated back."
            ) { try sign(transaction(), by: defective(.notYetValidLeaf)) },
            try .jws(
                "root-expired", .refused(.validity, at: "\(place)[2]"),
                what: "The trusted root itself had expired the day before the date of signing.",
                why: "A root's end is the promise of when its key may be given up."
            ) { try sign(transaction(), by: expired, ownRoot: true) }.asking { $0.roots = [RootName.expiredSignedData] },
            try .jws(
                "leaf-p384", .refused(.signature, at: "signature"),
                what: "The leaf has a P-384 key; the header says ES256, and 64 bytes of its signature are there.",
                why: "Which curve counts must follow from the key and agree with the header."
            ) {
                try sign(
                    transaction(), by: defective(.p384SignedDataLeaf), header: { $0.algorithm = "ES256" },
                    signature: { Array(try ecdsa($0).rawRepresentation) }
                )
            },
            try .jws(
                "x5c-missing", .refused(.malformed, at: place), what: "The header has no certificates.",
                why: "With nobody to check against, some code checks nothing."
            ) { try transactionHeaded { $0.certificates = nil } },
            try .jws(
                "x5c-empty", .refused(.chain, at: place), what: "The list of certificates is empty.",
                why: "The same, for code that looks only whether the list is there."
            ) { try transactionHeaded { $0.certificates = [] } },
            try .jws(
                "x5c-leaf-only", .refused(.chain, at: place), what: "The genuine leaf comes alone.",
                why: "Single certificates are Xcode's; elsewhere there must be three."
            ) { try transactionHeaded { $0.certificates = [try signedDataChain(store)[0]] } },
            try .jws(
                "x5c-two", .refused(.chain, at: place), what: "The root is left out.",
                why: "Apple sends three and its libraries want three; a list of another length is somebody else's."
            ) { try transactionHeaded { $0.certificates?.removeLast() } },
            try .jws(
                "x5c-four", .refused(.chain, at: place), what: "A second intermediate stands between leaf and intermediate.",
                why: "Longer chains let whoever has an intermediate appoint others."
            ) { try sign(transaction(), by: defective(.longChain)) },
            try .jws(
                "x5c-reversed", .refused(.chain, at: "\(place)[0]"), what: "The certificates come root first; all are genuine.",
                why: "In JWS the first one is the signer's by rule: another order is another signer."
            ) { try transactionHeaded { $0.certificates?.reverse() } },
            try .jws(
                "x5c-base64url", .refused(.malformed, at: "\(place)[0]"), what: "The certificates are in base64url without padding.",
                why: "They are the one thing in a JWS that is in standard base64; one spelling is enough."
            ) {
                let chain = try signedDataChain(store).map { Base64URL.encode($0) }
                return try transaction(x5c: json(chain))
            },
            try .jws(
                "x5c-pem", .refused(.malformed, at: "\(place)[0]"), what: "The certificates are PEM, with their lines and line breaks.",
                why: "Decoders that skip what they don't know accept it, and with it any spelling."
            ) { try transaction(x5c: json(signedDataChain(store).map { pem($0) })) },
            try .jws(
                "x5c-numbers", .refused(.malformed, at: "\(place)[0]"), what: "The list holds numbers instead of texts.",
                why: "Code that casts without looking crashes."
            ) { try transaction(x5c: "[1,2,3]") },
            try .jws(
                "xcode-not-accepted", .refused(.untrustedRoot, at: place),
                what: "A JWS in Xcode's form by a certificate that was not configured, where Xcode's environment is accepted.",
                why: "Anybody can make such a certificate. Apple's own libraries check no signature at all in this environment."
            ) { try xcodeJWS(by: xcode) }.asking { $0.environments = ["Sandbox", "Xcode"] },
            try .jws(
                "xcode-other-certificate", .refused(.chain, at: "\(place)[0]"),
                what: "Xcode's certificate is configured; this one has its names and another key.",
                why: "Testing is opened to one certificate, not to all that look like it."
            ) { try xcodeJWS(by: xcodeImpostor) }.asking { ($0.roots, $0.environments) = ([RootName.xcodeSignedData], ["Xcode"]) },
            try .jws(
                "xcode-changed-payload", .refused(.signature, at: "signature"),
                what: "Xcode's certificate is configured, and the quantity was changed after signing.",
                why: "Tests should fail on what would fail in production."
            ) {
                let parts = try xcodeJWS(by: xcode).split(separator: ".").map(String.init)
                let changed = try json(TransactionPayload.sample(quantity: 9, environment: .xcode))
                return [parts[0], Base64URL.encode(Array(changed.utf8)), parts[2]].joined(separator: ".")
            }.asking { ($0.roots, $0.environments) = ([RootName.xcodeSignedData], ["Xcode"]) },
            try .jws(
                "xcode-claims-sandbox", .refused(.chain, at: place),
                what: "Xcode's certificate is configured and signed it, but it says that it is from the sandbox.",
                why: "What is open to everybody for tests would open the sandbox."
            ) { try xcodeJWS(by: xcode, environment: .sandbox) }.asking {
                ($0.roots, $0.environments) = ([RootName.signedData, RootName.xcodeSignedData], ["Sandbox", "Xcode"])
            },
        ]
    }
}
