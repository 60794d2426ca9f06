import ArgumentParser
import Foundation
import Logging
import PrivateFiles
import PurchaseModel
import TillrollTour

/// Runs a scripted tour of a device, a store and a server.
struct TourCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tour",
        abstract: "Play the whole story between a device, a store and a server.",
        discussion: """
            Store and server listen on free loopback ports and keep their state in files; the apps are devices with folders of \
            their own, and are killed where the story says so. Every step prints what the app's user sees and what proves it.

            Exit code 0 when every step was as expected; 1 when one was not, with what was expected.
            """
    )

    @Flag(help: "Print one JSON object a line instead of text.")
    var json = false

    @Flag(help: "Keep the folder of the story and print its path.")
    var keep = false

    @Option(help: ArgumentHelp("Play this step only (1-\(Tour.steps.count)); may be given several times.", valueName: "number"))
    var step: [Int] = []

    func validate() throws {
        for number in step where !(1...Tour.steps.count).contains(number) {
            throw ValidationError("There is no step \(number); they go from 1 to \(Tour.steps.count).")
        }
    }

    func run() async throws {
        let printer = TourPrinter(json: json)
        let steps = step.isEmpty ? Tour.steps : Tour.steps.filter { step.contains($0.number) }
        let folder = FileManager.default.temporaryDirectory.appending(path: "tillroll-tour-\(UUID().uuidString)").path
        try PrivateFiles.makeFolder(folder)
        defer {
            if !keep { try? FileManager.default.removeItem(atPath: folder) }
        }
        let executable = Bundle.main.executablePath ?? CommandLine.arguments[0]
        var logger = Logger(label: "tillroll")
        logger.logLevel = .critical
        let clock = ContinuousClock()
        let start = clock.now
        let (failed, appPeak) = try await Stage.with(folder: folder, appExecutable: executable, logger: logger) { stage in
            for step in steps {
                do {
                    let scene = try await step.play(stage)
                    printer.step(step, scene)
                } catch {
                    printer.failure(step, error)
                    return (true, stage.appPeakMegabytes)
                }
            }
            return (false, stage.appPeakMegabytes)
        }
        printer.end(steps: steps.count, failed: failed, time: clock.now - start, appPeak: appPeak, folder: keep ? folder : nil)
        if failed { throw ExitCode(1) }
    }
}
