import FuzzSupport
import PurchaseModel
import PurchaseProof

/// Parses and verifies bytes by their kind.
struct SampleVerification {
    private let receipts: ReceiptVerifier
    private let transactionReceipts: TransactionReceiptVerifier
    private let signedData: SignedDataVerifier

    init(roots: TrustedRoots) {
        receipts = Corpus.receiptVerifier(roots)
        transactionReceipts = Corpus.transactionReceiptVerifier(roots)
        signedData = Corpus.signedDataVerifier(roots)
    }

    /// The result.
    enum Outcome: Equatable {
        /// Malformed, with the reason's code and the place.
        case unreadable(String)
        /// Parsed and refused, with the reason's code.
        case refused(String)
        /// Parsed, and the verification is indeterminate.
        case indeterminate
        /// Verified, with this content.
        case verified(Value)
    }

    /// The content of verified bytes.
    enum Value: Equatable {
        case receipt(ReceiptPayload)
        case transactionReceipt(TransactionReceiptPayload)
        case signedData([UInt8])
    }

    func verify(_ bytes: [UInt8], as kind: Sample.Kind) async -> Outcome {
        switch kind {
        case .receipt: await receipt(bytes)
        case .signedData: await signedData(String(decoding: bytes, as: UTF8.self))
        case .transactionReceipt: transactionReceipt(bytes)
        }
    }

    private func receipt(_ bytes: [UInt8]) async -> Outcome {
        do throws(Refusal) {
            _ = try UnverifiedReceipt(bytes).certificates
        } catch { return .unreadable("\(error.reason.code) at \(error.place)") }
        return switch await receipts.outcome(of: bytes) {
        case .verified(let receipt): .verified(.receipt(receipt.payload))
        case .refused(let refusal): .refused(refusal.reason.code)
        case .indeterminate: .indeterminate
        }
    }

    private func transactionReceipt(_ bytes: [UInt8]) -> Outcome {
        do throws(Refusal) {
            _ = try UnverifiedTransactionReceipt(bytes)
        } catch { return .unreadable("\(error.reason.code) at \(error.place)") }
        return switch transactionReceipts.outcome(of: bytes) {
        case .verified(let receipt): .verified(.transactionReceipt(receipt.payload))
        case .refused(let refusal): .refused(refusal.reason.code)
        case .indeterminate: .indeterminate
        }
    }

    private func signedData(_ text: String) async -> Outcome {
        do throws(Refusal) {
            _ = try UnverifiedJWS(text)
        } catch { return .unreadable("\(error.reason.code) at \(error.place)") }
        let report = await signedData.verifyAny(text)
        return switch report.outcome {
        case .verified: .verified(.signedData(report.payload ?? []))
        case .refused(let refusal): .refused(refusal.reason.code)
        case .indeterminate: .indeterminate
        }
    }
}
