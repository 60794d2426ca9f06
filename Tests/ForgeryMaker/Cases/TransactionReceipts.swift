import CryptoExtras
import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import X509

extension ForgeryFactory {
    /// Receipts of iOS 6 transactions.
    func transactionReceipts() throws -> [Forgery] {
        [
            try .transactionReceipt(
                "genuine", .verified, what: "A genuine sandbox receipt: version 2, RSA-1024 and SHA-1.",
                why: "A verifier that refuses everything would pass every other case."
            ) { try transactionReceipt().encoded },
            try .transactionReceipt(
                "genuine-version-4", .verified, what: "A genuine receipt in the format since 2023: version 4, RSA-2048 and SHA-256.",
                why: "Old clients still receive receipts, in newer formats."
            ) { try versionFour().encoded },
            try .transactionReceipt(
                "changed-product", .refused(.signature, at: "signature"), what: "The product in purchase-info was replaced after signing.",
                why: "The purchase info is text in base64, which is easy to edit."
            ) { try transactionReceipt { $0.purchaseInfo = $0.purchaseInfo.replacing("credits5", with: "credits9") }.encoded },
            try .transactionReceipt(
                "changed-signature", .refused(.signature, at: "signature"), what: "One bit of the signature is wrong.",
                why: "This case shows whether the signature is verified at all."
            ) { try transactionReceipt { $0.signature[7] ^= 1 }.encoded },
            try .transactionReceipt(
                "own-certificate", .refused(.untrustedRoot, at: "signature.certificate"),
                what: "A foreign signer signed the receipt and included a certificate.",
                why: "In July 2012, servers unlocked purchases in apps that did not verify the issuer of this certificate."
            ) { try transactionReceipt(by: stranger).encoded },
            try .transactionReceipt(
                "own-certificate-same-names", .refused(.chain, at: "signature.certificate"),
                what: "A foreign certificate names the store's root as the issuer.",
                why: "A name does not prove a key."
            ) { try transactionReceipt(by: impostor).encoded },
            try .transactionReceipt(
                "certificate-without-marker", .refused(.marker, at: "signature.certificate"),
                what: "The genuine authority issued the certificate for another purpose.",
                why: "Without the marker, every certificate of the authority could sign purchases."
            ) {
                var receipt = try versionFour()
                let issuer = ReceiptIssuer(authority: try defective(.leafWithoutMarker))
                let leaf = try issuer.container(for: []).certificates?[0] ?? []
                receipt.certificate = try certificate(
                    like: leaf, for: .init(keys.receiptLeaf.publicKey), by: receiptChain(store)[2], key: .init(keys.receiptRoot)
                )
                return receipt.encoded
            },
            try .transactionReceipt(
                "bought-after-certificate", .refused(.validity, at: "signature.certificate"),
                what: "The purchase date is in 2050, after the certificate expires.",
                why: "The receipt states no signing date, so the purchase date is the earliest known date."
            ) {
                let purchase = TransactionPayload.sample(date: Self.now.adding(days: 25 * 365))
                let content = TransactionReceiptContent(transaction: purchase, appVersion: "1.0", device: .test)
                return try transactionReceipt(saying: content.purchaseInfo).encoded
            },
            try .transactionReceipt(
                "wrong-version", .refused(.malformed, at: "signature.certificate"),
                what: "The first byte states version 3, and the rest has version 2.",
                why: "The version defines the length of the signature, and so the position of the certificate."
            ) { try transactionReceipt { $0.version = 3 }.encoded },
            try .transactionReceipt(
                "unknown-version", .refused(.malformed, at: "signature.version"), what: "The first byte states version 9.",
                why: "A signature of an unknown version cannot be verified."
            ) { try transactionReceipt { $0.version = 9 }.encoded },
            try .transactionReceipt(
                "certificate-length", .refused(.malformed, at: "signature.certificate"), what: "The certificate's stated length is 4 GB.",
                why: "Allocating the stated length ends the process."
            ) { try transactionReceipt { $0.statedCertificateLength = .max }.encoded },
            try .transactionReceipt(
                "two-products", .refused(.malformed, at: "purchase-info"), what: "The signed list repeats product-id.",
                why: "One parser uses the first value and another the last."
            ) {
                let info = Array(try purchaseInfo().dropLast()) + Array("\t\"product-id\" = \"com.example.other\";\n}".utf8)
                return try transactionReceipt(saying: info).encoded
            },
            try .transactionReceipt(
                "two-purchase-infos", .refused(.malformed, at: "receipt"),
                what: "The outer list repeats purchase-info, with a forged one last.",
                why: "The signature could be verified over one, and the purchase read from the other."
            ) {
                let forged = Data(try purchaseInfo().replacing("credits5", with: "credits9")).base64EncodedString()
                return Array(try transactionReceipt().encoded.dropLast()) + Array("\t\"purchase-info\" = \"\(forged)\";\n}".utf8)
            },
            try .transactionReceipt(
                "quantity-zero", .refused(.malformed, at: "purchase-info.quantity"), what: "The signed quantity is 0.",
                why: "Code that ignores the quantity delivers a product that was not purchased."
            ) {
                let info = String(decoding: try purchaseInfo(), as: UTF8.self).replacing(#""quantity" = "1""#, with: #""quantity" = "0""#)
                return try transactionReceipt(saying: Array(info.utf8)).encoded
            },
            try .transactionReceipt(
                "other-app", .refused(.foreignBundle("com.example.other"), at: "purchase-info.bid"),
                what: "A genuine receipt of another app.",
                why: "In July 2012, one genuine receipt was replayed to thousands of apps that did not compare bid and product-id."
            ) {
                let content = TransactionReceiptContent(transaction: .sample(bundle: "com.example.other"), appVersion: "1.0", device: .test)
                return try transactionReceipt(saying: content.purchaseInfo).encoded
            },
            try .transactionReceipt(
                "environment-taken-out", .refused(.untrustedRoot, at: "signature.certificate"),
                what: "The unsigned line with the environment was removed from a genuine sandbox receipt.",
                why: "Without the unsigned line, the receipt claims production. Only the root's environment contradicts it."
            ) { try transactionReceipt { $0.environment = nil }.encoded }.withVerification { $0.environments = ["Production", "Sandbox"] },
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
