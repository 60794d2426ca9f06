import PurchaseModel
import PurchaseProof

/// Judges one item after the other: receipts, transaction receipts and JWS.
struct BatchJudge: Sendable {
    let kind: BatchKind
    let receipts: ReceiptJudge
    let signedData: SignedDataJudge
    /// The longest line that is read, for what is said of longer ones.
    let maximumLength: Int

    /// What an item is worth.
    func judge(_ item: BatchItem) async -> BatchResult {
        switch item.content {
        case .tooLong: BatchResult(origin: item.origin, judgement: Judgement(Refusal(.tooLarge(limit: maximumLength), at: "input")))
        case .unreadable(let cause):
            BatchResult(
                origin: item.origin,
                judgement: Judgement(word: .unknown, reason: "unreadable", place: "input", sentence: "The file can't be read: \(cause).")
            )
        case .bytes(let bytes): await judge(bytes, of: item.origin)
        }
    }

    private func judge(_ bytes: [UInt8], of origin: BatchItem.Origin) async -> BatchResult {
        do throws(Refusal) {
            let input = try SignedInput(bytes)
            switch (input.content, kind) {
            case (.receipt, .jws), (.transactionReceipt, .jws), (.compact, .receipt):
                throw Refusal(.malformed, at: "input", "It is not of the kind that was asked for.")
            case (.receipt(let receipt), _): return await judge(receipt: receipt, of: origin)
            case (.transactionReceipt(let receipt), _): return judge(transactionReceipt: receipt, of: origin)
            case (.compact(let compact), _): return await judge(compact: compact, of: origin)
            }
        } catch {
            return BatchResult(origin: origin, judgement: Judgement(error))
        }
    }

    private func judge(receipt: [UInt8], of origin: BatchItem.Origin) async -> BatchResult {
        let verdict = await receipts.apps.judge(receipt)
        var result = BatchResult(origin: origin, judgement: Judgement(verdict))
        if case .verified(let receipt) = verdict {
            result.facts = [
                JSONValue.Member("kind", "receipt"), JSONValue.Member("bundle_id", .string(receipt.payload.bundleID.rawValue)),
                JSONValue.Member("environment", .string(receipt.payload.environment.rawValue)),
                JSONValue.Member("purchases", .number(receipt.payload.purchases.count)),
            ]
        }
        return result
    }

    private func judge(transactionReceipt bytes: [UInt8], of origin: BatchItem.Origin) -> BatchResult {
        let (judgement, receipt) = receipts.transactions.judge(bytes)
        var result = BatchResult(origin: origin, judgement: judgement)
        if let receipt {
            result.facts = [
                JSONValue.Member("kind", "transaction_receipt"), JSONValue.Member("bid", .string(receipt.payload.bundleID.rawValue)),
                JSONValue.Member("transaction_id", .string(receipt.payload.transactionID.rawValue)),
                JSONValue.Member("product_id", .string(receipt.payload.productID.rawValue)),
            ]
        }
        return result
    }

    private func judge(compact: String, of origin: BatchItem.Origin) async -> BatchResult {
        let found = await signedData.verifier.judgeAny(compact)
        var result = BatchResult(origin: origin, judgement: Judgement(found.verdict))
        if case .verified(let data) = found.verdict { result.facts = data.facts }
        return result
    }
}
