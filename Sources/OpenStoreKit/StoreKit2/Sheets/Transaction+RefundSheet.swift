import PurchaseModel

extension Transaction {
    /// Asks the user why the money is wanted back, and tells the store.
    ///
    /// - Throws: ``RefundRequestError`` or ``StoreKitError``.
    public func beginRefundRequest() async throws -> RefundRequestStatus {
        try await Self.beginRefundRequest(for: id, productID, on: origin.serving)
    }

    /// Asks the user why the money for a transaction is wanted back, and tells the store.
    ///
    /// - Throws: ``RefundRequestError`` or ``StoreKitError``.
    @MainActor
    public static func beginRefundRequest(for transactionID: UInt64) async throws -> RefundRequestStatus {
        let device = Device.active
        let known = await history(.transaction(TransactionID("\(transactionID)")), on: device).entries.first
        return try await beginRefundRequest(for: transactionID, known?.transaction.productID ?? "", on: device)
    }

    private static func beginRefundRequest(
        for id: UInt64, _ productID: String, on device: Device?
    ) async throws -> RefundRequestStatus {
        guard let device else { throw StoreKitError.noDevice }
        try device.simulatedFailures.check(.refundRequest)
        return try await device.requestRefund(of: TransactionID("\(id)"), ProductID(productID))
    }
}
