import Foundation
import PrivateFiles
import PurchaseModel

/// An app in a process of its own.
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

    /// Its process id.
    var pid: Int32 { process.pid }

    /// What it says, in order; ends with the process.
    var news: some AsyncSequence<AppNews, Never> {
        process.lines.compactMap { line in
            try? WireJSON.decode(AppNews.self, from: Data(line.utf8))
        }
    }

    /// Ends the process as a power cut does: without a word to it.
    func kill() async {
        stage.noteAppMemory(ProcessMemory.peakMegabytes(of: pid))
        await process.kill()
    }
}
