import Foundation
import PrivateFiles
import PurchaseModel

/// An app that runs in its own process.
struct AppProcess: Sendable {
    private let process: LineProcess
    private let stage: Stage

    /// Starts `tillroll app` with a script.
    init(_ run: AppRun, on stage: Stage) throws {
        self.stage = stage
        let script = "\(run.folder)/run.json"
        try PrivateFiles.makeFolder(run.folder)
        try DurableFile.replace(script, with: try WireJSON.encode(run))
        process = try LineProcess(stage.appExecutable, ["app", script])
    }

    /// The process id.
    var pid: Int32 { process.pid }

    /// The app's output, in order; the sequence ends with the process.
    var news: some AsyncSequence<AppNews, Never> {
        process.lines.compactMap { line in
            try? WireJSON.decode(AppNews.self, from: Data(line.utf8))
        }
    }

    /// Kills the process without notice, as a power failure does.
    func kill() async {
        stage.noteAppMemory(ProcessMemory.peakMegabytes(of: pid))
        await process.kill()
    }
}
