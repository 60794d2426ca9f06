import PurchaseModel
import Synchronization

/// Counts the requests, the bytes and the running downloads of each download token, in memory.
///
/// The memory is bounded: at its capacity, the meter discards expired tokens, and then the tokens that expire first. A discarded token
/// regains its full allowance.
final class DownloadMeter: Sendable {
    /// The downloads that are permitted with one token.
    struct Allowance: Hashable, Sendable {
        /// The maximum length with which content counts, so that sums do not overflow.
        private static let longest: Int64 = .max / 8

        /// The number of bytes that can be sent.
        var bytes: Int64
        /// The number of requests.
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
        var bytes: Int64 = 0
        var requests = 0
        var running = 0
        let expires: Timestamp
    }

    private let capacity: Int
    // reason: the keys are identifiers that this server created.
    private let uses = Mutex<[String: Use]>([:])

    /// Creates a meter for at most `capacity` tokens.
    init(capacity: Int = 50_000) {
        self.capacity = max(1, capacity)
    }

    /// The number of counted tokens.
    var count: Int { uses.withLock { $0.count } }

    /// Counts a request.
    ///
    /// - Throws: ``ContentRefusal/tokenUsedUp`` or ``ContentRefusal/tooManyDownloads``.
    func begin(_ claims: DownloadClaims, _ allowance: Allowance, at now: Timestamp) throws(ContentRefusal) -> MeteredDownload {
        try uses.withLock { uses throws(ContentRefusal) in
            if uses.count >= capacity, uses[claims.id] == nil { Self.discard(&uses, at: now) }
            var use = uses[claims.id] ?? Use(expires: claims.expires)
            guard use.requests < allowance.requests else { throw .tokenUsedUp }
            guard use.running < allowance.concurrent else { throw .tooManyDownloads }
            use.requests += 1
            use.running += 1
            uses[claims.id] = use
        }
        return MeteredDownload(meter: self, token: claims.id, limit: allowance.bytes)
    }

    /// Reserves bytes of a token's allowance for a download.
    fileprivate func reserve(_ bytes: Int64, of token: String, limit: Int64) throws(ContentRefusal) {
        try uses.withLock { uses throws(ContentRefusal) in
            let (sum, overflow) = (uses[token]?.bytes ?? 0).addingReportingOverflow(bytes)
            guard !overflow, sum <= limit else { throw .tokenUsedUp }
            uses[token]?.bytes = sum
        }
    }

    /// Ends a download, and gives the reserved bytes that the server did not send back to the token's allowance.
    fileprivate func end(_ token: String, unsent: Int64) {
        uses.withLock { uses in
            guard var use = uses[token] else { return }
            use.running = max(0, use.running - 1)
            use.bytes -= unsent
            uses[token] = use
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

/// A download that a ``DownloadMeter`` counts until this value is released.
final class MeteredDownload: Sendable {
    private let meter: DownloadMeter
    private let token: String
    private let limit: Int64
    private let unsent = Mutex<Int64>(0)

    fileprivate init(meter: DownloadMeter, token: String, limit: Int64) {
        self.meter = meter
        self.token = token
        self.limit = limit
    }

    deinit {
        meter.end(token, unsent: unsent.withLock { $0 })
    }

    /// Reserves the bytes of the response.
    ///
    /// - Throws: ``ContentRefusal/tokenUsedUp`` if the token's allowance has fewer bytes left.
    func reserve(_ bytes: Int64) throws(ContentRefusal) {
        try meter.reserve(bytes, of: token, limit: limit)
        unsent.withLock { $0 += bytes }
    }

    /// Records sent bytes, which the end of the download does not give back to the token's allowance.
    func sent(_ bytes: Int64) {
        unsent.withLock { $0 -= bytes }
    }
}
