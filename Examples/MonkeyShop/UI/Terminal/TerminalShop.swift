import Foundation
public import Logging
import MonkeyShopBackend
import PurchaseModel

/// The sample app in a terminal, with an App Store and a server of its own: it prints the app as lines, and reads commands.
///
/// The commands can also come from a pipe: each one is carried out when the effects of the one before have ended, or wait for a sheet.
public struct TerminalShop: Sendable {
    /// The maximum number of actions whose effects have not ended.
    private static let actionLimit = 32

    private let folder: String
    private let language: PageLanguage
    private let logger: Logger

    /// Creates the app.
    ///
    /// - Parameters:
    ///   - folder: The folder for the files of the store, the server and the phones. Another run continues with them.
    ///   - language: The language as in HTML, such as `de`; English if it is not available.
    ///   - logger: The log of the store, the server and the devices.
    public init(folder: String, language: String, logger: Logger) {
        self.folder = folder
        self.language = PageLanguage(rawValue: language) ?? .english
        self.logger = logger
    }

    /// Runs the app until the person quits, or until the input ends.
    ///
    /// - Parameters:
    ///   - input: The lines with the commands; its end ends the app.
    ///   - output: Prints lines.
    /// - Throws: Errors of starting the store and the server.
    public func run(input: AsyncStream<String>, output: @escaping @Sendable (String) -> Void) async throws {
        try SampleFiles.createFolder(folder)
        try await ShopWorld.with(folder: folder, logger: logger) { world in
            let visitor = await Visitor(world, in: language)
            // Actions end by themselves when the app is closed: a canceled one could leave the store without an answer.
            await withDiscardingTaskGroup { actions in
                actions.addTask { await visitor.resume() }
                await visitor.settle(launches: 1)
                var model = TerminalModel()
                output(await model.draw(PageView(visitor)))
                for await line in input {
                    switch model.read(line, in: await PageView(visitor)) {
                    case .quit:
                        await visitor.leave()
                        return
                    case .show: break
                    case .act(let action):
                        let (begun, launches) = (await visitor.begun + 1, await visitor.launchCount + (action.launches ? 1 : 0))
                        let shown = await visitor.report(of: visitor.phone).sheet
                        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
                        actions.addTask {
                            await visitor.perform(action, limit: Self.actionLimit)
                            ended.finish()
                        }
                        // The sheet that is answered is shown until the answer has arrived.
                        if case .answer = action, shown != nil { for await _ in ends {} }
                        await visitor.settle(begun: begun, launches: launches)
                    }
                    output(await model.draw(PageView(visitor)))
                }
                await visitor.leave()
            }
        }
    }
}

extension Visitor {
    /// The number of launches on all phones that have ended.
    fileprivate var launchCount: Int { phones.reduce(0) { $0 + $1.launches } }

    /// Waits until an action has begun and the app is launched, and then until nothing happens or a sheet waits.
    fileprivate func settle(begun: Int = 0, launches: Int) async {
        for await _ in updates {
            let isWaiting = busy == 0 || phones.contains { report(of: $0).sheet != nil }
            if self.begun >= begun, launchCount >= launches, report(of: phone).isLoaded || !report(of: phone).isRunning, isWaiting {
                return
            }
        }
    }
}

/// Turns commands into actions, and remembers what the page does not: the screen besides the phone, and the form of a sheet.
struct TerminalModel: Sendable {
    /// What follows from a command.
    enum Step: Sendable, Equatable {
        case act(ShopAction)
        case show
        case quit
    }

    private var extra: TerminalLines.Extra?
    private var form: TerminalForm?
    /// Why the last command did nothing.
    private var hint: Phrase?

    /// Returns the lines of the app, with the commands at the end.
    mutating func draw(_ view: PageView) -> String {
        let text = PageLanguage(rawValue: view.lang) ?? .english
        var (printed, number) = ([String](), 0)
        for line in lines(of: view) {
            if line.press != nil { number += 1 }
            printed.append(line.printed(line.press == nil ? nil : number))
        }
        printed.append("")
        if let hint { printed.append("    \(text(hint))") }
        printed.append(
            "    \(text("Type a number to choose, with a quantity or a text after it."))"
                + (view.phone.sheet == nil ? " \(Self.screens.joined(separator: ", ")), quit" : ""))
        hint = nil
        return printed.joined(separator: "\n") + "\n"
    }

    private static let screens = ShopPhone.Screen.allCases.map(\.rawValue) + TerminalLines.Extra.allCases.map(\.rawValue)

    private mutating func lines(of view: PageView) -> [TerminalLine] {
        if let sheet = view.phone.sheet { if form?.sheet != sheet.id { form = TerminalForm(sheet) } } else { form = nil }
        return TerminalLines(view, extra: extra, form: form).lines
    }

    /// Reads a command: a number with an argument, the name of a screen, `quit`, or nothing to print the app again.
    mutating func read(_ command: String, in view: PageView) -> Step {
        let words = command.split(separator: " ", maxSplits: 1).map(String.init)
        guard let word = words.first else { return .show }
        if ["q", "quit"].contains(word) { return .quit }
        if let screen = ShopPhone.Screen(rawValue: word) {
            extra = nil
            return .act(.tap(.show(screen.rawValue)))
        }
        if let extra = TerminalLines.Extra(rawValue: word) {
            self.extra = extra
            return .show
        }
        let presses = lines(of: view).compactMap(\.press)
        guard let number = Int(word), presses.indices.contains(number &- 1) else {
            hint = "There is no such choice."
            return .show
        }
        return step(presses[number - 1], words.count > 1 ? words[1] : nil)
    }

    private mutating func step(_ press: TerminalLine.Press, _ argument: String?) -> Step {
        switch press {
        case .act(let action): return .act(action)
        case .buy(let product):
            guard let quantity = Int(argument ?? "1"), (1...10).contains(quantity) else {
                hint = "The quantity is a number from 1 to 10."
                return .show
            }
            return .act(.tap(.buy(product, quantity: quantity, offer: nil)))
        case .enter(let field): form?.fields[field] = argument ?? ""
        case .toggle(let option):
            if form?.chosen.remove(option) == nil { form?.chosen.insert(option) }
        case .choose(let reason): form?.reason = reason
        case .answer(let kind):
            if let form, let answer = form.answer(kind) { return .act(.answer(sheet: form.sheet, answer)) }
        }
        return .show
    }
}
