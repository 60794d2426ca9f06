import Foundation
package import Logging
import PrivateFiles
import UnixSignals

/// The sample app as a program in a terminal, with an App Store and a server of its own.
package struct TerminalShop: Sendable {
    private enum Event: Sendable {
        case input([UInt8])
        case changed, resized, quit
    }

    /// The maximum number of actions whose effects have not ended.
    private static let actionLimit = 32

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
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup, .sigwinch)
        let terminal = try Terminal()
        terminal.write("\u{1B}[2;2H\(language("Opening …"))")
        do {
            try PrivateFiles.createFolder(folder)
            try await ShopWorld.with(folder: folder, logger: logger) { world in
                await run(world, on: terminal, signals)
                terminal.restore()
            }
        } catch {
            terminal.restore()
            throw error
        }
    }

    private func run(_ world: ShopWorld, on terminal: Terminal, _ signals: UnixSignalsSequence) async {
        let visitor = await Visitor(world, in: language)
        let (events, sender) = AsyncStream.makeStream(of: Event.self)
        await withDiscardingTaskGroup { watchers in
            watchers.addTask { for await _ in visitor.updates { sender.yield(.changed) } }
            watchers.addTask { for await signal in signals { sender.yield(signal == .sigwinch ? .resized : .quit) } }
            watchers.addTask {
                for await bytes in terminal.input { sender.yield(.input(bytes)) }
                sender.yield(.quit)
            }
            await play(visitor, events, on: terminal)
            watchers.cancelAll()
        }
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
            loop: for await event in events {
                switch event {
                case .quit: break loop
                case .changed: break
                case .resized: shown = nil
                case .input(let bytes):
                    for key in reader.keys(in: bytes) {
                        switch model.press(key, in: await PageView(visitor), width: terminal.size.width) {
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
            terminal.restore()
            await visitor.leave()
        }
    }
}
