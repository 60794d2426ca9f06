import PrivateFiles
import PurchaseModel

/// The device's downloads in the format of `downloads.json`.
struct DownloadListRecord: StoredRecord {
    static let currentVersion = 1

    struct Download: Codable, Hashable, Sendable {
        let transactionID: TransactionID
        let productID: ProductID
        let content: StoredHostedContent
        let account: AccountID?
        let state: String
        let isStarted: Bool
        let received: Int64
        let entityTag: String?
        let contentPath: String?
        let failure: StoredFailure?
    }

    let version: Int
    let downloads: [Download]

    init(_ downloads: [DownloadRecord]) {
        version = Self.currentVersion
        self.downloads = downloads.map { Download($0) }
    }

    func value() throws -> [DownloadRecord] {
        try checkVersion()
        return try downloads.map { try $0.download() }
    }
}

extension DownloadListRecord.Download {
    fileprivate init(_ download: DownloadRecord) {
        transactionID = download.transaction
        productID = download.productID
        content = StoredHostedContent(download.content)
        account = download.account
        state = Self.name(download.state)
        isStarted = download.isStarted
        received = download.received
        entityTag = download.entityTag
        contentPath = download.contentPath
        failure = download.failure.map { StoredFailure($0) }
    }

    fileprivate func download() throws -> DownloadRecord {
        DownloadRecord(
            transaction: transactionID,
            productID: productID,
            content: content.content,
            account: account,
            state: try UnreadableRecord.read(state) { name in DownloadRecord.State.allCases.first { Self.name($0) == name } },
            isStarted: isStarted,
            received: received,
            entityTag: entityTag,
            contentPath: contentPath,
            failure: failure?.failure
        )
    }

    private static func name(_ state: DownloadRecord.State) -> String {
        switch state {
        case .waiting: "waiting"
        case .active: "active"
        case .paused: "paused"
        case .finished: "finished"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }
}
