import Foundation
import Logging
import ProcessTestSupport
import PurchaseTestSupport
import Testing
import TillrollTour

@Suite struct TourTests {
    @Test(arguments: Tour.steps)
    func `each step of the story is as it says, on a stage of its own`(_ step: TourStep) async throws {
        try await TemporaryFolder.with { folder in
            var logger = Logger(label: "tour")
            logger.logLevel = .critical
            let executable = BuiltProducts.path("tillroll")
            let scene = try await Stage.with(folder: folder.url.path, appExecutable: executable, logger: logger) { stage in
                try await step.play(stage)
            }
            #expect(!scene.app.isEmpty && !scene.evidence.isEmpty)
        }
    }

    @Test func `the steps are numbered as they are told`() {
        #expect(Tour.steps.map(\.number) == Array(1...12))
    }

    @Test func `two tours at once do not meet, and print one line of JSON a step`() async throws {
        async let first = Self.tour()
        async let second = Self.tour()
        for (code, lines) in try await [first, second] {
            #expect(code == 0, "\(lines.filter { $0.contains("failure") })")
            #expect(lines.count == Tour.steps.count + 1)
            #expect(lines.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
            let end = try JSONDecoder().decode(End.self, from: Data((lines.last ?? "").utf8))
            #expect(end.peakMegabytes < 200 && end.appPeakMegabytes < 200, "no process of a tour takes more than 200 MB")
        }
    }

    private struct End: Decodable {
        let peakMegabytes: Int
        let appPeakMegabytes: Int
    }

    private static func tour() async throws -> (code: Int32, lines: [String]) {
        let process = try LineProcess(BuiltProducts.path("tillroll"), ["tour", "--json"])
        let lines = await process.lines.reduce(into: [String]()) { $0.append($1) }
        return (await process.end(), lines)
    }

    @Test(arguments: [["tour", "--step", "13"], ["tour", "--nonsense"], ["up", "--store-port", "65536"], ["nothing"]])
    func `a wrong command line is a usage error`(_ arguments: [String]) async throws {
        let process = try LineProcess(BuiltProducts.path("tillroll"), arguments, standardError: .nullDevice)
        #expect(await process.end() == 64)
    }
}
