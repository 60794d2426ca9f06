import FuzzSupport
import PurchaseModel
import PurchaseProof

/// Reads and verifies bytes as what they are.
struct Judge {
    private let receipts: ReceiptVerifier
    private let transactionReceipts: TransactionReceiptVerifier
    private let signedData: SignedDataVerifier

    init(roots: TrustedRoots) {
        receipts = Corpus.receiptVerifier(roots)
        transactionReceipts = Corpus.transactionReceiptVerifier(roots)
        signedData = Corpus.signedDataVerifier(roots)
    }

    /// How it ended.
    enum Outcome: Equatable {
        /// It could not even be read; the reason's code and the place.
        case unreadable(String)
        /// It was read and not believed; the reason's code.
        case refused(String)
        case unknown
        /// It was believed, and says this.
        case verified(Value)
    }

    /// What verified bytes say.
    enum Value: Equatable {
        case receipt(ReceiptPayload)
        case transactionReceipt(TransactionReceiptPayload)
        case signedData([UInt8])
    }

    func judge(_ bytes: [UInt8], as kind: Sample.Kind) async -> Outcome {
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
        return switch await receipts.judge(bytes) {
        case .verified(let receipt): .verified(.receipt(receipt.payload))
        case .refused(let refusal): .refused(refusal.reason.code)
        case .unknown: .unknown
        }
    }

    private func transactionReceipt(_ bytes: [UInt8]) -> Outcome {
        do throws(Refusal) {
            _ = try UnverifiedTransactionReceipt(bytes)
        } catch { return .unreadable("\(error.reason.code) at \(error.place)") }
        return switch transactionReceipts.judge(bytes) {
        case .verified(let receipt): .verified(.transactionReceipt(receipt.payload))
        case .refused(let refusal): .refused(refusal.reason.code)
        case .unknown: .unknown
        }
    }

    private func signedData(_ text: String) async -> Outcome {
        do throws(Refusal) {
            _ = try UnverifiedJWS(text)
        } catch { return .unreadable("\(error.reason.code) at \(error.place)") }
        let report = await signedData.judgeAny(text)
        return switch report.verdict {
        case .verified: .verified(.signedData(report.payload ?? []))
        case .refused(let refusal): .refused(refusal.reason.code)
        case .unknown: .unknown
        }
    }
}
