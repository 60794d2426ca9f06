import Foundation
import MonkeyShopBackend

/// The sample app in a separate process, which a step of the tour can kill.
struct AppProcess: Sendable {
    private let process: ChildProcess
    private let tour: TourEnvironment

    /// Starts `monkeyshop app` with a script.
    init(_ run: AppScript, on tour: TourEnvironment) throws {
        self.tour = tour
        let script = "\(run.folder)/script.json"
        try SampleFiles.createFolder(run.folder)
        try SampleFiles.replace(script, with: try JSONEncoder().encode(run))
        process = try ChildProcess(tour.appExecutable, ["app", script])
    }

    var pid: Int32 { process.pid }

    /// The lines that the app prints, in order; the sequence ends when the process ends.
    var output: some AsyncSequence<AppOutput, Never> {
        process.lines.compactMap { line in
            try? JSONDecoder().decode(AppOutput.self, from: Data(line.utf8))
        }
    }

    /// Records the peak memory of the process, and kills the process with SIGKILL, which the app can't intercept.
    func kill() async {
        tour.recordAppMemory(ProcessMemory.peakMegabytes(of: pid))
        await process.kill()
    }
}
