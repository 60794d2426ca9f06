import Foundation
import PrivateFiles
import PurchaseModel

/// An app that runs in its own process.
struct AppProcess: Sendable {
    private let process: LineProcess
    private let tour: TourEnvironment

    /// Starts `tillroll app` with a script.
    init(_ run: AppScript, on tour: TourEnvironment) throws {
        self.tour = tour
        let script = "\(run.folder)/script.json"
        try PrivateFiles.createFolder(run.folder)
        try DurableFile.replace(script, with: try WireJSON.encode(run))
        process = try LineProcess(tour.appExecutable, ["app", script])
    }

    /// The process id.
    var pid: Int32 { process.pid }

    /// The app's output, in order; the sequence ends with the process.
    var output: some AsyncSequence<AppOutput, Never> {
        process.lines.compactMap { line in
            try? WireJSON.decode(AppOutput.self, from: Data(line.utf8))
        }
    }

    /// Kills the process without notice, as a power failure does.
    func kill() async {
        tour.recordAppMemory(ProcessMemory.peakMegabytes(of: pid))
        await process.kill()
    }
}
