import CryptoExtras
import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import X509

extension Workshop {
    /// Receipts of iOS 6 transactions.
    func transactionReceipts() throws -> [Forgery] {
        [
            try .transactionReceipt(
                "genuine", .verified, what: "Nothing is wrong: version 2, RSA-1024 and SHA-1, from the sandbox.",
                why: "A verifier that refuses everything would pass every other case."
            ) { try transactionReceipt().encoded },
            try .transactionReceipt(
                "genuine-version-4", .verified, what: "Nothing is wrong: version 4, RSA-2048 and SHA-256, as signed since 2023.",
                why: "Old clients still get receipts, in new formats."
            ) { try versionFour().encoded },
            try .transactionReceipt(
                "changed-product", .refused(.signature, at: "signature"), what: "The product in purchase-info was replaced after signing.",
                why: "It is text in base64 in text: whoever can edit a file can try."
            ) { try transactionReceipt { $0.purchaseInfo = $0.purchaseInfo.replacing("credits5", with: "credits9") }.encoded },
            try .transactionReceipt(
                "changed-signature", .refused(.signature, at: "signature"), what: "One bit of the signature is wrong.",
                why: "The simplest test of whether the signature is checked at all."
            ) { try transactionReceipt { $0.signature[7] ^= 1 }.encoded },
            try .transactionReceipt(
                "own-certificate", .refused(.untrustedRoot, at: "signature.certificate"),
                what: "A stranger signed and brought the certificate.",
                why: "The certificate comes in the receipt. The servers that unlocked purchases for everybody in July 2012 lived on "
                    + "apps that "
                    + "did not ask whose it is."
            ) { try transactionReceipt(by: stranger).encoded },
            try .transactionReceipt(
                "own-certificate-same-names", .refused(.chain, at: "signature.certificate"),
                what: "The same with a certificate that names the store's root as its issuer.",
                why: "Names are not keys."
            ) { try transactionReceipt(by: impostor).encoded },
            try .transactionReceipt(
                "certificate-without-marker", .refused(.marker, at: "signature.certificate"),
                what: "The certificate was issued by the right authority, for something else.",
                why: "Every certificate of the same authority could sign purchases."
            ) {
                var receipt = try versionFour()
                let issuer = ReceiptIssuer(authority: try defective(.noLeafMarker))
                let leaf = try issuer.container(for: []).certificates?[0] ?? []
                receipt.certificate = try certificate(
                    like: leaf, for: .init(keys.receiptLeaf.publicKey), by: receiptChain(store)[2], key: .init(keys.receiptRoot)
                )
                return receipt.encoded
            },
            try .transactionReceipt(
                "bought-after-certificate", .refused(.validity, at: "signature.certificate"),
                what: "The purchase is dated 2050, when the certificate has long expired.",
                why: "No time of signing is stated, so the purchase is the earliest one that is known."
            ) {
                let purchase = TransactionPayload.sample(date: Self.now.adding(days: 25 * 365))
                let content = TransactionReceiptContent(transaction: purchase, appVersion: "1.0", device: .test)
                return try transactionReceipt(saying: content.purchaseInfo).encoded
            },
            try .transactionReceipt(
                "wrong-version", .refused(.malformed, at: "signature.certificate"),
                what: "The first byte says version 3, the rest is version 2.",
                why: "The version says how long the signature is: with the wrong one, the certificate is read out of the middle."
            ) { try transactionReceipt { $0.version = 3 }.encoded },
            try .transactionReceipt(
                "unknown-version", .refused(.malformed, at: "signature.version"), what: "The first byte says version 9.",
                why: "What nobody knows can't be checked."
            ) { try transactionReceipt { $0.version = 9 }.encoded },
            try .transactionReceipt(
                "certificate-length", .refused(.malformed, at: "signature.certificate"), what: "The certificate's stated length is 4 GB.",
                why: "Allocating what is stated ends the process."
            ) { try transactionReceipt { $0.statedCertificateLength = .max }.encoded },
            try .transactionReceipt(
                "two-products", .refused(.malformed, at: "purchase-info"), what: "The signed list names product-id twice.",
                why: "One reader takes the first and another the last."
            ) {
                let info = Array(try purchaseInfo().dropLast()) + Array("\t\"product-id\" = \"com.example.other\";\n}".utf8)
                return try transactionReceipt(saying: info).encoded
            },
            try .transactionReceipt(
                "two-purchase-infos", .refused(.malformed, at: "receipt"),
                what: "The outer list has purchase-info twice, a forged one last.",
                why: "The signature is checked over one, and the purchase read from the other."
            ) {
                let forged = Data(try purchaseInfo().replacing("credits5", with: "credits9")).base64EncodedString()
                return Array(try transactionReceipt().encoded.dropLast()) + Array("\t\"purchase-info\" = \"\(forged)\";\n}".utf8)
            },
            try .transactionReceipt(
                "quantity-zero", .refused(.malformed, at: "purchase-info.quantity"), what: "The quantity is 0, and signed.",
                why: "Nothing was bought, and yet there is a purchase."
            ) {
                let info = String(decoding: try purchaseInfo(), as: UTF8.self).replacing(#""quantity" = "1""#, with: #""quantity" = "0""#)
                return try transactionReceipt(saying: Array(info.utf8)).encoded
            },
            try .transactionReceipt(
                "other-app", .refused(.foreignBundle("com.example.other"), at: "purchase-info.bid"),
                what: "A genuine receipt of another app.",
                why: "One genuine receipt was replayed to thousands of apps in July 2012, because they did not compare bid and product-id."
            ) {
                let content = TransactionReceiptContent(transaction: .sample(bundle: "com.example.other"), appVersion: "1.0", device: .test)
                return try transactionReceipt(saying: content.purchaseInfo).encoded
            },
            try .transactionReceipt(
                "environment-taken-out", .refused(.untrustedRoot, at: "signature.certificate"),
                what: "A genuine receipt of the sandbox, from which the unsigned line about the environment was taken out.",
                why: "Without that line it says production. It is not signed, so only the root's environment stands against it."
            ) { try transactionReceipt { $0.environment = nil }.encoded }.asking { $0.environments = ["Production", "Sandbox"] },
        ]
    }

    private func purchaseInfo() throws -> [UInt8] {
        TransactionReceiptContent(transaction: .sample(), appVersion: "1.0", device: .test).purchaseInfo
    }

    /// A receipt of the store's, changed after it was signed.
    private func transactionReceipt(
        by authority: CertificateAuthority? = nil, _ change: (inout TransactionReceipt) throws -> Void = { _ in }
    ) throws -> TransactionReceipt {
        var receipt = try TransactionReceiptIssuer(authority: authority ?? store).receipt(for: purchaseInfo(), in: .sandbox)
        try change(&receipt)
        return receipt
    }

    /// A receipt of the store's that says what the store would not.
    private func transactionReceipt(saying info: [UInt8]) throws -> TransactionReceipt {
        try TransactionReceiptIssuer(authority: store).receipt(for: info, in: .sandbox)
    }

    /// A receipt in the newest format: the app receipts' key and marker, certified by the root because no intermediate comes with it.
    private func versionFour() throws -> TransactionReceipt {
        var receipt = try transactionReceipt()
        let chain = try receiptChain(store)
        receipt.version = 4
        receipt.certificate = try certificate(
            like: chain[0], for: .init(keys.receiptLeaf.publicKey), by: chain[2], key: .init(keys.receiptRoot)
        )
        receipt.signature = try signature(of: [4] + receipt.purchaseInfo, by: keys.receiptLeaf)
        return receipt
    }
}
