import Foundation
import MonkeyShopBackend
import PurchaseModel

/// A phone whose app runs in a separate process, which ``close()`` kills with SIGKILL.
///
/// The process `monkeyshop phone` reads a ``PhoneLaunch`` and then ``PhoneRequest``s, and prints ``PhoneLine``s, each as one line of JSON.
@MainActor
final class ProcessPhone: VisitorPhone {
    private struct Session {
        let process: ChildProcess
        let input: ProcessInput
        /// Whether the process has ended by itself after a failed launch.
        var isOver = false
        /// The latest report of the process; nil before the first report.
        var report: PhoneReport?
        var lastRequest = 0
        /// The requests whose effects have not ended.
        var requests: [Int: CheckedContinuation<Data?, Never>] = [:]
    }

    /// The phone that holds the environment, and that executes commands while no app process runs.
    private let closed: ShopPhone
    private let executable: String
    private var language: PageLanguage
    private let changed: @Sendable () -> Void
    private var session: Session?
    private(set) var launches = 0
    /// The number of calls that launch or close the app; a launch stops when a later call changes the number.
    private var generation = 0
    /// The process that a call is killing.
    private var ending: ChildProcess?

    /// - Parameters:
    ///   - executable: The path of `monkeyshop`.
    ///   - closed: The phone that holds the environment, and that executes commands while no app process runs.
    init(_ executable: String, closed: ShopPhone, in language: PageLanguage, changed: @escaping @Sendable () -> Void) {
        (self.executable, self.closed, self.language) = (executable, closed, language)
        self.changed = changed
    }

    var title: Phrase { closed.title }

    var environment: PhoneEnvironment { closed.environment }

    func report(at now: Timestamp, in language: PageLanguage) -> PhoneReport {
        if let report = session?.report { return report }
        var report = closed.report(at: now, in: language)
        report.isLoaded = launches > 0
        return report
    }

    func run(resetsVault: Bool, importing export: Data?) async {
        generation += 1
        let generation = generation
        await end()
        guard generation == self.generation else { return }
        closed.beginLaunch()
        do {
            let launch = try PhoneLaunch(closed, in: language, resetsVault: resetsVault, importing: export)
            let input = Pipe()
            let process = try ChildProcess(executable, ["phone"], standardInput: input)
            session = Session(process: process, input: ProcessInput(input.fileHandleForWriting))
            send(launch)
            changed()
            for await line in process.lines { receive(line, from: process) }
            if let session, session.process === process {
                let hasFailed = session.report?.view.launchError != nil
                if session.report?.view.isLaunching ?? true { launches += 1 }
                await end(keepingReport: hasFailed)
                // Close the phone if the process ended without a launch error, such as when another program killed the process.
                if !hasFailed, generation == self.generation { await closed.close() }
            }
        } catch {
            closed.failLaunch(error)
            launches += 1
        }
        changed()
    }

    func close() async {
        generation += 1
        await end()
        await closed.close()
        changed()
    }

    /// Kills the process, and waits for its end.
    private func end(keepingReport: Bool = false) async {
        guard let ended = session else {
            // Wait for the end of a process that another call is killing.
            await ending?.end()
            return
        }
        (session, ending) = (nil, ended.process)
        if keepingReport { session = Session(process: ended.process, input: ended.input, isOver: true, report: ended.report) }
        ended.input.close()
        await ended.process.kill()
        for request in ended.requests.values { request.resume(returning: nil) }
    }

    @discardableResult
    func perform(_ command: PhoneCommand) async -> Data? {
        if case .setLanguage(let language) = command { self.language = language }
        guard let session, !session.isOver else { return await closed.perform(command) }
        return await withCheckedContinuation { continuation in
            let id = session.lastRequest + 1
            self.session?.lastRequest = id
            self.session?.requests[id] = continuation
            send(PhoneRequest(id: id, now: environment.clock.now, command: command))
        }
    }

    /// Writes a line to the process; if the process has ended, the line has no effect, and the requests end in `end(keepingReport:)`.
    private func send(_ line: some Encodable) {
        guard let data = try? JSONEncoder().encode(line) else { return }
        session?.input.write(data + Data("\n".utf8))
    }

    private func receive(_ line: String, from process: ChildProcess) {
        guard session?.process === process, let line = try? JSONDecoder().decode(PhoneLine.self, from: Data(line.utf8)) else { return }
        switch line {
        case .report(let report):
            if session?.report?.view.isLaunching ?? true, !report.view.isLaunching { launches += 1 }
            session?.report = report
            // Store the screen and the network speed for the next launch.
            (closed.screen, closed.speed.isSlow) = (report.screen, !report.isFast)
            changed()
        case .message(let message):
            environment.messages.add(
                message.route, message.title, message.answer, isFailure: message.isFailure, message.request, message.response)
            changed()
        case .done(let id, let data):
            session?.requests.removeValue(forKey: id)?.resume(returning: data)
        }
    }
}

extension PhoneLaunch {
    @MainActor
    fileprivate init(_ phone: ShopPhone, in language: PageLanguage, resetsVault: Bool, importing export: Data?) throws {
        let environment = phone.environment
        account = environment.person.account
        title = phone.title
        folder = environment.folder
        (storeURL, serverURL, rootsPEM) = (environment.storeURL.text, environment.serverURL.text, environment.rootsPEM)
        credentials = environment.credentials
        (self.language, screen, isFast) = (language, phone.screen, !phone.speed.isSlow)
        now = environment.clock.now
        (self.resetsVault, self.export) = (resetsVault, export)
    }
}

/// Writes to the input of a process on detached threads, because a process that does not read blocks the writer.
private final class ProcessInput: Sendable {
    private let chunks: AsyncStream<Data>.Continuation

    init(_ handle: FileHandle) {
        let (stream, chunks) = AsyncStream.makeStream(of: Data.self)
        self.chunks = chunks
        Task.detached {
            for await chunk in stream { await Self.write(chunk, to: handle) }
            try? handle.close()
        }
    }

    /// Writes a chunk; has no effect if the process has ended.
    private static func write(_ chunk: Data, to handle: FileHandle) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                try? handle.write(contentsOf: chunk)
                continuation.resume()
            }
        }
    }

    func write(_ chunk: Data) { chunks.yield(chunk) }

    func close() { chunks.finish() }
}
