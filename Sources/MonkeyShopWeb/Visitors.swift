import Foundation
package import Logging
import PrivateFiles
package import PurchaseModel
package import PurchaseServer
import Synchronization

/// The limits of a shop that anybody may visit.
package struct ShopLimits: Sendable {
    /// The maximum number of visitors at the same time.
    package var visitors = 100
    /// The time without an action after which a visitor's phones, store and server are deleted.
    package var idleSeconds: Int64 = 1_800
    /// The maximum number of actions of a visitor whose effects have not ended.
    package var actions = 32
    /// The rate of a visitor's actions.
    package var rate = RequestRate(perSecond: 10, burst: 40)

    /// Creates the default limits.
    package init() {}
}

/// The visitors of the shop, each with a store, a server and phones of their own.
///
/// A visitor is known by a random token in a cookie.
package actor Visitors {
    /// A visitor, and the actions that are to be carried out.
    struct Session: Sendable {
        let visitor: Visitor
        let actions: AsyncStream<ShopAction>.Continuation
        /// Counts an action; returns the number of seconds to wait if there were too many, and nil otherwise.
        let waitingTime: @Sendable () -> Int?
    }

    private struct Request: Sendable {
        let token: String
        let language: PageLanguage
        let answer: CheckedContinuation<Bool, Never>
    }

    private struct Entry {
        let session: Session
        var lastUse: Timestamp
    }

    private let folder: String
    private let limits: ShopLimits
    private let clock: any Clock<Duration>
    private let wallClock: any WallClock
    private let logger: Logger
    private let rates: RateLimiter<String>
    private let requests: AsyncStream<Request>
    private let openings: AsyncStream<Request>.Continuation
    private var entries: [String: Entry] = [:]
    /// The number of visitors, with those whose store is being started.
    private var count = 0
    private var isEnding = false

    /// - Parameter folder: The folder for the visitors' files, which are deleted when a visitor has left.
    package init(
        folder: String, limits: ShopLimits, clock: any Clock<Duration> = ContinuousClock(), wallClock: any WallClock = SystemWallClock(),
        logger: Logger
    ) {
        self.clock = clock
        self.wallClock = wallClock
        self.folder = folder
        self.limits = limits
        self.logger = logger
        rates = RateLimiter(limits.rate)
        (requests, openings) = AsyncStream.makeStream(of: Request.self)
    }

    /// Returns the visitor with a token; nil for an unknown token, and for a visitor who was idle for too long.
    func session(_ token: String) -> Session? {
        entries[token]?.lastUse = wallClock.now
        return entries[token]?.session
    }

    /// Starts a store, a server and a phone for a new visitor; returns nil if there are too many visitors.
    ///
    /// - Returns: The visitor's token.
    func open(in language: PageLanguage) async -> String? {
        guard count < limits.visitors else { return nil }
        count += 1
        let token = (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 16) }.joined(separator: "-")
        let isOpen = await withCheckedContinuation { continuation in
            // The visitors accept nobody during the shutdown.
            guard case .enqueued = openings.yield(Request(token: token, language: language, answer: continuation)) else {
                return continuation.resume(returning: false)
            }
        }
        return isOpen ? token : nil
    }

    /// Accepts visitors while `body` runs, then closes their phones, and stops their stores and servers.
    ///
    /// Visitors run outside of the service group of the page. A store that stopped at the group's shutdown would leave the phones without
    /// answers, and tasks of swift-nio that are canceled while they write end the process.
    package nonisolated func run<Success: Sendable>(while body: @Sendable () async throws -> Success) async throws -> Success {
        try? FileManager.default.removeItem(atPath: folder)
        try PrivateFiles.createFolder(folder)
        let result = await withTaskGroup(of: Void.self) { group -> Result<Success, any Error> in
            group.addTask { await self.accept() }
            defer { openings.finish() }
            do { return .success(try await body()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    private func accept() async {
        await withTaskGroup(of: Void.self) { idle in
            idle.addTask { await self.removeIdle() }
            await withDiscardingTaskGroup { group in
                for await request in requests { group.addTask { await self.serve(request) } }
                isEnding = true
                for entry in entries.values { entry.session.actions.finish() }
            }
            idle.cancelAll()
        }
    }

    private func removeIdle() async {
        while (try? await clock.sleep(for: .seconds(60))) != nil {
            let now = wallClock.now
            for entry in entries.values where entry.lastUse.adding(seconds: limits.idleSeconds) < now { entry.session.actions.finish() }
        }
    }

    /// Runs the store, the server and the phones of one visitor until the visitor's actions end.
    private func serve(_ request: Request) async {
        let path = "\(folder)/\(request.token)"
        let isStarted = Atomic(false)
        do {
            try PrivateFiles.createFolder(path)
            let limit = limits.actions
            try await ShopWorld.with(folder: path, logger: logger) { world in
                if request.language != .english { try? await world.setStorefront(request.language.storefront) }
                let visitor = await Visitor(world, in: request.language)
                let (actions, continuation) = AsyncStream.makeStream(of: ShopAction.self, bufferingPolicy: .bufferingOldest(limit))
                let session = Session(visitor: visitor, actions: continuation) { [rates, wallClock] in
                    rates.count(request.token, at: wallClock.now)
                }
                await self.add(session, request.token)
                isStarted.store(true, ordering: .relaxed)
                request.answer.resume(returning: true)
                await withDiscardingTaskGroup { group in
                    group.addTask { await visitor.perform(.open(resetsVault: false)) }
                    for await action in actions {
                        group.addTask { await visitor.perform(action, limit: limit) }
                    }
                    await visitor.leave()
                }
            }
        } catch {
            logger.error("a visitor's store can't run", metadata: ["error": "\(error)"])
        }
        if !isStarted.load(ordering: .relaxed) { request.answer.resume(returning: false) }
        entries[request.token] = nil
        count -= 1
        try? FileManager.default.removeItem(atPath: path)
    }

    private func add(_ session: Session, _ token: String) {
        entries[token] = Entry(session: session, lastUse: wallClock.now)
        // The page ended while the store was being started.
        if isEnding { session.actions.finish() }
    }
}
