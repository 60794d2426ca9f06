import Foundation
import GRDB
import PurchaseModel
import PurchaseProof
import PurchaseProtocol

extension StoreLedger {
    /// Returns the app, the account and the products that a request concerns, with which faults are compared.
    ///
    /// The contents of the request are not authenticated: they only select faults, and the store authenticates the request afterwards.
    func faultCall(_ surface: FaultSurface, path: String, bearer token: String?, body: Data) async throws -> FaultCall {
        var call = FaultCall(surface: surface, path: path)
        switch surface {
        case .device:
            if let token, let session = try? await session(token: token) {
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
        for row in try await read({ db in try ids.compactMap { try TransactionRecord.find($0, db) } }) {
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
