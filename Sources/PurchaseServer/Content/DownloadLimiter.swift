import PurchaseModel
import Synchronization

/// Counts the requests, the bytes and the running downloads of each download token, in memory.
///
/// The memory is bounded: at its capacity, the limiter discards expired tokens, and then the tokens that expire first. A discarded token
/// regains its full allowance.
///
/// The server records each issued token in the database to limit the number of tokens. The database does not store the use of a token;
/// otherwise, each range request would need a database write. After a restart of the server, a token has its full allowance until it
/// expires, 15 minutes after its issue.
final class DownloadLimiter: Sendable {
    /// The downloads that are permitted with one token.
    struct Allowance: Hashable, Sendable {
        /// The limit in bytes to which the sum of the lengths is reduced, so that the calculation does not overflow.
        private static let longest: Int64 = .max / 8

        /// The number of bytes that can be sent.
        var bytes: Int64
        /// The number of requests that can be sent with the token.
        var requests: Int
        /// The number of downloads that can run at the same time.
        var concurrent: Int

        /// Creates the allowance for the content of a product: three times the bytes of all versions plus 64 MiB for interrupted downloads,
        /// and enough requests for ranges of a mebibyte.
        init(for items: [ContentItem]) {
            var length: Int64 = 0
            for file in items.flatMap(\.versions) { length = min(length + min(file.length, Self.longest), Self.longest) }
            bytes = 3 * length + 64 << 20
            requests = 1_000 + Int(clamping: bytes >> 20)
            concurrent = 8
        }
    }

    private struct Use {
        /// The number that distinguishes this use from an earlier, discarded use of the same token.
        let number: Int64
        var bytes: Int64 = 0
        var requests = 0
        var running = 0
        let expires: Timestamp
    }

    private struct State {
        // reason: the keys are ASCII identifiers that this server created.
        var uses: [String: Use] = [:]
        /// The number of the newest `Use`.
        var newest: Int64 = 0
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// Creates a limiter for at most `capacity` tokens.
    init(capacity: Int = 50_000) {
        self.capacity = max(1, capacity)
    }

    /// The number of tokens whose use the limiter stores.
    var count: Int { state.withLock { $0.uses.count } }

    /// Counts a request with a download token.
    ///
    /// - Throws: ``ContentRefusal/tokenUsedUp`` or ``ContentRefusal/tooManyDownloads``.
    func begin(_ claims: DownloadClaims, _ allowance: Allowance, at now: Timestamp) throws(ContentRefusal) -> MeteredDownload {
        let number = try state.withLock { state throws(ContentRefusal) -> Int64 in
            if state.uses.count >= capacity, state.uses[claims.id] == nil { Self.discard(&state.uses, at: now) }
            var use = state.uses[claims.id] ?? Use(number: state.newest + 1, expires: claims.expires)
            guard use.requests < allowance.requests else { throw .tokenUsedUp }
            guard use.running < allowance.concurrent else { throw .tooManyDownloads }
            use.requests += 1
            use.running += 1
            state.newest = max(state.newest, use.number)
            state.uses[claims.id] = use
            return use.number
        }
        return MeteredDownload(limiter: self, token: claims.id, use: number, limit: allowance.bytes)
    }

    /// Reserves bytes of a token's allowance for a download.
    fileprivate func reserve(_ bytes: Int64, of token: String, _ number: Int64, limit: Int64) throws(ContentRefusal) {
        try state.withLock { state throws(ContentRefusal) in
            let use = state.uses[token].flatMap { $0.number == number ? $0 : nil }
            let (sum, overflow) = (use?.bytes ?? 0).addingReportingOverflow(bytes)
            guard !overflow, sum <= limit else { throw .tokenUsedUp }
            if use != nil { state.uses[token]?.bytes = sum }
        }
    }

    /// Ends a download, and returns the reserved but unsent bytes to the token's allowance.
    fileprivate func end(_ token: String, _ number: Int64, unsent: Int64) {
        state.withLock { state in
            guard var use = state.uses[token], use.number == number else { return }
            use.running = max(0, use.running - 1)
            use.bytes -= unsent
            state.uses[token] = use
        }
    }

    /// Removes the expired tokens, and if fewer than half have expired, the half of the other tokens that expires first.
    private static func discard(_ uses: inout [String: Use], at now: Timestamp) {
        let count = uses.count
        uses = uses.filter { $0.value.expires > now }
        guard uses.count > count / 2 else { return }
        let dates = uses.values.map(\.expires).sorted()
        let middle = dates[dates.count / 2]
        uses = uses.filter { $0.value.expires > middle }
    }
}

/// A download that a ``DownloadLimiter`` counts as running until this value is released.
final class MeteredDownload: Sendable {
    private let limiter: DownloadLimiter
    private let token: String
    /// The number of the token's `Use` in the limiter.
    private let use: Int64
    private let limit: Int64
    private let unsent = Mutex<Int64>(0)

    fileprivate init(limiter: DownloadLimiter, token: String, use: Int64, limit: Int64) {
        self.limiter = limiter
        self.token = token
        self.use = use
        self.limit = limit
    }

    deinit {
        limiter.end(token, use, unsent: unsent.withLock { $0 })
    }

    /// Reserves the bytes of the response.
    ///
    /// - Throws: ``ContentRefusal/tokenUsedUp`` if the token's allowance has fewer bytes left.
    func reserve(_ bytes: Int64) throws(ContentRefusal) {
        try limiter.reserve(bytes, of: token, use, limit: limit)
        unsent.withLock { $0 += bytes }
    }

    /// Records sent bytes; the end of the download returns only unsent bytes to the token's allowance.
    func sent(_ bytes: Int64) {
        unsent.withLock { $0 -= bytes }
    }
}
