import PurchaseModel
import WireClient

extension Device {
    /// Asks the user why the money is wanted back, and tells the store.
    ///
    /// - Throws: ``Transaction/RefundRequestError`` or ``StoreKitError``.
    func requestRefund(of transaction: TransactionID, _ product: ProductID) async throws -> Transaction.RefundRequestStatus {
        let sheet = RefundSheet(productID: product, transaction: transaction)
        guard let reason = await engine.interface.refundReason(sheet) else { return .userCancelled }
        await engine.ready()
        do throws(WireClientError) {
            switch try await engine.ask(DeviceEndpoints.requestRefund, RefundWish(transaction: transaction, reason: reason)) {
            case .response: return .success
            case .cancelled: return .userCancelled
            case .anotherAccount: throw WireClientError.refused(status: 404, WireError(code: "transaction.unknown", message: ""))
            }
        } catch {
            throw Self.refundError(error)
        }
    }

    /// The error of a refund request that the store did not take.
    static func refundError(_ error: WireClientError) -> any Error {
        switch error {
        case .unreachable, .unintelligible: StoreKitError(error)
        case .refused(409, let wire) where wire.code == "refund-request.duplicate":
            Transaction.RefundRequestError.duplicateRequest
        case .refused: Transaction.RefundRequestError.failed
        }
    }
}
