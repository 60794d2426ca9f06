import Crypto
import Foundation
public import Logging
import MonkeyShopBackend
public import PurchaseModel
public import PurchaseServer

/// The limits for the visitors of the page.
public struct ShopLimits: Sendable {
    /// The maximum number of visitors at the same time.
    public var visitors = 100
    /// The maximum number of visitors from one address in the proxy's `X-Forwarded-For`.
    public var visitorsPerAddress = 10
    /// The seconds without a request after which a visitor's phones, store and server are deleted.
    public var idleSeconds: Int64 = 1_800
    /// The maximum number of a visitor's actions in progress; further actions are ignored.
    public var actions = 32
    /// The maximum rate of a visitor's actions.
    public var rate = RequestRate(perSecond: 10, burst: 40)

    /// Creates the default limits.
    public init() {}
}

/// The visitors of the shop, each with a separate store, server and phones.
///
/// A random token in a cookie identifies a visitor.
public actor Visitors {
    /// An action with the fields of its form.
    struct Action: Sendable {
        let action: ShopAction
        let fields: [String: String]
    }

    /// A visitor, and the queue of the visitor's actions.
    struct Session: Sendable {
        let visitor: Visitor
        let actions: AsyncStream<Action>.Continuation
        /// Counts an action; returns the seconds to wait if the rate is exceeded, otherwise nil.
        let waitingTime: @Sendable () -> Int?
    }

    private struct Request: Sendable {
        let token: String
        /// The visitor's address from `X-Forwarded-For`; nil for a site without a public host name.
        let address: String?
        let language: PageLanguage
        /// The script that the visit repeats at its beginning; nil for a visit without a link.
        var script: VisitScript?
        var isNew = false
    }

    private struct Entry {
        let session: Session
        var lastUse: Timestamp
        /// Whether the visitor's files are removed when the visit has ended.
        var isRemoved = false
    }

    private let folder: String
    private let appExecutable: String?
    private let limits: ShopLimits
    private let clock: any Clock<Duration>
    private let wallClock: any WallClock
    private let logger: Logger
    private let rates: ActionRates
    private let requests: AsyncStream<Request>
    private let openings: AsyncStream<Request>.Continuation
    private var entries: [String: Entry] = [:]
    /// The requests that wait for the start of a visitor's store, by the visitor's token.
    private var waiting: [String: [CheckedContinuation<Bool, Never>]] = [:]
    /// The number of visitors, including visitors whose store is starting.
    private var count = 0
    /// The number of visitors from each address, including visitors whose store is starting.
    private var addresses: [String: Int] = [:]
    private var isEnding = false

    /// Creates the visitors, without starting a store.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder for the visitors' files; a visitor's files are deleted at the end of the visit.
    ///   - appExecutable: The path of the executable that runs each phone's app in a separate process; nil to run the apps in this process.
    ///   - limits: The limits for the visitors.
    ///   - clock: The clock that schedules the search for idle visitors.
    ///   - wallClock: The clock that determines how long visitors are idle.
    ///   - logger: The log of the stores, the servers and the devices.
    public init(
        folder: String, appExecutable: String? = nil, limits: ShopLimits = ShopLimits(), clock: any Clock<Duration> = ContinuousClock(),
        wallClock: any WallClock = SystemWallClock(),
        logger: Logger
    ) {
        self.clock = clock
        self.wallClock = wallClock
        self.folder = folder
        self.appExecutable = appExecutable
        self.limits = limits
        self.logger = logger
        rates = ActionRates(limits.rate)
        (requests, openings) = AsyncStream.makeStream(of: Request.self)
    }

    /// Returns the session of the visitor with a token, and starts the visitor's store again after a restart of the process.
    ///
    /// The function returns nil for an unknown token, for a visitor who was idle for too long, and if a limit of visitors is reached.
    ///
    /// - Parameter address: The visitor's address from `X-Forwarded-For`; nil for a site without a public host name.
    func session(_ token: String, from address: String? = nil) async -> Session? {
        if entries[token] == nil, waiting[token] != nil || FileManager.default.fileExists(atPath: path(token)) {
            _ = await start(Request(token: token, address: address, language: .english))
        }
        entries[token]?.lastUse = wallClock.now
        return entries[token]?.session
    }

    /// The path of a visitor's folder.
    ///
    /// The name is a hash, so that a cookie can't name another path, and the name is no valid cookie.
    private func path(_ token: String) -> String {
        "\(folder)/\(SHA256.hash(data: Data(token.utf8)).map { String(format: "%02x", $0) }.joined())"
    }

    /// Starts a store, a server and a phone for a new visitor; returns nil if a limit of visitors is reached.
    ///
    /// - Parameter address: The visitor's address from `X-Forwarded-For`; nil for a site without a public host name.
    /// - Returns: The visitor's token.
    func open(in language: PageLanguage, from address: String? = nil, playing script: VisitScript? = nil) async -> String? {
        let token = (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 16) }.joined(separator: "-")
        return await start(Request(token: token, address: address, language: language, script: script, isNew: true)) ? token : nil
    }

    /// Ends a visit, and deletes the visitor's files.
    func end(_ token: String) {
        entries[token]?.isRemoved = true
        entries[token]?.session.actions.finish()
    }

    /// Starts a visitor's store once for all concurrent requests, and returns whether the store has started.
    private func start(_ request: Request) async -> Bool {
        await withCheckedContinuation { continuation in
            guard waiting[request.token] == nil else {
                waiting[request.token]?.append(continuation)
                return
            }
            // Refuse visitors during the shutdown, when the stream of requests has ended.
            let isAllowed = request.address.map { addresses[$0, default: 0] < limits.visitorsPerAddress } ?? true
            guard isAllowed, count < limits.visitors, case .enqueued = openings.yield(request) else {
                return continuation.resume(returning: false)
            }
            count += 1
            if let address = request.address { addresses[address, default: 0] += 1 }
            waiting[request.token] = [continuation]
        }
    }

    private func finishStart(_ token: String, isStarted: Bool) {
        for continuation in waiting.removeValue(forKey: token) ?? [] { continuation.resume(returning: isStarted) }
    }

    /// Accepts visitors while `body` runs, then closes all phones, and stops all stores and servers; the files remain.
    ///
    /// The stores run outside of the page's service group. A store that stopped at the group's shutdown would not answer the phones, and a
    /// task of swift-nio that is canceled during a write would end the process.
    ///
    /// - Parameter body: Runs the page.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, or an error of Foundation if the folder can't be created.
    public nonisolated func run<Success: Sendable>(while body: @Sendable () async throws -> Success) async throws -> Success {
        try SampleFiles.createFolder(folder)
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
        repeat {
            let now = wallClock.now
            for (token, entry) in entries where entry.lastUse.adding(seconds: limits.idleSeconds) < now { end(token) }
            removeAbandoned(at: now)
        } while (try? await clock.sleep(for: .seconds(60))) != nil
    }

    /// Removes the files of idle visitors that an earlier process left.
    private func removeAbandoned(at now: Timestamp) {
        let used = Set((Array(entries.keys) + waiting.keys).map { path($0) })
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for path in names.map({ "\(folder)/\($0)" }) where !used.contains(path) {
            let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            let uses = files.compactMap { try? FileManager.default.attributesOfItem(atPath: "\(path)/\($0)")[.modificationDate] as? Date }
            if let use = uses.max(), Timestamp(use).adding(seconds: limits.idleSeconds) >= now { continue }
            try? SampleFiles.remove(path)
        }
    }

    /// Runs the store, the server and the phones of one visitor until the visit ends.
    private func serve(_ request: Request) async {
        let token = request.token
        do {
            try SampleFiles.createFolder(path(token))
            let limit = limits.actions
            try await ShopWorld.with(folder: path(token), appExecutable: appExecutable, logger: logger) { world in
                let visitor = await Visitor(world, in: request.language)
                let (actions, continuation) = AsyncStream.makeStream(of: Action.self, bufferingPolicy: .bufferingOldest(limit))
                let session = Session(visitor: visitor, actions: continuation) { [rates, wallClock] in
                    rates.count(token, at: wallClock.now)
                }
                await self.add(session, token)
                await self.finishStart(token, isStarted: true)
                await withDiscardingTaskGroup { group in
                    group.addTask { await visitor.resume() }
                    if let script = request.script {
                        group.addTask { await visitor.tour.play(script, on: visitor) }
                    } else if request.isNew {
                        await visitor.beginTour()
                    }
                    for await each in actions {
                        group.addTask { await visitor.perform(each.action, each.fields, limit: limit) }
                    }
                    await visitor.leave()
                }
            }
        } catch {
            logger.error("a visitor's store can't run", metadata: ["error": "\(error)"])
        }
        // Keep the files at the end of the process, so that the visit resumes after a restart.
        let isRemoved = entries[token]?.isRemoved ?? (request.isNew && !isEnding)
        finishStart(token, isStarted: false)
        entries[token] = nil
        rates.remove(token)
        count -= 1
        if let address = request.address, let others = addresses[address].map({ $0 - 1 }) { addresses[address] = others > 0 ? others : nil }
        if isRemoved { try? SampleFiles.remove(path(token)) }
    }

    private func add(_ session: Session, _ token: String) {
        entries[token] = Entry(session: session, lastUse: wallClock.now)
        // End the visit at once if the service was stopped while the store was starting.
        if isEnding { session.actions.finish() }
    }
}
