public import Foundation
public import Logging
import MonkeyShopBackend
import PurchaseModel
import Synchronization

/// The app of a phone in a process that ``ProcessPhone`` starts.
@MainActor
public final class PhoneProcess {
    private let phone: ShopPhone
    private let clock: PhoneClock
    private let changes = ChangeSignal()
    private let lines: PhoneLines
    private var language: PageLanguage
    private var reported: PhoneReport?

    /// Runs the app until its end or the end of the input.
    ///
    /// - Parameters:
    ///   - input: The file from which the launch and the requests are read.
    ///   - logger: The log of the device.
    ///   - output: Prints one line.
    /// - Throws: ``InvalidLaunch`` if the first line of the input is not a launch.
    public static func run(input: FileHandle, logger: Logger, output: @escaping @Sendable (String) -> Void) async throws {
        let requests = ChildProcess.lines(of: input)
        var first: String?
        for await line in requests {
            first = line
            break
        }
        guard let first, let launch = try? JSONDecoder().decode(PhoneLaunch.self, from: Data(first.utf8)),
            let storeURL = HTTPURL(launch.storeURL), let serverURL = HTTPURL(launch.serverURL)
        else { throw InvalidLaunch() }
        let clock = PhoneClock(launch.now)
        let lines = PhoneLines(output)
        let environment = PhoneEnvironment(
            person: .with(launch.account), folder: launch.folder, storeURL: storeURL, serverURL: serverURL, rootsPEM: launch.rootsPEM,
            credentials: launch.credentials, clock: clock,
            messages: Messages { lines.print(.message($0)) }, logger: logger)
        let process = PhoneProcess(launch, environment, clock, lines)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await process.run(launch) }
            group.addTask { await process.readRequests(requests) }
            await group.next()
            await process.phone.close()
            group.cancelAll()
        }
    }

    private init(
        _ launch: PhoneLaunch, _ environment: PhoneEnvironment, _ clock: PhoneClock, _ lines: PhoneLines
    ) {
        (self.clock, self.lines, language) = (clock, lines, launch.language)
        phone = ShopPhone(environment, title: launch.title) { [changes] in changes.send() }
        phone.screen = launch.screen
        phone.speed.isSlow = !launch.isFast
    }

    /// Runs the app, and prints a report after each change.
    private func run(_ launch: PhoneLaunch) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in self.changes.stream() { await self.report() } }
            group.addTask {
                await self.phone.run(resetsVault: launch.resetsVault, importing: launch.export)
                await self.report()
            }
            // Cancel the first task at the end of the app, because that task never ends by itself.
            await group.next()
            group.cancelAll()
        }
    }

    private func readRequests(_ requests: AsyncStream<String>) async {
        await withDiscardingTaskGroup { group in
            for await line in requests {
                guard let request = try? JSONDecoder().decode(PhoneRequest.self, from: Data(line.utf8)) else { continue }
                clock.set(request.now)
                if case .setLanguage(let language) = request.command { self.language = language }
                group.addTask {
                    let data = await self.phone.perform(request.command)
                    await self.report()
                    self.lines.print(.done(id: request.id, data: data))
                }
            }
            // Close the app to end the actions, because an open sheet waits for an answer until the app is closed.
            await phone.close()
        }
    }

    private func report() {
        let report = phone.report(at: clock.now, in: language)
        guard report != reported else { return }
        reported = report
        lines.print(.report(report))
    }
}

/// The output of a phone's process; several threads can print lines concurrently.
private final class PhoneLines: Sendable {
    private let output: Mutex<@Sendable (String) -> Void>

    init(_ output: @escaping @Sendable (String) -> Void) {
        self.output = Mutex(output)
    }

    func print(_ line: PhoneLine) {
        guard let data = try? JSONEncoder().encode(line) else { return }
        // Lock the output, so that two long lines are not mixed.
        output.withLock { $0(String(decoding: data, as: UTF8.self)) }
    }
}

/// The error of a phone's process whose input does not begin with a launch.
public struct InvalidLaunch: Error {}

/// A clock that another process sets, and that advances like the system's clock.
private final class PhoneClock: WallClock {
    private let offset: Mutex<Int64>

    init(_ now: Timestamp) {
        offset = Mutex(now.milliseconds(since: SystemWallClock().now))
    }

    var now: Timestamp { SystemWallClock().now.adding(milliseconds: offset.withLock { $0 }) }

    func set(_ now: Timestamp) {
        offset.withLock { $0 = now.milliseconds(since: SystemWallClock().now) }
    }
}
