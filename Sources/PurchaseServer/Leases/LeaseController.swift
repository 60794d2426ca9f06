import Foundation
import HTTPTypes
import Hummingbird
import MessageSignatures
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseStorage
import ServerProtocol
import Wire
import WireServer

/// The endpoints for the server's public keys, and for leases, which let a device use entitlements and show balances offline.
struct LeaseController: Sendable {
    /// The issuer of all leases (`iss`).
    static let issuer = "tillroll-server"

    let lifetimeSeconds: Int64
    let clock: any WallClock

    func addRoutes(to router: some RouterMethods<ServerContext>) {
        // Add the route without an endpoint, because the response has the media type of a key set (RFC 7517).
        router.get(RouterPath(ServerEndpoints.verificationKeys.template)) { _, context in
            let keys = try context.caller(.submitPurchases).app.answers.verificationKeys
            return Response(
                status: .ok, headers: [.contentType: "application/jwk-set+json", .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: ByteBuffer(data: keys.jwks)))
        }
        router.mount(ServerEndpoints.lease) { body, request, context in
            let caller = try context.caller(.readCustomers)
            return try await lease(body, for: request.requiredCustomer(of: caller), of: caller.app)
        }
    }

    private func lease(_ request: LeaseRequest, for reference: CustomerReference, of app: AppServices) async throws -> LeaseReply {
        guard let deviceKey = KeyThumbprint(request.deviceKey) else { throw LeaseRefusal.deviceKey }
        let list = try await app.entitlements.unbroken(of: reference)
        // Refuse the state of an earlier read, because a lease would prolong an outdated state for days.
        guard list.staleSince == nil else { throw LeaseRefusal.stale }
        guard let customer = list.customer else { throw CustomerRefusal.unknown }
        let balances = try await app.ledger.balances(of: reference)
        guard balances.staleSince == nil else { throw LeaseRefusal.stale }
        let now = clock.now
        let expires = now.adding(seconds: lifetimeSeconds)
        let active = list.entitlements.filter(\.isActive)
        var entitlements = active.prefix(LeasePayload.maximumEntitlements)
        var listed = balances.balances.prefix(LeasePayload.maximumBalances)
        while true {
            let payload = LeasePayload(
                issuer: Self.issuer, customer: customer, bundleID: app.id, issuedAt: now, expires: expires,
                id: UUID().uuidString.lowercased(), deviceKey: deviceKey,
                entitlements: entitlements.map { LeasedEntitlement($0.name.rawValue, until: $0.until) },
                balances: listed.map { LeasedBalance($0.currency, amount: $0.amount, isFrozen: $0.isFrozen) })
            switch Result(catching: { () throws(LeaseError) in try app.answers.leases.issue(payload) }) {
            case .success(let lease):
                return LeaseReply(
                    lease: lease.compact, expires: payload.expires,
                    isTruncated: active.count > entitlements.count || balances.balances.count > listed.count ? true : nil)
            case .failure(.tooLarge) where !entitlements.isEmpty || !listed.isEmpty:
                // With long names, fewer than the maximum number of elements fill a lease. Shorten the larger list only, so that many
                // entitlements remove no balances, and many balances no entitlements.
                if payload.sizeOfBalances > payload.sizeOfEntitlements {
                    listed = listed.prefix(listed.count * 7 / 8)
                } else {
                    entitlements = entitlements.prefix(entitlements.count * 7 / 8)
                }
            case .failure(let error): throw error
            }
        }
    }
}

extension LeasePayload {
    /// The approximate number of bytes of an element in the JSON of a lease without the name: its keys, and a date or an amount.
    private static let elementSize = 36

    /// The approximate size of the entitlements in bytes; 0 for none.
    fileprivate var sizeOfEntitlements: Int { entitlements.reduce(0) { $0 + $1.name.utf8.count + Self.elementSize } }

    /// The approximate size of the balances in bytes; 0 for none.
    fileprivate var sizeOfBalances: Int { (balances ?? []).reduce(0) { $0 + $1.currency.rawValue.utf8.count + Self.elementSize } }
}

/// The reason why the server issues no lease.
enum LeaseRefusal: Error, Hashable, WireRefusal {
    /// The thumbprint of the device's key is invalid.
    case deviceKey
    /// The database can't be read, and only the state of an earlier read is available.
    case stale

    var status: HTTPResponse.Status {
        switch self {
        case .deviceKey: .badRequest
        case .stale: .serviceUnavailable
        }
    }

    var retryAfterSeconds: Int? {
        switch self {
        case .deviceKey: nil
        case .stale: 30
        }
    }

    var wireError: WireError {
        switch self {
        case .deviceKey:
            WireError(
                code: "lease.device-key",
                message: "Set deviceKey to the SHA-256 thumbprint of the device's public key (RFC 7638), in base64url.")
        case .stale:
            WireError(
                code: "storage.unavailable",
                message: "The server can't read the customer's present state, so it issues no lease. Send the same request again later.")
        }
    }
}
