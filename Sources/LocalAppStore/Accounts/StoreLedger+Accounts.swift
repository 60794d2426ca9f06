import Crypto
import Foundation
import GRDB
import PurchaseModel
import PurchaseProof

extension StoreLedger {
    /// Opens an account; opening it again with the same data changes nothing.
    func open(_ request: OpenAccountRequest) async throws {
        guard (1...200).contains(request.account.rawValue.utf8.count) else { throw StoreError.unusable(field: "account") }
        guard (1...1_000).contains(request.password.utf8.count) else { throw StoreError.unusable(field: "password") }
        try await write { db, _ in
            let account = AccountRow(id: request.account, password: request.password, asksToBuy: request.asksToBuy, cardWorks: true)
            try account.insert(db, onConflict: .ignore)
            let known = try AccountRow.require(request.account, db)
            guard known.password == request.password, known.asksToBuy == request.asksToBuy else { throw StoreError.accountTaken }
        }
    }

    /// Signs an account in on a device.
    ///
    /// The token names account, device and version of the app; only its hash is kept.
    func signIn(_ request: SignInRequest) async throws -> SignInReply {
        guard request.bundleID == signer.bundleID else { throw StoreError.appUnknown }
        guard request.device.bytes != nil else { throw StoreError.unusable(field: "device") }
        guard (1...100).contains(request.appVersion.utf8.count) else { throw StoreError.unusable(field: "appVersion") }
        let token = SymmetricKey(size: .bits256).withUnsafeBytes { Base64URL.encode($0) }
        try await write { db, _ in
            guard let account = try AccountRow.fetchOne(db, key: request.account.rawValue), account.password == request.password else {
                throw StoreError.signInRefused
            }
            let session = SessionRow(
                tokenHash: Self.hash(of: token),
                account: account.id,
                device: request.device,
                appVersion: request.appVersion
            )
            try session.insert(db)
        }
        return SignInReply(token: token, storefront: catalogue.storefront)
    }

    /// The sign-in that a token stands for.
    func session(token: String) async throws -> SessionRow {
        let hash = Self.hash(of: token)
        guard let session = try await read({ db in try SessionRow.fetchOne(db, key: hash) }) else { throw StoreError.signedOut }
        return session
    }

    /// What an account was charged, oldest first.
    func charges(of account: AccountID) async throws -> ChargesReply {
        let rows = try await read { db in
            _ = try AccountRow.require(account, db)
            let sql = "SELECT * FROM charges WHERE account = ? ORDER BY id"
            return try ChargeRow.fetchAll(db, sql: sql, arguments: [account.rawValue]).map(\.charge)
        }
        return ChargesReply(charges: rows)
    }

    private static func hash(of token: String) -> Data {
        Data(SHA256.hash(data: Data(token.utf8)))
    }
}
