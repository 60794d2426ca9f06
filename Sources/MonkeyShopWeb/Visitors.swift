import Foundation
package import Logging
import PrivateFiles
package import PurchaseModel
import ServiceLifecycle
import Synchronization

/// The limits of a shop that anybody may visit.
package struct ShopLimits: Sendable {
    /// The maximum number of visitors at the same time.
    package var visitors = 100
    /// The time without an action after which a visitor's phones, store and server are deleted.
    package var idleSeconds: Int64 = 1_800
    /// The maximum number of actions of a visitor whose effects have not ended.
    package var actions = 32

    /// Creates the default limits.
    package init() {}
}

/// The visitors of the shop, each with a store, a server and phones of their own.
///
/// A visitor is known by a random token in a cookie. As a service, the visitors run until the graceful shutdown.
package actor Visitors: Service {
    /// A visitor, and the actions that are to be carried out.
    struct Session: Sendable {
        let visitor: Visitor
        let actions: AsyncStream<ShopAction>.Continuation
    }

    private struct Request: Sendable {
        let token: String
        let answer: CheckedContinuation<Session?, Never>
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
    private let requests: AsyncStream<Request>
    private let openings: AsyncStream<Request>.Continuation
    private var entries: [String: Entry] = [:]
    /// The number of visitors, with those whose store is being started.
    private var count = 0

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
        (requests, openings) = AsyncStream.makeStream(of: Request.self)
    }

    /// Returns the visitor with a token; nil for an unknown token, and for a visitor who was idle for too long.
    func session(_ token: String) -> Session? {
        entries[token]?.lastUse = wallClock.now
        return entries[token]?.session
    }

    /// Starts a store, a server and a phone for a new visitor; returns nil if there are too many visitors.
    func open() async -> (token: String, session: Session)? {
        guard count < limits.visitors else { return nil }
        count += 1
        let token = (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 16) }.joined(separator: "-")
        let session = await withCheckedContinuation { continuation in
            // The visitors accept nobody during the shutdown.
            guard case .enqueued = openings.yield(Request(token: token, answer: continuation)) else {
                return continuation.resume(returning: nil)
            }
        }
        return session.map { (token, $0) }
    }

    package func run() async throws {
        try? FileManager.default.removeItem(atPath: folder)
        try PrivateFiles.createFolder(folder)
        await withDiscardingTaskGroup { group in
            group.addTask { await self.removeIdle() }
            for await request in requests.cancelOnGracefulShutdown() {
                group.addTask { await self.serve(request) }
            }
            for entry in entries.values { entry.session.actions.finish() }
            // A visitor whose phone is being launched, or who has not answered a sheet, does not delay the shutdown.
            group.cancelAll()
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
                let visitor = await Visitor(world)
                let (actions, continuation) = AsyncStream.makeStream(of: ShopAction.self, bufferingPolicy: .bufferingOldest(limit))
                let session = Session(visitor: visitor, actions: continuation)
                await self.add(session, request.token)
                isStarted.store(true, ordering: .relaxed)
                request.answer.resume(returning: session)
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
        if !isStarted.load(ordering: .relaxed) { request.answer.resume(returning: nil) }
        entries[request.token] = nil
        count -= 1
        try? FileManager.default.removeItem(atPath: path)
    }

    private func add(_ session: Session, _ token: String) {
        entries[token] = Entry(session: session, lastUse: wallClock.now)
    }
}
