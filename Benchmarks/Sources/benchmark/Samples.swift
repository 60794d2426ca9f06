import Foundation
import PurchaseModel
import PurchaseProof

/// The signed data that `scripts/samples` creates, and verifiers that trust the authority.
struct Samples {
    static let bundleID: BundleID = "com.example.monkeyshop"
    static let purchaseCounts = [1, 10, 100, 1000, 10_000]

    let transactions: [SignedTransaction]
    let notifications: [SignedNotification]
    /// Receipts by the number of their purchases.
    let receipts: [Int: [UInt8]]

    private let rootsPEM: String

    init(folder: String) throws {
        let folder = URL(filePath: folder)
        func lines(_ name: String) throws -> [String] {
            let lines = try String(contentsOf: folder.appending(path: name), encoding: .utf8).split(separator: "\n").map(String.init)
            guard !lines.isEmpty else { throw Failure("\(name) is empty.") }
            return lines
        }
        rootsPEM = try String(contentsOf: folder.appending(path: "roots.pem"), encoding: .utf8)
        transactions = try lines("transactions.jws").map { SignedTransaction($0) }
        notifications = try lines("notifications.jws").map { SignedNotification($0) }
        var receipts: [Int: [UInt8]] = [:]
        for count in Self.purchaseCounts {
            receipts[count] = try Array(Data(contentsOf: folder.appending(path: "receipt-\(count).der")))
        }
        self.receipts = receipts
    }

    /// New roots with an empty verified-chain cache.
    var roots: TrustedRoots {
        get throws { try .apple(and: rootsPEM, in: [.sandbox]) }
    }

    func signedDataVerifier() throws -> SignedDataVerifier {
        SignedDataVerifier(roots: try roots, bundleID: Self.bundleID, environments: [.sandbox])
    }

    func receiptVerifier() throws -> ReceiptVerifier {
        ReceiptVerifier(roots: try roots, BundleCheck(Self.bundleID), EnvironmentCheck([.sandbox]))
    }

    /// Returns the receipt with `count` purchases.
    func receipt(_ count: Int) throws -> [UInt8] {
        guard let receipt = receipts[count] else { throw Failure("No receipt with \(count) purchases in the samples.") }
        return receipt
    }
}
