import PurchaseModel
import PurchaseProof

/// Verifies the items of a batch: receipts, transaction receipts and JWS.
struct BatchVerification: Sendable {
    let kind: BatchKind
    let receipts: ReceiptVerification
    let signedData: SignedDataVerification
    /// The maximum length of a line, which the refusal of a longer line states.
    let maximumLength: Int

    /// Verifies an item.
    func verify(_ item: BatchItem) async -> BatchResult {
        switch item.content {
        case .tooLong:
            BatchResult(
                origin: item.origin, explanation: VerificationExplanation(Refusal(.tooLarge(limit: maximumLength), at: "input")))
        case .unreadable(let cause):
            BatchResult(
                origin: item.origin,
                explanation: VerificationExplanation(
                    result: .indeterminate, reason: "unreadable", place: "input", message: "The file can't be read: \(cause).")
            )
        case .bytes(let bytes): await verify(bytes, of: item.origin)
        }
    }

    private func verify(_ bytes: [UInt8], of origin: BatchItem.Origin) async -> BatchResult {
        do throws(Refusal) {
            let input = try SignedInput(bytes)
            switch (input.content, kind) {
            case (.receipt, .jws), (.transactionReceipt, .jws), (.compact, .receipt):
                throw Refusal(.malformed, at: "input", "The input is not of the requested kind.")
            case (.receipt(let receipt), _): return await verify(receipt: receipt, of: origin)
            case (.transactionReceipt(let receipt), _): return verify(transactionReceipt: receipt, of: origin)
            case (.compact(let compact), _): return await verify(compact: compact, of: origin)
            }
        } catch {
            return BatchResult(origin: origin, explanation: VerificationExplanation(error))
        }
    }

    private func verify(receipt: [UInt8], of origin: BatchItem.Origin) async -> BatchResult {
        let outcome = await receipts.appReceipts.outcome(of: receipt)
        var result = BatchResult(origin: origin, explanation: VerificationExplanation(outcome))
        if case .verified(let receipt) = outcome {
            result.facts = [
                JSONValue.Member("kind", "receipt"), JSONValue.Member("bundle_id", .string(receipt.payload.bundleID.rawValue)),
                JSONValue.Member("environment", .string(receipt.payload.environment.rawValue)),
                JSONValue.Member("purchases", .number(receipt.payload.purchases.count)),
            ]
        }
        return result
    }

    private func verify(transactionReceipt bytes: [UInt8], of origin: BatchItem.Origin) -> BatchResult {
        let outcome = receipts.transactionReceipts.outcome(of: bytes)
        var result = BatchResult(origin: origin, explanation: VerificationExplanation(outcome))
        if case .verified(let receipt) = outcome {
            result.facts = [
                JSONValue.Member("kind", "transaction_receipt"), JSONValue.Member("bid", .string(receipt.payload.bundleID.rawValue)),
                JSONValue.Member("transaction_id", .string(receipt.payload.transactionID.rawValue)),
                JSONValue.Member("product_id", .string(receipt.payload.productID.rawValue)),
            ]
        }
        return result
    }

    private func verify(compact: String, of origin: BatchItem.Origin) async -> BatchResult {
        let found = await signedData.verifier.verifyAny(compact)
        var result = BatchResult(origin: origin, explanation: found.explanation)
        if case .verified(let data) = found.outcome { result.facts = data.facts }
        return result
    }
}
