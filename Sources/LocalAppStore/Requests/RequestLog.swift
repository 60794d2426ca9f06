import DequeModule
import Foundation
import NIOCore
import PurchaseModel
import StoreProtocol
import Synchronization

/// The newest requests that a store has received, for people who look for the reason of a refusal.
///
/// They are in memory only: the log is for the time in which somebody looks, and a write for each request would halve the store's speed.
final class RequestLog: Sendable {
    /// The maximum number of requests to the control API, and of all others, so that the pages of the console do not displace the others.
    static let controlLimit = 200
    static let limit = 800
    /// The maximum size of all bodies and texts in bytes.
    static let byteLimit = 16 << 20
    /// The maximum size of one body in bytes.
    static let bodyLimit = 64 << 10

    /// The maximum sizes of the texts of a request in bytes; a longer text is cut.
    enum TextLimit {
        static let method = 32
        static let path = 2_000
        static let query = 2_000
        static let code = 100
        static let reason = 1_000
        static let client = 200
    }

    /// A request with its bodies.
    struct Entry: Sendable {
        var summary: RequestSummary
        /// Replaces the secrets in the bodies when they are shown.
        var mask = SecretMask()
        var request: ByteBuffer?
        var requestLength: Int?
        var response: ByteBuffer?
        var responseLength: Int?

        fileprivate var size: Int {
            let texts = [
                summary.method, summary.path, summary.code, summary.reason, summary.account?.rawValue, summary.client, summary.requestID,
            ]
            return mask.size + (request?.readableBytes ?? 0) + (response?.readableBytes ?? 0)
                + texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
        }
    }

    /// Entries of which the oldest are removed beyond a limit.
    private struct NewestEntries {
        let limit: Int
        private(set) var entries: Deque<Entry> = []

        init(limit: Int) { self.limit = limit }

        /// The entries after one with an identifier.
        func entries(after id: Int64) -> Slice<Deque<Entry>> {
            var start = entries.endIndex
            while start > entries.startIndex, entries[start - 1].summary.id > id { start -= 1 }
            return entries[start...]
        }

        /// Adds an entry, and returns the size of the removed one.
        mutating func append(_ entry: Entry) -> Int {
            entries.append(entry)
            return entries.count > limit ? removeOldest() : 0
        }

        /// Removes the oldest entry, and returns its size; 0 if there is none.
        mutating func removeOldest() -> Int { entries.popFirst()?.size ?? 0 }
    }

    private struct State {
        var control = NewestEntries(limit: RequestLog.controlLimit)
        var others = NewestEntries(limit: RequestLog.limit)
        var lastID: Int64 = 0
        var size = 0
        var readers: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastReader = 0
    }

    private let state = Mutex(State())

    /// Adds a request, which gets the next identifier.
    func append(_ entry: Entry) {
        let readers = state.withLock { state in
            var entry = entry
            state.lastID += 1
            entry.summary.id = state.lastID
            state.size += entry.size
            let isControl = entry.summary.surface == .control
            state.size -= isControl ? state.control.append(entry) : state.others.append(entry)
            while state.size > Self.byteLimit {
                let removesControl = state.others.entries.first.map { oldest in
                    state.control.entries.first.map { $0.summary.id < oldest.summary.id } ?? false
                }
                state.size -= removesControl ?? true ? state.control.removeOldest() : state.others.removeOldest()
            }
            return Array(state.readers.values)
        }
        for reader in readers { reader.yield() }
    }

    /// Returns the newest requests that match a query, oldest first.
    func requests(_ query: RequestQuery) -> [RequestSummary] { read(query).found }

    /// Returns the newest requests that match a query, oldest first, and the identifier of the newest request of all.
    ///
    /// An identifier that the log has not reached is one of an earlier process of the store, after which everything is new.
    func read(_ query: RequestQuery) -> (found: [RequestSummary], last: Int64) {
        let (control, others, last) = state.withLock { state in
            let after = query.after > state.lastID ? 0 : query.after
            return (Array(state.control.entries(after: after)), Array(state.others.entries(after: after)), state.lastID)
        }
        let found = (control + others).filter { query.matches($0) }.map(\.summary).sorted { $0.id < $1.id }
        return (Array(found.suffix(max(query.limit, 0))), last)
    }

    /// Returns a request with its bodies; nil if the log has it no longer.
    func request(_ id: Int64) -> RequestDetails? {
        let entry = state.withLock { state in
            state.others.entries.first { $0.summary.id == id } ?? state.control.entries.first { $0.summary.id == id }
        }
        return entry.map { entry in
            RequestDetails(
                summary: entry.summary, requestBody: entry.request.flatMap(entry.mask.text), requestLength: entry.requestLength,
                responseBody: entry.response.flatMap(entry.mask.text), responseLength: entry.responseLength)
        }
    }

    /// Returns a sequence with one element immediately, and one element after each request.
    func changes() -> AsyncStream<Void> {
        let (stream, reader) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.lastReader += 1
            state.readers[state.lastReader] = reader
            return state.lastReader
        }
        reader.onTermination = { [weak self] _ in self?.state.withLock { _ = $0.readers.removeValue(forKey: id) } }
        reader.yield()
        return stream
    }
}

extension RequestQuery {
    fileprivate func matches(_ entry: RequestLog.Entry) -> Bool {
        let summary = entry.summary
        guard surfaces.isEmpty || summary.surface.map(surfaces.contains) ?? false else { return false }
        guard !withoutControl || summary.surface != .control else { return false }
        guard !onlyFailed || summary.isFailure else { return false }
        guard let text, !text.isEmpty else { return true }
        // A part of an identifier would find unrelated requests, because the digits are random.
        if summary.requestID == text.lowercased() { return true }
        let texts = [summary.path, summary.account?.rawValue, summary.reason, summary.code, "\(summary.status)"].compactMap { $0 }
        if texts.contains(where: { $0.range(of: text, options: .caseInsensitive) != nil }) { return true }
        // A secret can't be guessed by searching for it, because the bodies are searched as they are shown.
        return [entry.request, entry.response].contains { body in
            body.flatMap(entry.mask.text)?.range(of: text, options: .caseInsensitive) != nil
        }
    }
}
