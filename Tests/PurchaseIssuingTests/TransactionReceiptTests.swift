import Foundation
import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import PurchaseIssuing

/// Tests of receipts of single transactions with the openssl command.
@Suite struct TransactionReceiptTests {
    private let authority = TestAuthority.shared.authority
    private let issuer: TransactionReceiptIssuer

    init() throws {
        issuer = try TransactionReceiptIssuer(authority: TestAuthority.shared.authority)
    }

    /// Returns the members of a property list with lines `"key" = "value";`.
    private func members(_ list: [UInt8]) -> [String: String] {
        let text = String(decoding: list, as: UTF8.self)
        #expect(text.hasPrefix("{\n") && text.hasSuffix("}"))
        let pairs = text.matches(of: /\t"([^"]*)" = "([^"]*)";\n/).map { (String($0.1), String($0.2)) }
        return Dictionary(pairs) { _, last in last }
    }

    private func content(_ transaction: TransactionPayload = .sample()) -> TransactionReceiptContent {
        TransactionReceiptContent(transaction: transaction, appVersion: "1.2", device: .test)
    }

    @Test func `openssl verifies the signature with the certificate in the receipt, and the certificate under the root`() throws {
        let receipt = members(try issuer.issue(content()))
        let info = [UInt8](try #require(Data(base64Encoded: receipt["purchase-info"] ?? "")))
        let blob = [UInt8](try #require(Data(base64Encoded: receipt["signature"] ?? "")))
        #expect(blob[0] == 2)
        let length = blob[129..<133].reduce(0) { $0 << 8 | Int($1) }
        #expect(blob.count == 133 + length)

        let openssl = try OpenSSL()
        try openssl.write(Array(blob[1..<129]), to: "signature")
        try openssl.write(Array(blob[133...]), to: "certificate.der")
        try openssl.write([2] + info, to: "signed")
        try openssl.write(info, to: "info")
        try openssl.write(authority.receiptChain.root, to: "root.pem")
        #expect(try openssl.run("x509", "-inform", "DER", "-in", "certificate.der", "-out", "certificate.pem").isSuccess)
        let text = try openssl.run("x509", "-in", "certificate.pem", "-noout", "-text").text
        #expect(text.contains("Public-Key: (1024 bit)") && text.contains("1.2.840.113635.100.6.5.1"))
        #expect(try openssl.run("verify", "-auth_level", "0", "-CAfile", "root.pem", "certificate.pem").isSuccess)
        #expect(try openssl.run("x509", "-in", "certificate.pem", "-noout", "-pubkey", "-out", "key.pem").isSuccess)
        #expect(try openssl.run("dgst", "-sha1", "-verify", "key.pem", "-signature", "signature", "signed").isSuccess)
        #expect(try !openssl.run("dgst", "-sha1", "-verify", "key.pem", "-signature", "signature", "info").isSuccess)
    }

    @Test func `the purchase info has Apple's keys`() throws {
        var transaction = TransactionPayload.sample(id: "2", original: "1", type: .autoRenewable, expires: .testStart.adding(days: 30))
        transaction.webOrderLineItemId = "77"
        let info = members(content(transaction).purchaseInfo)
        #expect(
            info == [
                "original-purchase-date-pst": "2025-01-31 04:34:56 America/Los_Angeles", "purchase-date-ms": "1738326896000",
                "unique-identifier": "00112233445566778899aabbccddeeff", "original-transaction-id": "1",
                "expires-date": "1740918896000", "expires-date-formatted": "2025-03-02 12:34:56 Etc/GMT",
                "expires-date-formatted-pst": "2025-03-02 04:34:56 America/Los_Angeles", "web-order-line-item-id": "77",
                "transaction-id": "2", "original-purchase-date-ms": "1738326896000", "bvrs": "1.2",
                "unique-vendor-identifier": "00112233-4455-6677-8899-AABBCCDDEEFF", "item-id": "0",
                "product-id": "com.example.monkeyshop.credits5", "purchase-date": "2025-01-31 12:34:56 Etc/GMT",
                "original-purchase-date": "2025-01-31 12:34:56 Etc/GMT",
                "purchase-date-pst": "2025-01-31 04:34:56 America/Los_Angeles", "bid": "com.example.monkeyshop", "quantity": "1",
            ]
        )
        let purchase = members(content().purchaseInfo)
        #expect(purchase.count == 15 && purchase["expires-date"] == nil && purchase["web-order-line-item-id"] == nil)
    }

    @Test func `only a sandbox receipt has an environment`() throws {
        let keys = Set(members(try issuer.issue(content())).keys)
        #expect(keys == ["signature", "purchase-info", "environment", "pod", "signing-status"])
        let production = members(try issuer.issue(content(.sample(environment: .production))))
        #expect(production["environment"] == nil && production.count == 4)
    }

    @Test func `a receipt can be changed before encoding`() throws {
        var receipt = try issuer.receipt(for: content().purchaseInfo, in: .sandbox)
        let good = receipt.signatureBlob
        receipt.version = 3
        #expect(receipt.signatureBlob == [3] + good.dropFirst())
        receipt.version = 2
        receipt.statedCertificateLength = .max
        #expect(Array(receipt.signatureBlob[129..<133]) == [255, 255, 255, 255])
        receipt.statedCertificateLength = nil
        receipt.tail = [1]
        #expect(receipt.signatureBlob == good + [1])
        receipt.environment = "a\"b\\"
        #expect(String(decoding: receipt.encoded, as: UTF8.self).contains("\"environment\" = \"a\\\"b\\\\\";"))
    }
}
