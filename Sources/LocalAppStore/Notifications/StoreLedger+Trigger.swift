import PurchaseModel

extension StoreLedger {
    func trigger(_ request: TriggerRequest) async throws -> TriggerReply { throw StoreError.notificationKindUnknown }
}
