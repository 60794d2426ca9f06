import Foundation
public import PurchaseModel

/// The receipt of one transaction (`SKPaymentTransaction.transactionReceipt`, iOS 6 and earlier) that was read and that nobody
/// has vouched for: anybody can have written it.
///
/// ```
/// { "signature" = "<base64>"; "purchase-info" = "<base64>"; "environment" = "Sandbox"; "pod" = "100"; "signing-status" = "0"; }
/// ```
public struct UnverifiedTransactionReceipt: Sendable {
    /// What it says, which is what is signed.
    public let payload: TransactionReceiptPayload
    /// The members of the outer list, which nobody has signed, in their order.
    public let entries: [TransactionReceiptEntry]
    /// Where the receipt says it was made: `environment`, which is missing in production.
    ///
    /// It is not signed, and Apple signs for both with the same key: whoever takes it out of a receipt of the sandbox makes one
    /// of production. Only Apple's server knows.
    public let claimedEnvironment: AppEnvironment

    let purchaseInfo: [UInt8]
    let signature: TransactionSignature

    /// Reads a receipt.
    ///
    /// - Throws: ``Refusal/Reason/malformed`` or ``Refusal/Reason/tooLarge(limit:)``, with the place where it stops to be one.
    public init(_ bytes: [UInt8]) throws(Refusal) {
        guard bytes.count <= TransactionReceiptVerifier.maximumSize else {
            throw Refusal(.tooLarge(limit: TransactionReceiptVerifier.maximumSize), at: "size")
        }
        do throws(ReadFault) {
            entries = try PropertyListReader.read(bytes)
        } catch { throw Refusal(error, at: "receipt") }
        let fields = TransactionReceiptFields(entries)
        claimedEnvironment = Self.environment(fields["environment"])
        purchaseInfo = try Self.decode(fields["purchase-info"], at: "purchase-info")
        payload = try TransactionReceiptPayload(purchaseInfo)
        signature = try TransactionSignature(Self.decode(fields["signature"], at: "signature"))
    }

    /// The certificate of the key that signed, as DER.
    public var certificate: [UInt8] { signature.certificate }

    /// The format of the signature: 2, 3 or 4.
    public var signatureVersion: Int { Int(signature.version.rawValue) }

    /// The digest that is signed, `SHA-1` or `SHA-256`.
    public var digest: String { signature.version.digest.name }

    /// The environment of that name.
    ///
    /// As with app receipts, what is not known never counts as paid with real money.
    private static func environment(_ name: String?) -> AppEnvironment {
        guard let name else { return .production }
        return AppEnvironment(rawValue: name) ?? .sandbox
    }

    private static func decode(_ base64: String?, at place: String) throws(Refusal) -> [UInt8] {
        guard let base64, let data = Data(base64Encoded: base64) else {
            throw Refusal(.malformed, at: place, "Bytes in base64 were expected.")
        }
        return Array(data)
    }
}
