import Foundation
package import Logging
import PrivateFiles
import Synchronization
import UnixSignals

/// The sample app as a program in a terminal, with an App Store and a server of its own.
package struct TerminalShop: Sendable {
    private enum Event: Sendable {
        case input([UInt8])
        case changed, resized, quit
    }

    /// The maximum number of actions whose effects have not ended.
    private static let actionLimit = 32

    private static let controlC: UInt8 = 3

    private let folder: String
    private let language: PageLanguage
    private let logger: Logger

    /// - Parameters:
    ///   - folder: The folder for the files of the store, the server and the phones. Another run continues with them.
    ///   - language: The language as in HTML, such as `de`; English if it is not available.
    package init(folder: String, language: String, logger: Logger) {
        self.folder = folder
        self.language = PageLanguage(rawValue: language) ?? .english
        self.logger = logger
    }

    /// Runs the app until the person quits, or until the process receives a signal.
    ///
    /// - Throws: ``NoTerminal``, and errors of starting the store and the server.
    package func run() async throws {
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup, .sigquit, .sigwinch)
        let terminal = try Terminal()
        let (events, sender) = AsyncStream.makeStream(of: Event.self)
        terminal.write("\u{1B}[2;2H\(language("Opening …"))")
        let result = await withTaskGroup(of: Void.self) { watchers -> Result<Void, any Error> in
            watchers.addTask {
                for await signal in signals {
                    if signal != .sigwinch { terminal.exitUnlessListening() }
                    sender.yield(signal == .sigwinch ? .resized : .quit)
                }
            }
            watchers.addTask {
                for await bytes in terminal.input {
                    if bytes.contains(Self.controlC) { terminal.exitUnlessListening() }
                    sender.yield(.input(bytes))
                }
                sender.yield(.quit)
            }
            defer { watchers.cancelAll() }
            do {
                try PrivateFiles.createFolder(folder)
                try await ShopWorld.with(folder: folder, logger: logger) { world in
                    let visitor = await Visitor(world, in: language)
                    await withDiscardingTaskGroup { group in
                        group.addTask { for await _ in visitor.updates { sender.yield(.changed) } }
                        await play(visitor, events, on: terminal)
                    }
                }
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        terminal.restore()
        try result.get()
    }

    /// Draws the app after each event, and carries out actions until the end.
    private func play(_ visitor: Visitor, _ events: AsyncStream<Event>, on terminal: Terminal) async {
        let colors = TerminalColors(environment: ProcessInfo.processInfo.environment)
        var model = TerminalModel()
        var reader = TerminalKeyReader()
        var shown: TerminalCanvas?
        // Actions end by themselves when the app is closed: a canceled one could leave the store without an answer.
        await withDiscardingTaskGroup { actions in
            actions.addTask { await visitor.resume() }
            terminal.isListening.store(true, ordering: .relaxed)
            loop: for await event in events {
                switch event {
                case .quit: break loop
                case .changed: break
                case .resized: shown = nil
                case .input(let bytes):
                    for key in reader.keys(in: bytes) {
                        switch model.press(key, in: await PageView(visitor), width: terminal.size.width, height: terminal.size.height) {
                        case .none: break
                        case .quit: break loop
                        case .act(let action): actions.addTask { await visitor.perform(action, limit: Self.actionLimit) }
                        }
                    }
                }
                let size = terminal.size
                let canvas = model.draw(await PageView(visitor), width: size.width, height: size.height)
                terminal.write(canvas.update(from: shown, colors))
                shown = canvas
            }
            terminal.isListening.store(false, ordering: .relaxed)
            terminal.restore()
            await visitor.leave()
        }
    }
}
