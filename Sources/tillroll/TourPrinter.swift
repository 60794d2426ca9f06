import Foundation
import PurchaseModel
import TillrollTour

/// Prints the tour: in color on a terminal, plain in a pipe, or as JSON lines.
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

    func step(_ step: TourStep, _ scene: Scene) {
        guard !json else {
            return object(Line(step: step.number, title: step.title, app: scene.app, evidence: scene.evidence))
        }
        StandardOutput.line("\(styled("32", number(step)))  \(styled("1", step.title))")
        StandardOutput.line("      app       \(scene.app)")
        StandardOutput.line("      \(styled("2", "evidence  \(scene.evidence)"))\n")
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
        let own = ProcessMemory.peakMegabytes()
        guard !json else {
            return object(Line(steps: steps, seconds: seconds, peakMegabytes: own, appPeakMegabytes: appPeak, folder: folder))
        }
        let count = steps == 1 ? "1 step" : "\(steps) steps"
        let outcome = failed ? styled("31", "The story stopped") : styled("32", "\(count), all as expected")
        let time = String(format: "%.1f s", seconds)
        let memory = "store, server and devices \(megabytes(own)), each app process at most \(megabytes(appPeak))"
        StandardOutput.line("\(outcome), in \(time). Peak memory: \(memory).")
        if let folder { StandardOutput.line("Kept in \(folder)") }
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

    private func object(_ line: Line) {
        guard let data = try? WireJSON.encode(line) else { return }
        StandardOutput.line(String(decoding: data, as: UTF8.self))
    }
}
