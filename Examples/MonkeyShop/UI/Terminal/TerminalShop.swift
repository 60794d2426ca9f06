import Foundation
public import Logging
import MonkeyShopBackend
import PurchaseModel

/// The sample app in a terminal, with a separate App Store and server; screens are printed as lines, and controlled by commands.
///
/// The app prints lines instead of drawing a screen. Screen readers can read lines, whereas drawing a screen would double the code and
/// require a terminal emulator in tests.
///
/// The commands can come from a pipe, because each command waits until the effects of the previous command have ended, wait for a sheet, or
/// have begun a long download.
public struct TerminalShop: Sendable {
    private let folder: String
    private let language: PageLanguage
    private let logger: Logger

    /// Creates the app.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder for the files of the store, the server and the phones; a later run continues from these files.
    ///   - language: The language code, such as `de`; the app is in English if the language is not available.
    ///   - logger: The log of the store, the server and the devices.
    public init(folder: String, language: String, logger: Logger) {
        self.folder = folder
        self.language = PageLanguage(rawValue: language) ?? .english
        self.logger = logger
    }

    /// Runs the app until the command `quit`, or until the input ends or is stopped.
    ///
    /// - Parameters:
    ///   - input: The commands; each run needs a new input.
    ///   - output: Called with the text of each screen.
    /// - Throws: An error if the store or the server can't be started.
    public func run(input: TerminalInput, output: @escaping @Sendable (String) -> Void) async throws {
        try SampleFiles.createFolder(folder)
        try await ShopWorld.with(folder: folder, logger: logger) { world in
            let visitor = await Visitor(world, in: language)
            let visit = await TerminalVisit(visitor)
            // Do not cancel the tasks: `leave()` closes the apps, which ends the actions. A canceled action could leave a sheet of the
            // store unanswered.
            await withDiscardingTaskGroup { actions in
                actions.addTask { await visitor.resume() }
                // End all waits for effects with `leave()` when the input is stopped.
                actions.addTask { for await _ in input.stops { await visitor.leave() } }
                await visit.waitForLaunch()
                var model = TerminalModel()
                if !input.isStopped { output(await model.draw(PageView(visitor))) }
                for await line in input.commands {
                    guard !input.isStopped else { break }
                    let step = model.read(line)
                    if step == .quit { break }
                    if case .act(let action) = step {
                        let effects = await visit.effects(of: action)
                        actions.addTask { await visit.perform(action, effects) }
                        await visit.wait(for: effects)
                    }
                    if !input.isStopped { output(await model.draw(PageView(visitor))) }
                }
                await visitor.leave()
                input.close()
            }
        }
    }
}

/// Turns commands into actions, and stores the values that the page does not have: the terminal's screen, and the form of a sheet.
struct TerminalModel: Sendable {
    /// The effect of a command.
    enum Step: Sendable, Equatable {
        case act(ShopAction)
        case show
        case quit
    }

    private var extra: TerminalLines.Extra?
    private var form: TerminalForm?
    /// The effects of the printed lines, in the order of the numbers; the app's current lines can differ from the printed lines.
    private var presses: [TerminalLine.Press] = []
    /// The reason why the last command had no effect; nil if the command had an effect.
    private var hint: Phrase?

    /// Returns the text of the screen, with a list of the commands at the end.
    mutating func draw(_ view: PageView) -> String {
        let text = PageLanguage(rawValue: view.lang) ?? .english
        var printed: [String] = []
        presses = []
        for line in lines(of: view) {
            if let press = line.press { presses.append(press) }
            printed.append(line.printed(line.press == nil ? nil : presses.count))
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

    /// Reads a command: the number of a printed line, with or without an argument; the name of a screen; `quit`; or an empty text to print
    /// the screen again.
    mutating func read(_ command: String) -> Step {
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
