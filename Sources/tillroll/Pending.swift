import PurchaseModel
import PurchaseProof
import ArgumentParser
extension VerifyReceiptBody {
    init(receipt: ReceiptPayload) {
        self.init(receiptType: receipt.receiptType, bundleID: receipt.bundleID, applicationVersion: receipt.appVersion, inApp: [])
    }
}
struct OfferCommand: ParsableCommand {}
