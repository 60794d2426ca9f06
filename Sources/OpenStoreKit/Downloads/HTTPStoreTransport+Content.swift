import PurchaseModel
public import WireClient

extension HTTPStoreTransport {
    /// Begins to fetch content, from the first byte that is missing.
    public func content(_ request: ContentRequest, token: String) async throws(WireClientError) -> ContentReply {
        let path = DeviceEndpoints.contentPath(of: request.transaction)
        let download = try await client.download(path, from: request.offset, of: request.entityTag, token: token)
        return ContentReply(
            offset: download.offset, length: download.length, entityTag: download.entityTag, bytes: download.bytes)
    }
}

extension DeviceEndpoints {
    /// Where a store hands out what it hosts for a transaction.
    static func contentPath(of transaction: TransactionID) -> String {
        Endpoint<Empty, Empty>(.get, "/device/v1/content/{transaction}").path(["transaction": transaction.rawValue])
    }
}
