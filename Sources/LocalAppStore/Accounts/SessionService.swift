import Crypto
import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import PurchaseModel
import PurchaseProof
import StoreProtocol

/// The service that signs accounts in on devices.
struct SessionService: Sendable {
    let context: StoreContext
    let activity: DeviceActivity

    /// Signs an account in on a device.
    ///
    /// The returned token identifies the account, the device, the app and the app's version. The store keeps only the token's hash.
    ///
    /// - Throws: ``AccountError/signInRefused`` if the account does not exist or the password is wrong.
    func signIn(_ request: SignInRequest) async throws -> SignInReply {
        let app = try context.apps.require(request.bundleID)
        guard request.device.bytes != nil else { throw StoreError.invalidValue(field: "device") }
        try Self.check(appVersion: request.appVersion)
        let token = SymmetricKey(size: .bits256).withUnsafeBytes { Base64URL.encode($0) }
        let reply = try await context.transaction { db, now in
            guard let account = try AccountRecord.first("id", request.account.rawValue, db),
                account.password.utf8.elementsEqual(request.password.utf8)
            else {
                throw AccountError.signInRefused
            }
            let session = SessionRecord(
                tokenHash: Self.hash(of: token),
                account: account.id,
                device: request.device,
                appVersion: request.appVersion,
                bundleID: app.bundleID,
                lastTransactionRow: try Int64.fetchOne(db, sql: "SELECT MAX(rowid) FROM transactions") ?? 0
            )
            try session.insert(db)
            _ = try AppDownloadRecord.findOrCreate(account.id, app.bundleID, version: request.appVersion, at: now, db)
            return SignInReply(token: token, storefront: account.storefront(of: app))
        }
        activity.update(request.device, at: context.clock.now)
        return reply
    }

    /// Returns the sign-in of a device that a token identifies.
    ///
    /// - Throws: ``AccountError/signedOut`` if no sign-in has the token.
    func session(token: String) async throws -> SessionRecord {
        let hash = Self.hash(of: token)
        guard let session = try await context.read({ db in try SessionRecord.first("tokenHash", hash, db) }) else {
            throw AccountError.signedOut
        }
        activity.update(session.device, at: context.clock.now)
        return session
    }

    /// Returns whether a device is still signed in.
    func exists(_ session: SessionRecord) async throws -> Bool {
        try await context.read { db in try SessionRecord.first("tokenHash", session.tokenHash, db) != nil }
    }

    /// Returns the sign-in of the device that sent a request, identified by the request's bearer token.
    ///
    /// - Throws: ``AccountError/signedOut`` if the token is missing or unknown.
    func session(of request: Request) async throws -> SessionRecord {
        guard let token = request.bearerToken else { throw AccountError.signedOut }
        let session = try await session(token: token)
        RequestNotes.current?.account = session.account
        return session
    }

    /// Returns the sign-in of the device that sent a request, with the app's version updated to `appVersion`.
    ///
    /// After the user updates the app, new transactions and receipts state the new version. With nil, the version stays.
    func session(of request: Request, running appVersion: String?) async throws -> SessionRecord {
        var session = try await session(of: request)
        guard let appVersion, appVersion != session.appVersion else { return session }
        try Self.check(appVersion: appVersion)
        session.appVersion = appVersion
        do { try await context.transaction { [session] db, _ in try session.update(db) } } catch is RecordError {
            // The account has been removed since the sign-in was read.
            throw AccountError.signedOut
        }
        return session
    }

    private static func check(appVersion: String) throws {
        guard (1...100).contains(appVersion.utf8.count) else { throw StoreError.invalidValue(field: "appVersion") }
    }

    private static func hash(of token: String) -> Data {
        Data(SHA256.hash(data: Data(token.utf8)))
    }
}
