import PurchaseModel
import PurchaseStorage
import Synchronization

/// The results of recent reads, which answer requests while the database can't be read.
///
/// Two generations of results bound the memory: when the newer generation is full, the cache discards the older generation. A result that
/// answers a request moves to the newer generation, so that the results of frequent callers stay.
final class RecentReads<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        let value: Value
        let date: Timestamp
    }

    private struct Generations {
        var newer: [Key: Entry] = [:]
        var older: [Key: Entry] = [:]
    }

    /// The maximum age in seconds of a result that answers a request: a day.
    private static var maximumAge: Int64 { 86_400 }

    private let capacity: Int
    private let generations = Mutex(Generations())

    /// Creates a cache of at most `2 * capacity` results.
    init(capacity: Int = 10_000) {
        self.capacity = max(1, capacity)
    }

    /// Reads a value, or returns the result of the last read if the database can't be read.
    ///
    /// - Returns: The value, and the date of the last read if the value is not current.
    /// - Throws: `StorageError` if the database can't be read and no recent value exists, or another error of `body`.
    func value(
        for key: Key, at now: Timestamp, _ body: () async throws -> Value
    ) async throws -> (value: Value, staleSince: Timestamp?) {
        do {
            let value = try await body()
            insert(Entry(value: value, date: now), for: key)
            return (value, nil)
        } catch let error as StorageError {
            guard let entry = entry(for: key), now <= entry.date.adding(seconds: Self.maximumAge) else { throw error }
            return (entry.value, entry.date)
        }
    }

    private func insert(_ entry: Entry, for key: Key) {
        generations.withLock { generations in
            if generations.newer.count >= capacity, generations.newer[key] == nil {
                generations.older = generations.newer
                generations.newer = [:]
            }
            generations.newer[key] = entry
        }
    }

    private func entry(for key: Key) -> Entry? {
        let found = generations.withLock { $0.newer[key] ?? $0.older[key] }
        if let found { insert(found, for: key) }
        return found
    }
}
