import GRDB
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// The maximum number of enabled faults.
    static let faultLimit = 1_000

    /// The enabled faults, oldest first.
    func faultsOn() async throws -> FaultsReply {
        try await read { db in FaultsReply(faults: try board(db).entries) }
    }

    /// Enables a fault.
    func set(_ fault: Fault) async throws -> FaultsReply.Entry {
        if let field = fault.unusableField { throw StoreError.unusable(field: field) }
        return try await write { db, now in
            guard try FaultRecord.fetchCount(db) < Self.faultLimit else { throw StoreError.tooManyFaults }
            try FaultRecord(id: nil, fault: fault).insert(db)
            let id = db.lastInsertedRowID
            try faults.change(db)
            try record(event(fault, at: now, "is on"), db)
            return FaultsReply.Entry(id: id, fault: fault)
        }
    }

    /// Disables one fault, or all faults; a fault that is already disabled does not change.
    func clearFaults(_ id: Int64? = nil) async throws {
        try await write { db, now in
            for entry in try board(db).entries where id == nil || entry.id == id {
                try FaultRecord.deleteOne(db, key: entry.id)
                try record(event(entry.fault, at: now, "is off"), db)
            }
            try faults.change(db)
        }
    }

    /// The effects of faults on a request; the remaining counts are saved, and an event is recorded.
    func strike(_ call: FaultCall, at now: Timestamp, _ db: Database) throws -> CallEffects {
        guard faults.areOn else { return CallEffects() }
        var board = try board(db)
        let effects = board.decide(call)
        for entry in effects.struck {
            if entry.fault.isUsedUp {
                try FaultRecord.deleteOne(db, key: entry.id)
            } else if entry.fault.count != nil {
                try FaultRecord(id: entry.id, fault: entry.fault).update(db)
            }
            var event = event(entry.fault, at: now, "struck \(call.path.isEmpty ? call.surface.rawValue : call.path)")
            event.account = call.account
            event.bundleID = call.bundleID
            try record(event, db)
        }
        if !effects.struck.isEmpty { try faults.change(db) }
        return effects
    }

    /// The effects of faults on a notification.
    func strikeNotification(
        in bundleID: BundleID, about row: TransactionRecord?, at now: Timestamp, _ db: Database
    ) throws -> CallEffects {
        guard faults.areOn else { return CallEffects() }
        let products: Set<ProductID> = row.map { [$0.productID] } ?? []
        let call = FaultCall(surface: .notifications, bundleID: bundleID, account: row?.account, products: products)
        return try strike(call, at: now, db)
    }

    private func board(_ db: Database) throws -> FaultBoard {
        FaultBoard(
            try FaultRecord.fetchAll(db.cachedStatement(sql: "SELECT * FROM faults ORDER BY id")).map {
                FaultsReply.Entry(id: $0.id ?? 0, fault: $0.fault)
            })
    }

    private func event(_ fault: Fault, at now: Timestamp, _ what: String) -> EventRecord {
        EventRecord(
            date: now, kind: .fault, bundleID: fault.bundleID, account: fault.account, productID: fault.productID,
            detail: "\(fault.kind.name) \(what)"
        )
    }
}

extension FaultKind {
    /// The display name of the fault.
    fileprivate var name: String {
        switch self {
        case .delay: "delay"
        case .lostReply: "lost reply"
        case .status(let code, _): "status \(code)"
        case .verifyReceiptStatus(let code, _): "verifyReceipt status \(code)"
        case .verifyReceiptOutage: "verifyReceipt outage"
        case .wrongClock: "wrong clock"
        case .purchaseRefused(let code): "purchase refused with \(code)"
        case .notificationLost: "lost notification"
        case .notificationDoubled: "doubled notification"
        case .notificationShuffled: "shuffled notification"
        case .notificationLate: "late notification"
        case .signing(let fault): "signature with \(fault)"
        }
    }
}
