import Foundation
import FoundationExtras
import GRDB
import PurchaseModel
import PurchaseProof
import StoreProtocol

/// The service that enables faults (simulated failures), and determines their effects.
struct FaultService: Sendable {
    let context: StoreContext
    let sessions: SessionService
    let events: EventService

    /// The maximum number of faults that are enabled at the same time.
    static let faultLimit = 1_000

    /// Returns the enabled faults, oldest first.
    func enabledFaults() async throws -> FaultsReply {
        try await context.read { db in FaultsReply(faults: try enabledFaults(db).entries) }
    }

    /// Enables a fault, which simulates a failure of the store.
    ///
    /// - Throws: ``StoreError/invalidValue(field:)`` if the fault is invalid, or ``FaultError/tooMany`` if too many faults are
    ///   enabled.
    func enable(_ fault: Fault) async throws -> EnabledFault {
        if let field = fault.invalidField { throw StoreError.invalidValue(field: field) }
        return try await context.transaction { db, now in
            guard try FaultRecord.fetchCount(db) < Self.faultLimit else { throw FaultError.tooMany }
            try FaultRecord(id: nil, fault: fault).insert(db)
            let id = db.lastInsertedRowID
            try context.faultFlag.change(db)
            try events.insertEvent(event(fault, at: now, "enabled"), db)
            return EnabledFault(id: id, fault: fault)
        }
    }

    /// Disables the fault with an identifier, or all faults if `id` is nil; the call has no effect on a fault that is not enabled.
    func disableFaults(_ id: Int64? = nil) async throws {
        try await context.transaction { db, now in
            for entry in try enabledFaults(db).entries where id == nil || entry.id == id {
                try FaultRecord.deleteOne(db, key: entry.id)
                try events.insertEvent(event(entry.fault, at: now, "disabled"), db)
            }
            try context.faultFlag.change(db)
        }
    }

    /// Returns the effects of the enabled faults on a request or a notification.
    ///
    /// The method also saves the remaining counts of the faults, and records an event for each fault that has an effect.
    func applyFaults(_ call: FaultCall, at now: Timestamp, _ db: Database) throws -> CallEffects {
        guard context.faultFlag.hasEnabledFaults else { return CallEffects() }
        var enabledFaults = try enabledFaults(db)
        let effects = enabledFaults.apply(call)
        for entry in effects.applied {
            if entry.fault.isExhausted {
                try FaultRecord.deleteOne(db, key: entry.id)
            } else if entry.fault.count != nil {
                try FaultRecord(id: entry.id, fault: entry.fault).update(db)
            }
            var event = event(entry.fault, at: now, "applied to \(call.path.isEmpty ? call.surface.rawValue : call.path)")
            event.account = call.account
            event.bundleID = call.bundleID
            try events.insertEvent(event, db)
        }
        if !effects.applied.isEmpty { try context.faultFlag.change(db) }
        return effects
    }

    /// Returns the effects of the enabled faults on a notification.
    ///
    /// - Parameter row: The transaction that the notification is about; nil if it is not about a transaction.
    func applyNotificationFaults(
        in bundleID: BundleID, about row: TransactionRecord?, at now: Timestamp, _ db: Database
    ) throws -> CallEffects {
        guard context.faultFlag.hasEnabledFaults else { return CallEffects() }
        let products: Set<ProductID> = row.map { [$0.productID] } ?? []
        let call = FaultCall(surface: .notifications, bundleID: bundleID, account: row?.account, products: products)
        return try applyFaults(call, at: now, db)
    }

    private func enabledFaults(_ db: Database) throws -> EnabledFaults {
        EnabledFaults(
            try FaultRecord.fetchAll(db.cachedStatement(sql: "SELECT * FROM faults ORDER BY id")).map {
                EnabledFault(id: $0.id ?? 0, fault: $0.fault)
            })
    }

    private func event(_ fault: Fault, at now: Timestamp, _ change: String) -> EventRecord {
        EventRecord(
            date: now, kind: .fault, bundleID: fault.bundleID, account: fault.account, productID: fault.productID,
            detail: "\(fault.kind.name) \(change)"
        )
    }

    /// Returns the app, the account and the products that a request concerns, with which faults are compared.
    ///
    /// The contents of the request are not authenticated: they only select faults, and the store authenticates the request afterwards.
    func faultCall(_ surface: FaultSurface, path: String, bearer token: String?, body: Data) async throws -> FaultCall {
        var call = FaultCall(surface: surface, path: path)
        switch surface {
        case .device:
            if let token, let session = try? await sessions.session(token: token) {
                (call.account, call.bundleID) = (session.account, session.bundleID)
            }
            guard let requestBody = try? WireJSON.decode(DeviceRequestBody.self, from: body) else { return call }
            call.products = Set((requestBody.productIDs ?? []) + [requestBody.productID].compactMap { $0 })
            return try await adding([requestBody.transactionID].compactMap { $0 }, to: call)
        case .verifyReceipt:
            guard let request = try? WireJSON.decode(VerifyReceiptRequest.self, from: body),
                let data = request.receiptData.flatMap({ Data(base64Encoded: $0) }), let receipt = try? UnverifiedReceipt([UInt8](data))
            else { return call }
            call.bundleID = receipt.payload.bundleID
            return try await adding(receipt.payload.purchases.map(\.transactionID), to: call)
        case .serverAPI:
            call.bundleID = token.flatMap(Self.bundleID(inToken:))
            return try await adding(path.split(separator: "/").map { TransactionID(String($0)) }, to: call)
        case .notifications:
            return call
        }
    }

    /// Adds the account, the app and the products of transactions to the properties of a request.
    private func adding(_ ids: [TransactionID], to call: FaultCall) async throws -> FaultCall {
        var call = call
        for row in try await context.read({ db in try ids.compactMap { try TransactionRecord.find($0, db) } }) {
            call.account = call.account ?? row.account
            call.bundleID = call.bundleID ?? row.bundleID
            call.products.insert(row.productID)
        }
        return call
    }

    /// Returns the bundle identifier (`bid`) that a token for the App Store Server API claims; nil if the token is unreadable.
    private static func bundleID(inToken token: String) -> BundleID? {
        (try? WireJSON.decode(TokenClaims.self, from: Data(UnverifiedJWS(token).payload)))?.bid
    }

    private struct DeviceRequestBody: Decodable {
        var productID: ProductID?
        var productIDs: [ProductID]?
        var transactionID: TransactionID?
    }

    private struct TokenClaims: Decodable {
        var bid: BundleID?
    }
}

extension FaultKind {
    /// The name of the fault in the details of events.
    fileprivate var name: String {
        switch self {
        case .delay: "delay"
        case .lostReply: "lost reply"
        case .status(let code, _): "status \(code)"
        case .verifyReceiptStatus(let code, _): "verifyReceipt status \(code)"
        case .verifyReceiptOutage: "verifyReceipt outage"
        case .clockSkew: "clock skew"
        case .purchaseRefused(let code): "purchase refused with \(code)"
        case .notificationLost: "lost notification"
        case .notificationDuplicated: "duplicated notification"
        case .notificationReordered: "reordered notification"
        case .notificationDelayed: "delayed notification"
        case .signing(let fault): "signature with \(fault)"
        }
    }
}
