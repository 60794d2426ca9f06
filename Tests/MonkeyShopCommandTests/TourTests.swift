import Foundation
import Logging
import ProcessTestSupport
import PurchaseTestSupport
import Testing
import TillrollTour

@Suite struct TourTests {
    @Test(arguments: Tour.steps)
    func `each step of the tour succeeds in a separate environment`(_ step: TourStep) async throws {
        try await TemporaryFolder.with { folder in
            var logger = Logger(label: "tour")
            logger.logLevel = .critical
            let executable = BuiltProducts.path("monkeyshop")
            let result = try await TourEnvironment.with(folder: folder.url.path, appExecutable: executable, logger: logger) { tour in
                try await step.play(tour)
            }
            #expect(!result.app.isEmpty && !result.evidence.isEmpty)
        }
    }

    @Test func `the steps are numbered in order`() {
        #expect(Tour.steps.map(\.number) == Array(1...Tour.steps.count))
    }

    @Test func `two concurrent tours do not interfere, and each prints one line of JSON per step and no log`() async throws {
        async let first = Self.tour()
        async let second = Self.tour()
        for (code, lines, log) in try await [first, second] {
            #expect(code == 0, "\(lines.filter { $0.contains("failure") })")
            #expect(log == "")
            #expect(lines.count == Tour.steps.count + 1)
            #expect(lines.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
            let end = try JSONDecoder().decode(End.self, from: Data((lines.last ?? "").utf8))
            #expect(end.peakMegabytes < 200 && end.appPeakMegabytes < 200, "A process of a tour must use less than 200 MB.")
        }
    }

    private struct End: Decodable {
        let peakMegabytes: Int
        let appPeakMegabytes: Int
    }

    private static func tour() async throws -> (code: Int32, lines: [String], log: String) {
        try await TemporaryFolder.with { folder in
            let log = folder.file("log")
            try Data().write(to: log)
            let process = try LineProcess(
                BuiltProducts.path("monkeyshop"), ["tour", "--json"], standardError: try FileHandle(forWritingTo: log))
            let lines = await process.lines.reduce(into: [String]()) { $0.append($1) }
            return (await process.end(), lines, try String(contentsOf: log, encoding: .utf8))
        }
    }

    @Test(arguments: [
        ["tour", "--step", "99"], ["tour", "--nonsense"], ["up", "--store-port", "65536"], ["nothing"],
        ["up", "--store-port", "0", "--server-port", "0", "--shop-port", "0", "--folder", ""],
    ])
    func `a wrong command line is a usage error`(_ arguments: [String]) async throws {
        let process = try LineProcess(BuiltProducts.path("monkeyshop"), arguments, standardError: .nullDevice)
        #expect(await process.end() == 64)
    }
}
