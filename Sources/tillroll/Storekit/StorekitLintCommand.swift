import ArgumentParser
import Foundation
import LocalAppStore
import PurchaseModel

/// Reports whether the local store accepts a `.storekit` file, and further findings for the file's author.
struct StorekitLintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Say what is wrong with a .storekit file, all of it at once.",
        discussion: """
            Reads files of versions 1.0 to 5, by Xcode or by hand, as the local store does. An error keeps the file from being used; \
            a warning says what is perhaps not as it was meant.

              tillroll storekit lint Shop.storekit
              tillroll storekit lint Shop.storekit --json

            Errors and warnings go to standard error, one a line: how bad it is, the place in the JSON such as \
            products[3].displayPrice, and what to do. With --json all of it is one object on standard output: verdict (usable or \
            unusable), place and sentence of the first error, and under findings each one's severity, place and sentence.

            Exit codes: 0 when the file can be used, 1 when it can't, 64 wrong usage.
            """
    )

    @Argument(help: ArgumentHelp("A .storekit file; - or nothing for standard input.", valueName: "file"))
    var file: String?
    @OptionGroup(title: "Answer") var report: ReportOptions

    func run() throws {
        StandardStreams.prepare()
        let data = Data(try InputSource(file).read())
        let answer = StorekitReport(findings: Catalog.findings(in: data), catalog: try? Catalog(storekit: data))
        if report.json {
            try StandardOutput.bytes(answer.json.bytes + [UInt8(ascii: "\n")])
        } else {
            for line in answer.findingLines { StandardError.line(line) }
            try StandardOutput.lines([answer.line(.suiting())])
        }
        if answer.firstError != nil { throw ExitCode(1) }
    }
}
