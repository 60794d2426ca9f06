import Foundation
import HTTPTypes
import Hummingbird
import PurchaseModel
import PurchaseStorage
import Synchronization
import Wire
import WireServer

/// Finds the caller of each request by the API key in its `Authorization` header, and limits the rate of requests.
///
/// A request without an API key continues without a caller, because a few endpoints require no key. Every other endpoint calls
/// ``ServerContext/caller(_:)``, which refuses a request without a caller.
struct CallerMiddleware: RouterMiddleware {
    typealias Context = ServerContext

    /// The maximum time in seconds until every server process that can read the database refuses a revoked key.
    static let cacheSeconds: Int64 = 5
    /// The time in seconds for which a cached key is accepted while the database can't be read.
    private static let outageSeconds: Int64 = 3_600
    private static let cacheCapacity = 1_000
    private static let tokenCapacity = 500_000

    private enum Sender: Hashable, Sendable {
        case key(String)
        /// An installation, identified by the first eight bytes of its customer token's digest.
        case installation(UInt64)
        case peer(key: String, String)
    }

    private struct Cached: Sendable {
        let caller: Caller
        let until: Timestamp
    }

    private let apps: Apps
    private let clock: any WallClock
    private let installations: TokenBucketLimiter<Sender>
    private let backends: TokenBucketLimiter<Sender>
    private let proxies: TrustedProxies
    private let limits: LimitLog
    private let cache = Cache()

    private final class Cache: Sendable {
        let entries = Mutex<[Data: Cached]>([:])
        /// The first eight bytes of the digests of customer tokens that the server issued.
        ///
        /// A deleted token stays in the set, and its requests are still counted by token.
        let issuedTokens = Mutex<Set<UInt64>>([])
    }

    init(apps: Apps, rates: RequestRates, proxies: TrustedProxies, clock: any WallClock, limits: LimitLog) {
        self.apps = apps
        self.proxies = proxies
        self.clock = clock
        self.limits = limits
        installations = TokenBucketLimiter(rates.installation)
        backends = TokenBucketLimiter(rates.backend)
    }

    func handle(
        _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        guard let text = request.bearerToken, APIKeyKind.allCases.contains(where: { text.hasPrefix($0.prefix) }) else {
            return try await next(request, context)
        }
        guard let secret = BearerSecret(text), var caller = try await caller(secret) else { throw CallerRefusal.unknownKey }
        caller.tokenDigest = request.headers[.customerToken].flatMap(BearerSecret.init)?.digest
        let limit = await count(request, of: caller, context)
        if let limit, let seconds = limit.wait {
            let refusal = CallerRefusal.tooManyRequests(seconds: seconds, limit: limit, isBackend: caller.isBackend)
            limits.report(
                caller.isBackend ? "request-rates.backend-per-second" : "request-rates.installation-per-second",
                peer: proxies.clientAddress(peer: context.peer, request.headers), reason: refusal.wireError.code)
            throw refusal
        }
        var context = context
        context.caller = caller
        var response = try await next(request, context)
        if let limit { response.headers.append(contentsOf: limit.headers(isBackend: caller.isBackend)) }
        return response
    }

    private func caller(_ secret: BearerSecret) async throws -> Caller? {
        let (digest, now) = (secret.digest, clock.now)
        if let cached = cache.entries.withLock({ $0[digest] }), now < cached.until { return cached.caller }
        for app in apps.all {
            let key: APIKeyRecord?
            do {
                key = try await app.storage.readCommitted(app.id) { try $0.apiKey(digest: digest) }
            } catch let error as StorageError {
                // Accept a recently used key while the database is unreachable: writes fail anyway, and reads return recent results.
                guard let cached = cache.entries.withLock({ $0[digest] }), now < cached.until.adding(seconds: Self.outageSeconds) else {
                    throw error
                }
                return cached.caller
            }
            guard let key else { continue }
            guard key.revokedAt == nil else {
                // Remove the cached key, so that the server does not accept the revoked key during a later outage.
                cache.entries.withLock { $0[digest] = nil }
                return nil
            }
            let caller = Caller(app: app, key: key)
            cache.entries.withLock { entries in
                if entries.count >= Self.cacheCapacity { entries = [:] }
                entries[digest] = Cached(caller: caller, until: now.adding(seconds: Self.cacheSeconds))
            }
            return caller
        }
        return nil
    }

    /// Counts a request, and returns the state of the caller's limit; nil without a limit.
    ///
    /// All installations of an app share a publishable key, so the server counts each installation by its customer token. The server counts
    /// a request without a token, or with an unknown token, by the client's address, so that an invented token does not raise the limit.
    private func count(_ request: Request, of caller: Caller, _ context: ServerContext) async -> RateLimitState? {
        guard !caller.isBackend else { return backends.state(after: .key(caller.key.id), at: clock.now) }
        if let digest = caller.tokenDigest {
            let prefix = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            if await isIssued(digest, prefix, to: caller) { return installations.state(after: .installation(prefix), at: clock.now) }
        }
        let client = proxies.clientName(peer: context.peer, request.headers)
        return installations.state(after: .peer(key: caller.key.id, client), at: clock.now)
    }

    /// Returns whether the server issued a customer token; false if the token is not cached and the database can't be read.
    ///
    /// The method compares only the first eight bytes of the digest. An invented token with the same first bytes shares the rate of the
    /// issued token and has no other effect.
    private func isIssued(_ digest: Data, _ prefix: UInt64, to caller: Caller) async -> Bool {
        if cache.issuedTokens.withLock({ $0.contains(prefix) }) { return true }
        let app = caller.app
        guard (try? await app.storage.readCommitted(app.id) { try $0.customer(tokenDigest: digest) }) != nil else { return false }
        cache.issuedTokens.withLock { known in
            if known.count >= Self.tokenCapacity { known = [] }
            known.insert(prefix)
        }
        return true
    }
}

/// Refuses requests without an API key before their body is read.
struct RequiredCallerMiddleware: RouterMiddleware {
    typealias Context = ServerContext

    func handle(
        _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        guard context.caller != nil else { throw CallerRefusal.missingKey }
        return try await next(request, context)
    }
}

extension RateLimitState {
    /// The headers `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10).
    func headers(isBackend: Bool) -> HTTPFields {
        let policy = isBackend ? "backend" : "installation"
        return [
            .rateLimitPolicy: "\"\(policy)\";q=\(quota);w=\(window)", .rateLimit: "\"\(policy)\";r=\(remaining);t=\(reset)",
        ]
    }
}

extension Request {
    /// The bearer token of the `Authorization` header (RFC 6750); nil if there is none.
    var bearerToken: String? {
        guard let value = headers[.authorization]?.utf8, let space = value.firstIndex(of: UInt8(ascii: " ")) else { return nil }
        // Ignore the case of `Bearer`: setting the bit 0x20 converts ASCII letters to lower case, and no other character to a letter.
        guard value[..<space].lazy.map({ $0 | 0x20 }).elementsEqual("bearer".utf8) else { return nil }
        let blanks = [UInt8(ascii: " "), UInt8(ascii: "\t")]
        var token = value[space...].drop(while: blanks.contains)
        while let last = token.last, blanks.contains(last) { token.removeLast() }
        return String(Substring(token))
    }
}
