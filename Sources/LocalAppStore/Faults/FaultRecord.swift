import GRDB
import PrivateFiles
import PurchaseModel
import StoreProtocol

/// An enabled fault (simulated failure), as a row of the database.
struct FaultRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "faults"

    var id: Int64?
    /// The fault, which the table stores as a ``FaultStateRecord`` in JSON.
    var fault: Fault
}

extension FaultRecord {
    private enum CodingKeys: String, CodingKey {
        case id, fault
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decodeIfPresent(Int64.self, forKey: .id)
        fault = try container.decode(FaultStateRecord.self, forKey: .fault).value()
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(FaultStateRecord(fault), forKey: .fault)
    }
}

/// The format in which the database stores an enabled fault (simulated failure): JSON in the column `fault`.
struct FaultStateRecord: StoredRecord {
    static let currentVersion = 1

    struct Kind: Codable, Hashable, Sendable {
        let name: String
        var milliseconds: Int64?
        var code: Int?
        var retryAfterSeconds: Int64?
        var isRetryable: Bool?
        var seconds: Int64?
        /// The name of the signing fault, as in the control API; nil for other kinds of faults.
        var signing: String?
    }

    let version: Int
    let kind: Kind
    let surface: String?
    let path: String?
    let bundleID: BundleID?
    let account: AccountID?
    let productID: ProductID?
    let count: Int?

    init(_ fault: Fault) {
        version = Self.currentVersion
        kind = Kind(fault.kind)
        surface = fault.surface.map { Self.name($0) }
        path = fault.path
        bundleID = fault.bundleID
        account = fault.account
        productID = fault.productID
        count = fault.count
    }

    func value() throws -> Fault {
        try checkVersion()
        var fault = Fault(try kind.kind(), count: count)
        fault.surface = try surface.map { try Self.surface($0) }
        fault.path = path
        fault.bundleID = bundleID
        fault.account = account
        fault.productID = productID
        return fault
    }

    private static func name(_ surface: FaultSurface) -> String {
        switch surface {
        case .device: "device"
        case .verifyReceipt: "verifyReceipt"
        case .serverAPI: "serverAPI"
        case .notifications: "notifications"
        }
    }

    private static func surface(_ name: String) throws -> FaultSurface {
        try UnreadableRecord.read(name) { name in FaultSurface.allCases.first { Self.name($0) == name } }
    }
}

extension FaultStateRecord.Kind {
    fileprivate init(_ kind: FaultKind) {
        switch kind {
        case .delay(let milliseconds): self.init(name: "delay", milliseconds: milliseconds)
        case .lostReply: self.init(name: "lostReply")
        case .status(let code, let seconds): self.init(name: "status", code: code, retryAfterSeconds: seconds)
        case .verifyReceiptStatus(let code, let isRetryable):
            self.init(name: "verifyReceiptStatus", code: code, isRetryable: isRetryable)
        case .verifyReceiptOutage: self.init(name: "verifyReceiptOutage")
        case .clockSkew(let seconds): self.init(name: "clockSkew", seconds: seconds)
        case .purchaseRefused(let code): self.init(name: "purchaseRefused", code: code)
        case .notificationLost: self.init(name: "notificationLost")
        case .notificationDuplicated: self.init(name: "notificationDuplicated")
        case .notificationReordered: self.init(name: "notificationReordered")
        case .notificationDelayed(let seconds): self.init(name: "notificationDelayed", seconds: seconds)
        case .signing(let fault): self.init(name: "signing", signing: fault)
        }
    }

    fileprivate func kind() throws -> FaultKind {
        switch (name, milliseconds, code, seconds, signing) {
        case ("delay", let milliseconds?, _, _, _): .delay(milliseconds: milliseconds)
        case ("lostReply", _, _, _, _): .lostReply
        case ("status", _, let code?, _, _): .status(code: code, retryAfterSeconds: retryAfterSeconds)
        case ("verifyReceiptStatus", _, let code?, _, _): .verifyReceiptStatus(code: code, isRetryable: isRetryable)
        case ("verifyReceiptOutage", _, _, _, _): .verifyReceiptOutage
        case ("clockSkew", _, _, let seconds?, _): .clockSkew(seconds: seconds)
        case ("purchaseRefused", _, let code?, _, _): .purchaseRefused(code: code)
        case ("notificationLost", _, _, _, _): .notificationLost
        case ("notificationDuplicated", _, _, _, _): .notificationDuplicated
        case ("notificationReordered", _, _, _, _): .notificationReordered
        case ("notificationDelayed", _, _, let seconds?, _): .notificationDelayed(seconds: seconds)
        case ("signing", _, _, _, let fault?): .signing(fault: fault)
        default: throw UnreadableRecord(value: name)
        }
    }
}
