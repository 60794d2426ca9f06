import ArgumentParser
import Foundation
import Logging
import MonkeyShopBackend
import TillrollTour

/// Runs the tour: scripted steps that demonstrate a device, a store and a server.
struct TourCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tour",
        abstract: "Demonstrate a device, a store and a server, from the first purchase to the refund.",
        discussion: """
            The store and the server listen on free loopback ports. Each device has a separate folder. Some steps kill the app's \
            process. Each step prints the text that the app's user sees, and evidence such as transaction IDs.

            The tour ends at the first step that fails; the output states the expected and the actual value.

            Exit codes: 0 every step succeeded, 1 a step failed, 64 wrong usage.
            """
    )

    @Flag(help: "Print lines of JSON instead of text.")
    var json = false

    @Flag(help: "Keep the folder with the tour's files and print its path.")
    var keep = false

    @Option(help: ArgumentHelp("Run only this step, from 1 to \(Tour.steps.count); repeatable.", valueName: "number"))
    var step: [Int] = []

    @Flag(help: "Wait for the return key before each further step. Requires a terminal.")
    var pause = false

    func validate() throws {
        guard !pause || isatty(STDIN_FILENO) == 1 && !json else {
            throw ValidationError("--pause waits for the return key: run the tour on a terminal, without --json.")
        }
        for number in step where !(1...Tour.steps.count).contains(number) {
            throw ValidationError("No step \(number). Give a number from 1 to \(Tour.steps.count).")
        }
    }

    func run() async throws {
        let printer = TourPrinter(json: json)
        let steps = step.isEmpty ? Tour.steps : Tour.steps.filter { step.contains($0.number) }
        let folder = FileManager.default.temporaryDirectory.appending(path: "monkeyshop-tour-\(UUID().uuidString)").path
        try SampleFiles.createFolder(folder)
        defer {
            if !keep { try? SampleFiles.remove(folder) }
        }
        let executable = Bundle.main.executablePath ?? CommandLine.arguments[0]
        var logger = Logger(label: "monkeyshop")
        logger.logLevel = .critical
        let clock = ContinuousClock()
        let start = clock.now
        printer.begin(steps: steps.count)
        let (failed, appPeak) = try await TourEnvironment.with(folder: folder, appExecutable: executable, logger: logger) { tour in
            for (index, step) in steps.enumerated() {
                if pause, index > 0 { await Self.waitForReturn() }
                do {
                    let result = try await step.play(tour)
                    printer.step(step, result)
                } catch {
                    printer.failure(step, error)
                    return (true, tour.appPeakMegabytes)
                }
            }
            return (false, tour.appPeakMegabytes)
        }
        printer.end(steps: steps.count, failed: failed, time: clock.now - start, appPeak: appPeak, folder: keep ? folder : nil)
        if failed { throw ExitCode.refused }
    }

    /// Waits for a line or the end of standard input in a detached thread, because the store and the server need the other threads.
    private static func waitForReturn() async {
        StandardError.write("      Press return for the next step.")
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                _ = readLine()
                continuation.resume()
            }
        }
    }
}

/// Prints the results of the tour's steps: in color on a terminal, plain in a pipe, or as lines of JSON.
struct TourPrinter: Sendable {
    private struct Line: Encodable {
        var step: Int?
        var title: String?
        var app: String?
        var evidence: String?
        var failure: String?
        var steps: Int?
        var seconds: Double?
        var peakMegabytes: Int?
        var appPeakMegabytes: Int?
        var folder: String?
    }

    private let json: Bool
    private let color: Bool

    init(json: Bool) {
        self.json = json
        color = !json && isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
    }

    func begin(steps: Int) {
        guard !json else { return }
        StandardOutput.line(
            """
            A device buys in a local App Store, and a server verifies and delivers, all on this machine: \(steps == 1 ? "1 step" : "\(steps) steps").
            Each step prints the text that the app's user sees, and the evidence for the step.

            """)
    }

    func step(_ step: TourStep, _ result: StepResult) {
        guard !json else {
            return object(Line(step: step.number, title: step.title, app: result.app, evidence: result.evidence))
        }
        StandardOutput.line("\(styled("32", number(step)))  \(styled("1", step.title))")
        StandardOutput.line("      app       \(result.app)")
        StandardOutput.line("      \(styled("2", "evidence  \(result.evidence)"))\n")
    }

    func failure(_ step: TourStep, _ error: any Error) {
        guard !json else {
            return object(Line(step: step.number, title: step.title, failure: "\(error)"))
        }
        StandardOutput.line("\(styled("31", number(step)))  \(styled("1", step.title))")
        StandardOutput.line("      \(styled("31", "failed    \(error)"))\n")
    }

    func end(steps: Int, failed: Bool, time: Duration, appPeak: Int?, folder: String?) {
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        let tourPeak = ProcessMemory.peakMegabytes()
        guard !json else {
            return object(Line(steps: steps, seconds: seconds, peakMegabytes: tourPeak, appPeakMegabytes: appPeak, folder: folder))
        }
        let count = steps == 1 ? "1 step" : "\(steps) steps"
        let outcome = failed ? styled("31", "The tour failed") : styled("32", "\(count) succeeded")
        let time = String(format: "%.1f s", seconds)
        let memory = "store, server and devices \(megabytes(tourPeak)), each app process at most \(megabytes(appPeak))"
        StandardOutput.line("\(outcome), in \(time). Peak memory: \(memory).")
        if let folder { StandardOutput.line("The files are in \(folder)") }
        guard !failed else { return }
        StandardOutput.line(
            """

            Next:
              monkeyshop up                                   the sample app, the store and the server in your browser
              tillroll store up --storekit Shop.storekit      an App Store for the tests of your server
              tillroll storekit new Shop.storekit             a new catalog for your products
            """)
    }

    private func megabytes(_ number: Int?) -> String {
        number.map { "\($0) MB" } ?? "not measured"
    }

    private func number(_ step: TourStep) -> String {
        step.number < 10 ? "   \(step.number)" : "  \(step.number)"
    }

    private func styled(_ code: String, _ text: String) -> String {
        color ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    private func object(_ line: Line) {
        guard let data = try? Self.encoder.encode(line) else { return }
        StandardOutput.line(String(decoding: data, as: UTF8.self))
    }
}

/// Runs the sample app in a separate process, which the tour and tests can kill.
struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Run the sample app MonkeyShop with a script, in a process that the tour can kill.",
        shouldDisplay: false
    )

    @Argument(help: "A JSON file with the actions of the sample app, such as a file script.json of `monkeyshop tour --keep`.")
    var script: String

    func run() async throws {
        guard let data = try? Data(contentsOf: URL(filePath: script)), let run = try? JSONDecoder().decode(AppScript.self, from: data)
        else {
            throw ValidationError("\(script) is not a valid app script. The files of `monkeyshop tour --keep` contain examples.")
        }
        try await run.play { output in
            guard let line = try? JSONEncoder().encode(output) else { return }
            StandardOutput.line(String(decoding: line, as: UTF8.self))
        }
    }
}
