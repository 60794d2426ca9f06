import Foundation
import FoundationExtras
import Logging
import OpenStoreKit
import PurchaseModel

/// A program that runs one app session of an app with the kit, and that kills itself at a step.
///
/// The argument is the file with the ``KitJob``; `download` and two more arguments start a ``DownloadProcess`` instead. Each line of output is a step, an outcome of the script, or a report: what the phone has
/// before the script, and after it.
@main struct KitProcess {
    static func main() async throws {
        // A test fails instead of waiting for a process that hangs.
        alarm(120)
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "download" { return try await DownloadProcess.run(arguments.dropFirst()) }
        guard CommandLine.arguments.count == 2 else { throw Usage() }
        let job = try WireJSON.decode(KitJob.self, from: Data(contentsOf: URL(filePath: CommandLine.arguments[1])))
        let points = KillPoints(cut: job.cut)
        let credentials = Credentials(account: job.account, password: job.password)
        let device = try Device(
            DeviceConfiguration(
                storeURL: job.storeURL, bundleID: "com.example.monkeyshop", appVersion: "1.0", folder: job.folder + "/device",
                rootsPEM: job.rootsPEM, interface: AutomaticInterface(credentials)),
            nil, RetryPolicy(), ContinuousClock(), Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() }
        ) { if job.includesDevice { points.reach(name($0)) } }
        if device.account == nil { try await device.signIn(credentials) }
        try await Device.$current.withValue(device) {
            let app = try await KitApp(job, device, points)
            await app.waitUntilIdle()
            try await print(app.report(), points)
            guard let script = job.script else { return }
            try await app.play(script)
            await app.waitUntilIdle()
            try await print(app.report(), points)
        }
    }

    private static func print(_ report: KitReport, _ points: KillPoints) throws {
        points.print("report " + String(decoding: try WireJSON.encode(report), as: UTF8.self))
    }

    private static func name(_ step: DeviceStep) -> String {
        switch step {
        case .writing(let name): "device writing \(name)"
        case .written(let name): "device written \(name)"
        case .sending(let path): "device sending \(path)"
        case .answered(let path): "device answered \(path)"
        case .replacing(let file): "device replacing \(file)"
        case .replaced(let file): "device replaced \(file)"
        }
    }

    struct Usage: Error {}
}
